// SPDX-License-Identifier: Apache-2.0
// A network as a list of named layers. The JSON form is the contract; experiment/spec reads and checks it.
// Plain values; any thread.
#pragma once

#include "compute/base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::compute {

struct LayerSpec {
    std::string name;                ///< unique; "input" is the network's own
    std::string type;                ///< a LayerType's id
    Json values = Json::object();    ///< of every parameter of the type, defaults put in
    std::vector<std::string> inputs; ///< names of earlier layers, or "input"
};

struct NetworkSpec {
    std::vector<std::int64_t> input; ///< [channels, height, width] or [features], of one image
    std::vector<LayerSpec> layers;   ///< each after its inputs; the last one is the output
};

/// The name of the network's input among layer inputs.
inline constexpr const char* kInputName = "input";

} // namespace heteroscope::compute
