// SPDX-License-Identifier: Apache-2.0
// Inputs, matrices and gradient weights of a point.
#include "compute/exec/point_data.h"

#include "compute/base/numpy_random.h"
#include "compute/data/input.h"

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kLowestWeight = -4, kHighestWeight = 4;
constexpr std::int64_t kHighestElement = 9;

std::vector<float> draw(NumpyRandom& random, std::int64_t count, std::int64_t low, std::int64_t high) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = static_cast<float>(random.integer(low, high));
    return values;
}

Result<PointData> loadPooling(const ExperimentSpec& spec) {
    auto input = loadInput(spec.pooling.input, spec.directory);
    if (!input)
        return input.error();
    const auto dstShape = poolOutputShape(spec.pooling.params, input->shape);
    if (!dstShape)
        return dstShape.error();
    PointData data{input->shape, *dstShape, std::move(input->values), {}, {}};
    if (spec.pooling.backward) {
        NumpyRandom random(spec.pooling.input.seed + 1);
        data.dstGrad = draw(random, *dstShape->elements(), kLowestWeight, kHighestWeight);
    }
    return data;
}

std::vector<float> identity(std::int64_t size) {
    std::vector<float> values(static_cast<std::size_t>(size * size), 0.0f);
    for (std::int64_t i = 0; i < size; ++i)
        values[static_cast<std::size_t>(i * size + i)] = 1.0f;
    return values;
}

Result<PointData> loadMatmul(const MatmulSpec& matmul) {
    PointData data{{1, 1, matmul.m, matmul.k}, {1, 1, matmul.m, matmul.n}, {}, {}, {}};
    NumpyRandom random(matmul.seed);
    data.src = draw(random, matmul.m * matmul.k, 0, kHighestElement);
    data.right = matmul.right == MatmulRight::Identity
                     ? identity(matmul.k)
                     : draw(random, matmul.k * matmul.n, 0, kHighestElement);
    return data;
}

} // namespace

Result<PointData> loadPointData(const ExperimentSpec& pointSpec) {
    if (pointSpec.kind == ExperimentKind::Pooling)
        return loadPooling(pointSpec);
    if (pointSpec.kind == ExperimentKind::Matmul)
        return loadMatmul(pointSpec.matmul);
    PointData data; // a network's work makes up its own batch
    if (pointSpec.network.data.isDataset()) {
        auto dataset = loadDataset(pointSpec.network, pointSpec.directory);
        if (!dataset)
            return dataset.error();
        data.dataset = std::make_shared<const Dataset>(std::move(*dataset));
    }
    return data;
}

} // namespace heteroscope::compute
