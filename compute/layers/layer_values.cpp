// SPDX-License-Identifier: Apache-2.0
#include "compute/layers/layer_values.h"

namespace heteroscope::compute {

/// JSON may write a whole number as 3.0.
std::int64_t LayerValues::wholeOf(const Json& value) {
    return value.is_number_float() ? static_cast<std::int64_t>(value.get<double>())
                                   : value.get<std::int64_t>();
}

Extent2d LayerValues::extent(const char* key) const {
    const Json& value = m_values.at(key);
    if (value.is_array())
        return {wholeOf(value[0]), wholeOf(value[1])};
    return {wholeOf(value), wholeOf(value)};
}

Padding2d LayerValues::padding(const char* key) const {
    const Json& value = m_values.at(key);
    if (!value.is_array()) {
        const std::int64_t side = wholeOf(value);
        return {side, side, side, side};
    }
    if (value.size() == 2)
        return {wholeOf(value[0]), wholeOf(value[0]), wholeOf(value[1]), wholeOf(value[1])};
    return {wholeOf(value[0]), wholeOf(value[1]), wholeOf(value[2]), wholeOf(value[3])};
}

} // namespace heteroscope::compute
