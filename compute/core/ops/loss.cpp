// SPDX-License-Identifier: Apache-2.0
#include "compute/core/ops/loss.h"

namespace heteroscope::compute {

const char* lossName(LossKind kind) {
    switch (kind) {
    case LossKind::SoftmaxCrossEntropy:
        return "softmax_cross_entropy";
    case LossKind::BinaryCrossEntropy:
        return "binary_cross_entropy";
    case LossKind::MeanSquaredError:
        return "mean_squared_error";
    }
    return "";
}

std::optional<std::int64_t> lossTargetElements(LossKind kind, std::int64_t batch, std::int64_t units) {
    return kind == LossKind::SoftmaxCrossEntropy ? batch : elementsOf({batch, units});
}

OpFacts opFacts(const Loss& op) {
    const auto output = elementsOf({op.batch, op.units});
    std::vector<std::optional<std::int64_t>> dst{2};
    if (op.gradient)
        dst.push_back(output);
    const double perElement =
        op.kind == LossKind::MeanSquaredError ? 4.0 : 6.0; // an exponential counts as one
    return plainFacts(std::string("loss.") + lossName(op.kind),
                      std::to_string(op.batch) + "x" + std::to_string(op.units),
                      {output, lossTargetElements(op.kind, op.batch, op.units)}, std::move(dst),
                      perElement * static_cast<double>(output.value_or(0)));
}

} // namespace heteroscope::compute
