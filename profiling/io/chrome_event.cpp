// SPDX-License-Identifier: Apache-2.0
#include "profiling/io/chrome_event.h"

#include "profiling/io/text_source.h"
#include "profiling/io/utf8.h"

#include <simdjson.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace heteroscope::profiling {

namespace {

using simdjson::error_code;
using simdjson::SUCCESS;
namespace ondemand = simdjson::ondemand;

static_assert(kJsonPadding >= simdjson::SIMDJSON_PADDING);

constexpr double kNsPerUs = 1000.0;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() &&
           (text.back() == ' ' || text.back() == '\n' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

/// A string without its quotes, anything else as it is written.
error_code textOf(ondemand::value value, std::string_view& out) {
    ondemand::json_type type{};
    if (const error_code error = value.type().get(type))
        return error;
    if (type == ondemand::json_type::string)
        return value.get_string().get(out);
    if (type == ondemand::json_type::object || type == ondemand::json_type::array) {
        const error_code error = simdjson::to_json_string(value).get(out);
        out = trimmed(out);
        return error;
    }
    out = trimmed(value.raw_json_token());
    return SUCCESS;
}

error_code argsOf(ondemand::value value, ChromeEvent& event) {
    ondemand::object object;
    if (value.get_object().get(object) != SUCCESS) { // a list or a number: kept under one name
        std::string_view text;
        const error_code error = textOf(value, text);
        event.args.emplace_back("args", text);
        return error;
    }
    for (auto field : object) {
        std::string_view key, text;
        if (const error_code error = field.unescaped_key().get(key))
            return error;
        ondemand::value item;
        if (const error_code error = field.value().get(item))
            return error;
        if (const error_code error = textOf(item, text))
            return error;
        if (event.args.size() == kMostChromeArgs)
            return simdjson::CAPACITY;
        event.args.emplace_back(key, text);
    }
    return SUCCESS;
}

error_code takeField(std::string_view key, ondemand::value value, ChromeEvent& event) {
    std::string_view text;
    if (key == "args")
        return argsOf(value, event);
    const error_code error = textOf(value, text);
    if (error)
        return error;
    if (key == "ts")
        event.timeNs = nanosecondsOf(text);
    else if (key == "dur") {
        event.durationNs = nanosecondsOf(text);
        event.hasDuration = true;
    } else if (key == "name")
        event.name = text;
    else if (key == "cat")
        event.category = text;
    else if (key == "ph")
        event.phase = text.size() == 1 ? text[0] : '\0';
    else if (key == "pid")
        event.pid = text;
    else if (key == "tid")
        event.tid = text;
    else if (key == "id" || key == "id2")
        event.id = text;
    else if (key == "bp")
        event.bindsToEnclosing = text == "e";
    return SUCCESS;
}

void clear(ChromeEvent& event) {
    event.args.clear();
    auto args = std::move(event.args);
    event = ChromeEvent();
    event.args = std::move(args);
}

error_code parseWith(ondemand::parser& parser, std::string_view text, ChromeEvent& event) {
    clear(event);
    ondemand::document document;
    if (const error_code error =
            parser.iterate(text.data(), text.size(), text.size() + kJsonPadding).get(document))
        return error;
    ondemand::object object;
    if (const error_code error = document.get_object().get(object))
        return error;
    for (auto field : object) {
        std::string_view key;
        if (const error_code error = field.unescaped_key().get(key))
            return error;
        ondemand::value value;
        if (const error_code error = field.value().get(value))
            return error;
        if (const error_code error = takeField(key, value, event))
            return error;
    }
    return SUCCESS;
}

std::optional<std::int64_t> bySlowPath(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::invalid_argument || end != text.data() + text.size() || std::isnan(value))
        return std::nullopt;
    constexpr double kLimit = 2.4e18; // beyond kMaxTraceTimeNs; differences still fit
    const double ns = value * kNsPerUs;
    return static_cast<std::int64_t>(std::llround(std::clamp(ns, -kLimit, kLimit)));
}

} // namespace

std::optional<std::int64_t> nanosecondsOf(std::string_view microseconds) {
    constexpr std::size_t kSafeDigits = 16;
    constexpr std::int64_t kLargest = 2'400'000'000'000'000; // all that the store keeps is exact
    std::string_view text = microseconds;
    const bool negative = !text.empty() && text[0] == '-';
    if (negative)
        text.remove_prefix(1);
    std::int64_t ns = 0;
    std::size_t at = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        if (at < kSafeDigits)
            ns = ns * 10 + (text[at] - '0');
    if (at == 0 || at > kSafeDigits || ns > kLargest)
        return bySlowPath(microseconds);
    int decimals = 0;
    bool roundUp = false;
    if (at < text.size() && text[at] == '.')
        for (++at; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, ++decimals) {
            if (decimals < 3)
                ns = ns * 10 + (text[at] - '0');
            else if (decimals == 3)
                roundUp = text[at] >= '5';
        }
    if (at != text.size())
        return bySlowPath(microseconds);
    for (; decimals < 3; ++decimals)
        ns *= 10;
    ns += roundUp ? 1 : 0;
    return negative ? -ns : ns;
}

struct ChromeEventParser::Impl {
    ondemand::parser parser;
    std::string repairedText; ///< keeps what an event's texts point into
};

ChromeEventParser::ChromeEventParser() : m_impl(std::make_unique<Impl>()) {}
ChromeEventParser::~ChromeEventParser() = default;

std::string ChromeEventParser::parse(std::string_view text, ChromeEvent& event) {
    error_code error = parseWith(m_impl->parser, text, event);
    if (error == simdjson::UTF8_ERROR) {
        m_impl->repairedText = validUtf8(text);
        const std::size_t size = m_impl->repairedText.size();
        m_impl->repairedText.resize(size + kJsonPadding, '\0');
        error = parseWith(m_impl->parser, std::string_view(m_impl->repairedText.data(), size), event);
        ++m_repaired;
    }
    if (error == simdjson::CAPACITY)
        return "it has more than " + std::to_string(kMostChromeArgs) + " arguments";
    return error ? simdjson::error_message(error) : std::string();
}

} // namespace heteroscope::profiling
