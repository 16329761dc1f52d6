// SPDX-License-Identifier: Apache-2.0
// The JSON value type used everywhere. Keys keep the order in which they were written, so that saved files
// differ little.
#pragma once

#include <nlohmann/json.hpp>

namespace heteroscope {

using Json = nlohmann::ordered_json;

} // namespace heteroscope
