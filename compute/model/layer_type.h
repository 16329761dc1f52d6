// SPDX-License-Identifier: Apache-2.0
// The catalogue of layers: one description from which palette, inspector, JSON checks, command-line help and
// documentation come. A new layer is a line here and its rule in compute/layers. Any thread.
#pragma once

#include "compute/model/parameter_schema.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

struct LayerType {
    std::string id;    ///< "conv2d": the JSON "type"
    std::string label; ///< "Convolution"
    std::string group; ///< of the palette: "Convolution", "Pooling", "Dense", "Activation", "Regularisation",
                       ///< "Structure"
    std::string help;
    std::vector<Parameter> parameters;
    std::size_t minInputs = 1, maxInputs = 1;
};

/// In the palette's order.
std::span<const LayerType> layerTypes();
/// nullptr when there is none.
const LayerType* findLayerType(std::string_view id);

} // namespace heteroscope::compute
