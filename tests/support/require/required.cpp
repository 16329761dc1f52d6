// SPDX-License-Identifier: Apache-2.0
#include "tests/support/require/required.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace heteroscope::tests {
namespace {

constexpr const char* kVariable = "HETEROSCOPE_REQUIRE";

std::vector<std::string_view> splitWords(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        if (comma > 0)
            words.push_back(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return words;
}

[[noreturn]] void refuseWord(std::string_view word, const char* where) {
    std::string known;
    for (const std::string_view one : requirementWords())
        known += (known.empty() ? "" : ", ") + std::string(one);
    std::fprintf(stderr, "%s: unknown word '%.*s'; known words are %s\n", where,
                 static_cast<int>(word.size()), word.data(), known.c_str());
    std::_Exit(2);
}

std::vector<std::string_view> knownWords(std::string_view text, const char* where) {
    std::vector<std::string_view> words = splitWords(text);
    const auto& known = requirementWords();
    for (const std::string_view word : words)
        if (std::find(known.begin(), known.end(), word) == known.end())
            refuseWord(word, where);
    return words;
}

} // namespace

const std::vector<std::string_view>& requirementWords() {
    static const std::vector<std::string_view> words{
        "clang-tidy",    "cublas",       "cuda",     "cudnn",      "cupti",   "cupti-recording",
        "fashion-mnist", "file-attributes", "fish",         "gpu",      "gpu-memory", "latex",   "mounts",
        "onednn",        "onnx",         "pdfinfo",  "ptrace",     "pytorch", "quiet-machine",
        "release-build", "root", "translations", "two-gpus", "zsh"};
    return words;
}

bool isRequired(std::string_view words) {
    const char* text = std::getenv(kVariable);
    const auto required = knownWords(text == nullptr ? "" : text, kVariable);
    const auto asked = knownWords(words, "a test");
    return std::any_of(asked.begin(), asked.end(), [&](std::string_view word) {
        return std::find(required.begin(), required.end(), word) != required.end();
    });
}

std::string requiredText(std::string_view words, const std::string& reason) {
    return std::string(kVariable) + " wants " + std::string(words) +
           ", and this test cannot run without it: " + reason + ". Provide it, or take the word out of " +
           kVariable;
}

} // namespace heteroscope::tests
