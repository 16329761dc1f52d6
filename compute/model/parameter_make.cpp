// SPDX-License-Identifier: Apache-2.0
#include "compute/model/parameter_make.h"

#include <utility>

namespace heteroscope::compute {

Parameter integer(ParameterText text, std::int64_t value, double min, double max, std::string unit) {
    return {text.key,    ParameterType::Integer,
            text.label,  std::move(unit),
            Json(value), min,
            max,         {},
            text.help,   false,
            {}};
}

Parameter number(ParameterText text, double value, double min, double max, std::string unit) {
    return {text.key,    ParameterType::Number,
            text.label,  std::move(unit),
            Json(value), min,
            max,         {},
            text.help,   false,
            {}};
}

Parameter boolean(ParameterText text, bool value) {
    return {text.key,
            ParameterType::Boolean,
            text.label,
            {},
            Json(value),
            std::nullopt,
            std::nullopt,
            {},
            text.help,
            false,
            {}};
}

Parameter choice(ParameterText text, std::vector<std::string> choices) {
    Json first = choices.front();
    return {text.key,
            ParameterType::Choice,
            text.label,
            {},
            std::move(first),
            std::nullopt,
            std::nullopt,
            std::move(choices),
            text.help,
            false,
            {}};
}

Parameter extent(ParameterText text, std::int64_t value, double min, double max, std::string unit) {
    Parameter parameter = integer(text, value, min, max, std::move(unit));
    parameter.type = ParameterType::Extent;
    return parameter;
}

Parameter plain(ParameterType type, ParameterText text, Json value) {
    return {text.key, type,      text.label, {}, std::move(value), std::nullopt, std::nullopt,
            {},       text.help, false,      {}};
}

Parameter when(Parameter parameter, std::string pointer, std::vector<std::string> values) {
    parameter.activeWhen.push_back({std::move(pointer), std::move(values)});
    return parameter;
}

} // namespace heteroscope::compute
