// SPDX-License-Identifier: Apache-2.0
// What a test machine must have. The environment variable HETEROSCOPE_REQUIRE lists words, comma separated; a
// test that misses one of them fails there, and is skipped with its reason everywhere else. Thread-safe; an
// unknown word ends the process before the first test (refuse_unknown.cpp), with the known ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::tests {

/// The words that HETEROSCOPE_REQUIRE may hold.
const std::vector<std::string_view>& requirementWords();

/// Whether any of the comma-separated words is required. Ends the process with code 2 when
/// HETEROSCOPE_REQUIRE or `words` holds a word that nobody knows.
bool isRequired(std::string_view words);

/// What a failing test says when `words` are required and missing for `reason`.
std::string requiredText(std::string_view words, const std::string& reason);

} // namespace heteroscope::tests
