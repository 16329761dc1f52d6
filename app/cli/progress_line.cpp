// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress_line.h"

#include "app/cli/output.h"
#include "compute/base/clock.h"
#include "compute/base/units.h"

#include <cmath>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

constexpr std::int64_t kRewriteNs = 100'000'000;
constexpr std::int64_t kPlainNs = 5'000'000'000;

std::string lineText(double fraction, double remainingS, const std::string& what) {
    std::string text = std::to_string(static_cast<int>(std::floor(fraction * 100.0))) + " %  " + what;
    if (remainingS >= 0)
        text += "  (" + formatDurationNs(remainingS * 1e9) + " left)";
    return text;
}

} // namespace

ProgressLine::Style ProgressLine::styleOfStderr() {
    return ::isatty(STDERR_FILENO) == 1 ? Style::Rewritten : Style::Plain;
}

void ProgressLine::show(double fraction, double remainingS, const std::string& what) {
    if (m_style == Style::Silent || what.empty())
        return;
    const std::int64_t now = steadyNowNs();
    const std::int64_t pause = m_style == Style::Rewritten ? kRewriteNs : kPlainNs;
    if (m_lastNs != 0 && now - m_lastNs < pause)
        return;
    m_lastNs = now;
    const std::string text = lineText(fraction, remainingS, what);
    if (m_style == Style::Rewritten)
        clearStderrLine();
    writeStderr(m_style == Style::Rewritten ? text : text + "\n");
    m_shown = true;
}

void ProgressLine::note(const std::string& text) {
    clear();
    if (m_style != Style::Silent)
        writeStderr(text + "\n");
}

void ProgressLine::clear() {
    if (m_shown && m_style == Style::Rewritten)
        clearStderrLine();
    m_shown = false;
}

} // namespace heteroscope::cli
