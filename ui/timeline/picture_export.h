// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline as PNG, SVG or PDF for reports: light colours, title, time axis, row names, legend. GUI thread.
#pragma once

#include "ui/timeline/timeline_state.h"

#include <QString>

namespace heteroscope::ui {

/// Writes the rows that `state` has not hidden, in its window of time; the format follows the suffix of
/// `path`. The file appears only when it is complete. False with a sentence in `error`.
bool exportTimeline(const TimelineState& state, const QString& title, const QString& path, QString* error);

} // namespace heteroscope::ui
