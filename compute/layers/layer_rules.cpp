// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

#include "compute/core/ops/activation.h"

#include <algorithm>
#include <array>

namespace heteroscope::compute {

namespace {

struct Entry {
    std::string_view type;
    LayerRule rule;
};

constexpr std::array kRules{
    Entry{"adaptive_avgpool2d", lowerAdaptivePool},
    Entry{"add", lowerAdd},
    Entry{"avgpool2d", lowerAveragePool},
    Entry{"batchnorm", lowerBatchNorm},
    Entry{"concat", lowerConcat},
    Entry{"conv2d", lowerConv2d},
    Entry{"dense", lowerDense},
    Entry{"dropout", lowerDropout},
    Entry{"flatten", lowerFlatten},
    Entry{"global_avgpool2d", lowerGlobalAveragePool},
    Entry{"layernorm", lowerLayerNorm},
    Entry{"maxpool2d", lowerMaxPool},
    Entry{"mul", lowerMul},
    Entry{"softmax", lowerSoftmax},
};

} // namespace

LayerRule findLayerRule(std::string_view type) {
    if (findActivation(type) != nullptr)
        return lowerActivation;
    const auto found =
        std::find_if(kRules.begin(), kRules.end(), [type](const Entry& entry) { return entry.type == type; });
    return found == kRules.end() ? nullptr : found->rule;
}

} // namespace heteroscope::compute
