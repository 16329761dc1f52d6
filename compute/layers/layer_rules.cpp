// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_rules.h"

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
    Entry{"gelu", lowerGelu},
    Entry{"global_avgpool2d", lowerGlobalAveragePool},
    Entry{"hard_sigmoid", lowerHardSigmoid},
    Entry{"hard_swish", lowerHardSwish},
    Entry{"layernorm", lowerLayerNorm},
    Entry{"leaky_relu", lowerLeakyRelu},
    Entry{"maxpool2d", lowerMaxPool},
    Entry{"mul", lowerMul},
    Entry{"relu", lowerRelu},
    Entry{"relu6", lowerRelu6},
    Entry{"sigmoid", lowerSigmoid},
    Entry{"softmax", lowerSoftmax},
    Entry{"tanh", lowerTanh},
};

} // namespace

LayerRule findLayerRule(std::string_view type) {
    const auto found =
        std::find_if(kRules.begin(), kRules.end(), [type](const Entry& entry) { return entry.type == type; });
    return found == kRules.end() ? nullptr : found->rule;
}

} // namespace heteroscope::compute
