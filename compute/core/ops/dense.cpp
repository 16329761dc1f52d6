// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/dense.h"

namespace heteroscope::compute {
namespace {

std::string detail(const DenseParams& params, std::int64_t batch) {
    return std::to_string(batch) + "x" + std::to_string(params.inputs) + " u" + std::to_string(params.units);
}

struct DenseSizes {
    std::optional<std::int64_t> src, weights, dst;
    double multiplyAdds = 0;
};

DenseSizes sizesOf(const DenseParams& params, std::int64_t batch) {
    return {elementsOf({batch, params.inputs}), elementsOf({params.units, params.inputs}),
            elementsOf({batch, params.units}),
            static_cast<double>(batch) * static_cast<double>(params.inputs) *
                static_cast<double>(params.units)};
}

double biasFlops(const DenseParams& params, std::int64_t batch) {
    return params.bias ? static_cast<double>(batch) * static_cast<double>(params.units) : 0.0;
}

} // namespace

OpFacts opFacts(const DenseForward& op) {
    const DenseSizes sizes = sizesOf(op.params, op.batch);
    std::vector<std::optional<std::int64_t>> src{sizes.src, sizes.weights};
    if (op.params.bias)
        src.emplace_back(op.params.units);
    return plainFacts("dense.forward", detail(op.params, op.batch), src, {sizes.dst},
                      2.0 * sizes.multiplyAdds + biasFlops(op.params, op.batch));
}

OpFacts opFacts(const DenseBackwardData& op) {
    const DenseSizes sizes = sizesOf(op.params, op.batch);
    return plainFacts("dense.backward.data", detail(op.params, op.batch), {sizes.dst, sizes.weights},
                      {sizes.src}, 2.0 * sizes.multiplyAdds);
}

OpFacts opFacts(const DenseBackwardWeights& op) {
    const DenseSizes sizes = sizesOf(op.params, op.batch);
    std::vector<std::optional<std::int64_t>> grads{sizes.weights};
    if (op.params.bias)
        grads.emplace_back(op.params.units);
    return plainFacts("dense.backward.weights", detail(op.params, op.batch), {sizes.src, sizes.dst}, grads,
                      2.0 * sizes.multiplyAdds + biasFlops(op.params, op.batch));
}

} // namespace heteroscope::compute
