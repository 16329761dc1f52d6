// SPDX-License-Identifier: Apache-2.0
// Layers between JSON and typed values. Pure; any thread.
#pragma once

#include "compute/experiment/spec/findings.h"
#include "compute/model/layer_type.h"
#include "compute/model/network_spec.h"
#include "compute/model/parameter_schema.h"

namespace heteroscope::compute {

inline constexpr std::size_t kMaxLayers = 4096;
inline constexpr std::size_t kMaxLayerName = 200; ///< bytes

/// Types, names, keys and values of /network/layers; who feeds whom is resolveNetwork()'s business.
void checkLayers(const Json& layers, const std::string& pointer, Findings& findings);
/// The parameter of a layer at "/network/layers/3/filters"; nullptr when there is none.
const Parameter* findLayerParameter(const Json& document, const std::string& pointer);
/// Pointers to all parameters that the document's layers have.
std::vector<std::string> layerPointers(const Json& document);

/// Of an object: its "name", else its type (or "layer") and its number, counted from one.
std::string layerName(const Json& layer, std::size_t index);
/// Every parameter of the type, defaults put in.
Json layerValues(const Json& layer, const LayerType& type);

/// From the checked object at /network. A layer without "name" is called as layerName() says, one without
/// "inputs" reads the layer before it.
NetworkSpec readNetwork(const Json& network);
/// The object for /network, without what is as it would be anyway.
Json networkJson(const NetworkSpec& network);

} // namespace heteroscope::compute
