// SPDX-License-Identifier: Apache-2.0
// Wording and collecting of findings.
#include "compute/experiment/spec/findings.h"

#include "compute/base/printable.h"
#include "compute/experiment/spec/pointer.h"

#include <algorithm>
#include <numeric>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kLongestQuote = 60;
constexpr std::size_t kLongestWord = 200;

std::size_t editDistance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

void Findings::error(std::string pointer, std::string message, std::string allowed, std::string advice) {
    add({Diagnostic::Severity::Error, std::move(pointer), std::move(message), std::move(allowed),
         std::move(advice)});
}

void Findings::warning(std::string pointer, std::string message, std::string allowed, std::string advice) {
    add({Diagnostic::Severity::Warning, std::move(pointer), std::move(message), std::move(allowed),
         std::move(advice)});
}

void Findings::add(Diagnostic diagnostic) {
    const bool isError = diagnostic.severity == Diagnostic::Severity::Error;
    m_errors += isError;
    if (full() || !m_seen.emplace(diagnostic.pointer, diagnostic.message).second)
        return;
    m_all.push_back(std::move(diagnostic));
}

std::string shortText(const Json& value) {
    return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace), kLongestQuote);
}

std::string foundText(const Json& value) {
    if (value.is_string())
        return "found the text \"" + shortened(value.get_ref<const std::string&>(), kLongestQuote) + "\"";
    if (value.is_array())
        return value.empty() ? "found an empty list" : "found a list";
    if (value.is_object())
        return "found an object";
    return "found " + shortText(value);
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    if (word.size() > kLongestWord)
        return {};
    std::string best;
    std::size_t bestDistance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& candidate : known) {
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance && distance < candidate.size()) {
            best = candidate;
            bestDistance = distance;
        }
    }
    return best.empty() ? std::string() : "did you mean \"" + best + "\"?";
}

std::string quotedList(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "\"" : ", \"") + word + '"';
    return text;
}

void checkKeys(const Json& object, const std::string& pointer, const std::vector<std::string>& known,
               Findings& findings, const std::string& message) {
    for (const auto& [key, value] : object.items())
        if (pointer == "/network" && key == "onnx")
            findings.error("/network/onnx", "the layers are in an ONNX file", quotedList(known),
                           "import the file, or let the command line run the experiment");
        else if (std::find(known.begin(), known.end(), key) == known.end())
            findings.error(childPointer(pointer, key), message, quotedList(known), suggestion(key, known));
}

} // namespace heteroscope::compute
