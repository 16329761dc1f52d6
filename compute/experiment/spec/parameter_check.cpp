// SPDX-License-Identifier: Apache-2.0
// Types, ranges and choices of single values.
#include "compute/experiment/spec/parameter_check.h"

#include "compute/experiment/spec/data_json.h"
#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/pointer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kMostChannels = 65536;

std::string useDefault(const Parameter& parameter) {
    return parameter.defaultValue.is_null() ? std::string()
                                            : "the default is " + parameter.defaultValue.dump();
}

void refuse(const Parameter& parameter, const Json& value, const std::string& pointer, Findings& findings) {
    findings.error(pointer, foundText(value), allowedText(parameter), useDefault(parameter));
}

bool insideRange(const Parameter& parameter, double value) {
    return std::isfinite(value) && (!parameter.min || value >= *parameter.min) &&
           (!parameter.max || value <= *parameter.max);
}

void checkWhole(const Parameter& parameter, const Json& value, const std::string& pointer,
                Findings& findings) {
    const auto whole = wholeNumber(value);
    if (!whole || !insideRange(parameter, static_cast<double>(*whole)))
        refuse(parameter, value, pointer, findings);
}

/// A number for all, or a list of one of the given lengths.
void checkWholeList(const Parameter& parameter, const Json& value, const std::string& pointer,
                    std::initializer_list<std::size_t> lengths, Findings& findings) {
    if (!value.is_array())
        return checkWhole(parameter, value, pointer, findings);
    if (std::find(lengths.begin(), lengths.end(), value.size()) == lengths.end())
        return findings.error(pointer, "found a list of " + std::to_string(value.size()),
                              allowedText(parameter), useDefault(parameter));
    for (std::size_t i = 0; i < value.size(); ++i)
        checkWhole(parameter, value[i], childPointer(pointer, i), findings);
}

void checkNumber(const Parameter& parameter, const Json& value, const std::string& pointer,
                 Findings& findings) {
    if (!value.is_number() || !insideRange(parameter, value.get<double>()))
        refuse(parameter, value, pointer, findings);
}

/// A number for all channels, or a list with one each.
void checkNumbers(const Parameter& parameter, const Json& value, const std::string& pointer,
                  Findings& findings) {
    if (!value.is_array())
        return checkNumber(parameter, value, pointer, findings);
    if (value.empty() || value.size() > kMostChannels)
        return findings.error(pointer, "found a list of " + std::to_string(value.size()),
                              "a list of 1 to " + std::to_string(kMostChannels) + " numbers");
    for (std::size_t i = 0; i < value.size() && !findings.full(); ++i)
        checkNumber(parameter, value[i], childPointer(pointer, i), findings);
}

void checkChoice(const Parameter& parameter, const Json& value, const std::string& pointer,
                 Findings& findings) {
    if (!value.is_string())
        return refuse(parameter, value, pointer, findings);
    const std::string text = value.get<std::string>();
    if (std::find(parameter.choices.begin(), parameter.choices.end(), text) != parameter.choices.end())
        return;
    const std::string hint = suggestion(text, parameter.choices);
    findings.error(pointer, foundText(value), allowedText(parameter),
                   hint.empty() ? useDefault(parameter) : hint);
}

void checkText(const Parameter& parameter, const Json& value, const std::string& pointer,
               Findings& findings) {
    if (!value.is_string())
        return refuse(parameter, value, pointer, findings);
    const auto& text = value.get_ref<const std::string&>();
    if (text.size() > kLongestText)
        findings.error(pointer, "the text has " + std::to_string(text.size()) + " bytes",
                       "at most " + std::to_string(kLongestText) + " bytes");
    if (text.find('\0') != std::string::npos)
        findings.error(pointer, "the text holds a null character", "a text without null characters");
}

bool isFiniteFloat(const Json& value) {
    return value.is_number() && std::abs(value.get<double>()) <= std::numeric_limits<float>::max();
}

void checkRow(const Json& row, std::size_t width, const std::string& pointer, Findings& findings) {
    if (!row.is_array())
        return findings.error(pointer, foundText(row), "a row: a list of numbers");
    if (row.size() != width)
        return findings.error(pointer,
                              "this row has " + std::to_string(row.size()) + " numbers, the first has " +
                                  std::to_string(width),
                              "rows of one length", "add or remove numbers");
    for (std::size_t column = 0; column < row.size() && !findings.full(); ++column)
        if (!isFiniteFloat(row[column]))
            findings.error(childPointer(pointer, column), foundText(row[column]),
                           "a number of at most 3.4e38 in size");
}

void checkMatrix(const Parameter& parameter, const Json& value, const std::string& pointer,
                 Findings& findings) {
    if (!value.is_array() || value.empty())
        return refuse(parameter, value, pointer, findings);
    const std::size_t width = value[0].is_array() ? value[0].size() : 0;
    if (value[0].is_array() && width == 0)
        return findings.error(childPointer(pointer, 0), "found an empty list",
                              "a row of at least one number");
    if (width * value.size() > kMaxManualCells)
        return findings.error(pointer, "the matrix has " + std::to_string(width * value.size()) + " cells",
                              "at most " + std::to_string(kMaxManualCells), "store it in a .npy file");
    for (std::size_t row = 0; row < value.size() && !findings.full(); ++row)
        checkRow(value[row], width, childPointer(pointer, row), findings);
}

} // namespace

std::optional<std::int64_t> wholeNumber(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (!value.is_number_float())
        return std::nullopt;
    const double number = value.get<double>();
    if (number != std::floor(number) || std::abs(number) > 9007199254740992.0)
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

void checkParameterValue(const Parameter& parameter, const Json& value, const std::string& pointer,
                         Findings& findings) {
    if (value.is_null() && parameter.defaultValue.is_null() && !parameter.required)
        return;
    switch (parameter.type) {
    case ParameterType::Integer:
        return checkWhole(parameter, value, pointer, findings);
    case ParameterType::Number:
        return checkNumber(parameter, value, pointer, findings);
    case ParameterType::Boolean:
        if (!value.is_boolean())
            refuse(parameter, value, pointer, findings);
        return;
    case ParameterType::Choice:
        return checkChoice(parameter, value, pointer, findings);
    case ParameterType::Text:
    case ParameterType::File:
    case ParameterType::Folder:
        return checkText(parameter, value, pointer, findings);
    case ParameterType::Extent:
        return checkWholeList(parameter, value, pointer, {2}, findings);
    case ParameterType::Padding:
        return checkWholeList(parameter, value, pointer, {2, 4}, findings);
    case ParameterType::Matrix:
        return checkMatrix(parameter, value, pointer, findings);
    case ParameterType::Shape:
        if (!value.is_array())
            return refuse(parameter, value, pointer, findings);
        return checkWholeList(parameter, value, pointer, {1, 3}, findings);
    case ParameterType::Layers:
        return checkLayers(value, pointer, findings);
    case ParameterType::Numbers:
        return checkNumbers(parameter, value, pointer, findings);
    case ParameterType::Transforms:
        if (!value.is_array())
            return refuse(parameter, value, pointer, findings);
        return checkTransforms(value, pointer, findings);
    }
}

} // namespace heteroscope::compute
