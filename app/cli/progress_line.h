// SPDX-License-Identifier: Apache-2.0
// How far a study is, on stderr: one rewritten line on a terminal, a line now and then otherwise. One thread.
#pragma once

#include <cstdint>
#include <string>

namespace heteroscope::cli {

class ProgressLine {
  public:
    enum class Style { Silent, Plain, Rewritten };
    /// Rewritten when stderr is a terminal, else Plain.
    static Style styleOfStderr();

    explicit ProgressLine(Style style) : m_style(style) {}
    ~ProgressLine() { clear(); }

    /// fraction in [0, 1]; remaining seconds, negative when unknown. Nothing is shown before there is a
    /// `what`.
    void show(double fraction, double remainingS, const std::string& what);
    /// Prints a line that stays.
    void note(const std::string& text);
    void clear();

  private:
    Style m_style;
    bool m_shown = false;
    std::int64_t m_lastNs = 0;
};

} // namespace heteroscope::cli
