// SPDX-License-Identifier: Apache-2.0
// Short ways to write a Parameter, for the tables of experiments and layers. Any thread.
#pragma once

#include "compute/model/parameter_schema.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::compute {

inline constexpr double kMaxSide = 1048576; ///< 2^20: a square of it is already 4 TiB
inline constexpr double kMaxWindow = 65536; ///< kernel, stride and padding per axis
inline constexpr double kMaxPlanes = 65536; ///< batch and channels

struct ParameterText {
    const char* key;
    const char* label;
    const char* help;
};

Parameter integer(ParameterText text, std::int64_t value, double min, double max, std::string unit = {});
Parameter number(ParameterText text, double value, double min, double max, std::string unit);
Parameter boolean(ParameterText text, bool value);
/// The first choice is the default.
Parameter choice(ParameterText text, std::vector<std::string> choices);
Parameter extent(ParameterText text, std::int64_t value, double min, double max,
                 std::string unit = "elements");
/// A text, file, folder, list of numbers or of transforms; without limits.
Parameter plain(ParameterType type, ParameterText text, Json value);
/// Has an effect only while the parameter at `pointer` has one of these values, too.
Parameter when(Parameter parameter, std::string pointer, std::vector<std::string> values);

} // namespace heteroscope::compute
