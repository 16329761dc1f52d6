// SPDX-License-Identifier: Apache-2.0
// Text to JSON with bounds on size, depth and width, no duplicate keys, and errors that say where.
#include "compute/base/json_memory.h"
#include "compute/base/printable.h"
#include "compute/base/units.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/spec_json.h"

#include <algorithm>
#include <exception>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kMaxKeys = 1024;
constexpr std::size_t kLongestKeyQuote = 60;

/// Builds the value and knows at each moment which pointer is being read.
class Builder : public nlohmann::json_sax<Json> {
  public:
    using Exception = nlohmann::detail::exception;

    Json takeRoot() { return std::move(m_root); }
    const std::optional<Error>& error() const { return m_error; }
    std::size_t errorByte() const { return m_errorByte; }
    const std::string& parserText() const { return m_parserText; }

    std::string pointer() const {
        std::string text;
        for (std::size_t i = 0; i < m_levels.size(); ++i) {
            const Level& level = m_levels[i];
            const bool innermost = i + 1 == m_levels.size();
            if (level.container->is_array()) // an open element counts already in the lists around it
                text = childPointer(text, level.container->size() - (innermost ? 0 : 1));
            else if (level.hasKey)
                text = childPointer(text, level.key);
        }
        return text;
    }

    bool null() override { return put(nullptr) != nullptr; }
    bool boolean(bool value) override { return put(value) != nullptr; }
    bool number_integer(number_integer_t value) override { return put(value) != nullptr; }
    bool number_unsigned(number_unsigned_t value) override { return put(value) != nullptr; }
    bool number_float(number_float_t value, const string_t&) override { return put(value) != nullptr; }
    bool string(string_t& value) override { return put(std::move(value)) != nullptr; }
    bool binary(binary_t&) override { return false; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        Level& level = m_levels.back();
        const Json& object = *level.container;
        level.key = name;
        level.hasKey = true;
        if (object.contains(name))
            return fail("the key \"" + shortened(name, kLongestKeyQuote) + "\" is given twice",
                        "each key once", "remove one of the two");
        if (object.size() >= kMaxKeys)
            return fail("the object has more than " + std::to_string(kMaxKeys) + " keys");
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const Exception& exception) override {
        m_errorByte = position > 0 ? position - 1 : 0;
        m_parserText = exception.what();
        return false;
    }

  private:
    struct Level {
        Json* container = nullptr;
        std::string key;
        bool hasKey = false;
    };

    bool fail(std::string message, std::string allowed = {}, std::string advice = {}) {
        m_error = badInput(pointer(), std::move(message), std::move(allowed), std::move(advice));
        return false;
    }

    Json* put(Json value) {
        if (m_levels.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        Level& level = m_levels.back();
        if (level.container->is_array()) {
            level.container->push_back(std::move(value));
            return &level.container->back();
        }
        return &((*level.container)[level.key] = std::move(value));
    }

    bool open(Json container) {
        if (m_levels.size() >= static_cast<std::size_t>(SpecLimits::kMaxDepth))
            return fail("nested too deep",
                        "at most " + std::to_string(SpecLimits::kMaxDepth) + " levels of lists and objects");
        Json* place = put(std::move(container));
        m_levels.push_back({place, {}, false});
        return true;
    }

    bool close() {
        m_levels.pop_back();
        return true;
    }

    Json m_root;
    std::vector<Level> m_levels;
    std::optional<Error> m_error;
    std::size_t m_errorByte = 0;
    std::string m_parserText;
};

std::string positionText(std::string_view text, std::size_t byte) {
    byte = std::min(byte, text.size());
    const std::string_view before = text.substr(0, byte);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t lineStart = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    return "line " + std::to_string(line) + ", column " + std::to_string(byte - lineStart + 1) + " (byte " +
           std::to_string(byte) + ")";
}

/// The parser quotes what it read, bytes that are no text included: an error must be printable anywhere.
std::string parserQuote(std::string_view parserText) {
    constexpr std::size_t kLongestReason = 300; // a number may be as long as the file
    std::string text = shortened(parserText, kLongestReason);
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f)
            c = '?';
    return text;
}

/// The parser's own reason, without its class names and positions.
std::string reasonText(const std::string& parserText) {
    for (const std::string_view mark : {" - ", "]: ", "] "}) {
        const std::size_t at = parserText.find(mark);
        if (at != std::string::npos)
            return parserQuote(std::string_view(parserText).substr(at + mark.size()));
    }
    return parserQuote(parserText);
}

std::string adviceFor(std::string_view text, std::size_t byte) {
    const std::size_t from = byte > 10 ? byte - 10 : 0;
    const std::string_view near = text.substr(std::min(from, text.size()), 24);
    for (const std::string_view word : {"NaN", "nan", "Inf", "inf"})
        if (near.find(word) != std::string_view::npos)
            return "JSON has no NaN and no infinity: write a number";
    if (near.find("//") != std::string_view::npos || near.find("/*") != std::string_view::npos)
        return "JSON has no comments: use \"notes\"";
    if (near.find('\'') != std::string_view::npos)
        return "texts stand in double quotes";
    return "correct the text there; a missing comma, quote or bracket just before it is the usual cause";
}

constexpr std::int64_t kCopies = 3; ///< that those who check an experiment hold

} // namespace

Result<Json> parseJsonText(std::string_view text) {
    if (text.size() > SpecLimits::kMaxFileBytes)
        return badInput({}, "the text has " + formatBytes(static_cast<double>(text.size())),
                        "at most " + formatBytes(static_cast<double>(SpecLimits::kMaxFileBytes)));
    MemoryBudget budget;
    if (const Status status = budget.charge(kCopies * jsonMemory(text), "the values of the JSON text", {});
        !status)
        return status.error();
    // The parser takes a NUL byte for the end, and would not see what stands behind it.
    const std::size_t nul = std::min(text.find('\0'), text.size());
    Builder builder;
    bool parsed = false;
    try {
        parsed = Json::sax_parse(text.substr(0, nul), &builder);
    } catch (const std::exception& exception) {
        return badInput({}, std::string("not valid JSON: ") + exception.what());
    }
    if (parsed && nul == text.size())
        return builder.takeRoot();
    if (builder.error())
        return *builder.error();
    if (nul < text.size() && (parsed || builder.errorByte() >= nul))
        return badInput(
            positionText(text, nul), "not valid JSON: a NUL byte", {},
            "remove it; files in UTF-16, and files that were cut off or filled up, have such bytes");
    const std::string pointer = builder.pointer();
    const std::string place = positionText(text, builder.errorByte());
    return badInput(pointer.empty() ? place : pointer + ", " + place,
                    "not valid JSON: " + reasonText(builder.parserText()), {},
                    adviceFor(text, builder.errorByte()));
}

} // namespace heteroscope::compute
