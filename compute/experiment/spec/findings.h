// SPDX-License-Identifier: Apache-2.0
// Collects what is wrong with an experiment and words it. One thread.
#pragma once

#include "compute/experiment/spec/spec_json.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::compute {

class Findings {
  public:
    /// More than this many would help nobody; the rest is left out.
    static constexpr std::size_t kMost = 50;

    void error(std::string pointer, std::string message, std::string allowed = {}, std::string advice = {});
    void warning(std::string pointer, std::string message, std::string allowed = {}, std::string advice = {});

    bool hasErrors() const { return m_errors > 0; }
    bool full() const { return m_all.size() >= kMost; }
    const std::vector<Diagnostic>& all() const { return m_all; }
    std::vector<Diagnostic> take() { return std::move(m_all); }

  private:
    void add(Diagnostic diagnostic);

    std::vector<Diagnostic> m_all;
    std::set<std::pair<std::string, std::string>> m_seen; ///< pointer and message: each is said once
    std::size_t m_errors = 0;
};

/// A value as it is written in JSON, cut when it is long.
std::string shortText(const Json& value);

/// What was found, for a sentence: `found -1`, `found the text "two"`, `found a list`.
std::string foundText(const Json& value);

/// `did you mean "kernel"?` when a known word is close to the given one, else empty.
std::string suggestion(const std::string& word, const std::vector<std::string>& known);

/// `"a", "b", "c"`.
std::string quotedList(const std::vector<std::string>& words);

/// An error for each key of an object that is none of the known ones.
void checkKeys(const Json& object, const std::string& pointer, const std::vector<std::string>& known,
               Findings& findings, const std::string& message = "unknown key");

} // namespace heteroscope::compute
