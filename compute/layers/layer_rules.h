// SPDX-License-Identifier: Apache-2.0
// How each layer type becomes operations. A layer is a file with its rule, and a line in layer_rules.cpp.
// Pure functions; any thread.
#pragma once

#include "compute/base/result.h"
#include "compute/layers/layer_values.h"
#include "compute/model/layer_lowering.h"

#include <span>
#include <string_view>

namespace heteroscope::compute {

/// What a rule is given. The batch is the inputs' n.
struct LayerRequest {
    std::string_view type; ///< of the layer: one of the rule's
    LayerValues values;
    std::span<const Shape4> inputs;
    NetworkMode mode = NetworkMode::Infer;
    std::uint64_t seed = 0;   ///< of dropout
    std::uint32_t number = 0; ///< of the layer in its network: layers draw different numbers
};

using LayerRule = Result<LayerLowering> (*)(const LayerRequest&);

/// nullptr when no layer has this type. A rule's error names the parameter in `where` ("kernel"), or
/// "inputs".
LayerRule findLayerRule(std::string_view type);

Result<LayerLowering> lowerConv2d(const LayerRequest& request);
Result<LayerLowering> lowerMaxPool(const LayerRequest& request);
Result<LayerLowering> lowerAveragePool(const LayerRequest& request);
Result<LayerLowering> lowerGlobalAveragePool(const LayerRequest& request);
Result<LayerLowering> lowerAdaptivePool(const LayerRequest& request);
Result<LayerLowering> lowerDense(const LayerRequest& request);
/// Of every type that findActivation() knows.
Result<LayerLowering> lowerActivation(const LayerRequest& request);
Result<LayerLowering> lowerSoftmax(const LayerRequest& request);
Result<LayerLowering> lowerBatchNorm(const LayerRequest& request);
Result<LayerLowering> lowerLayerNorm(const LayerRequest& request);
Result<LayerLowering> lowerDropout(const LayerRequest& request);
Result<LayerLowering> lowerFlatten(const LayerRequest& request);
Result<LayerLowering> lowerAdd(const LayerRequest& request);
Result<LayerLowering> lowerMul(const LayerRequest& request);
Result<LayerLowering> lowerConcat(const LayerRequest& request);

} // namespace heteroscope::compute
