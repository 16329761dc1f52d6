// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of times and durations, and the ticks of a time ruler. Any thread.
#pragma once

#include "ui/timeline/time_axis.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace heteroscope::ui {

/// Four significant digits with the unit that fits: "812 ns", "1.234 ms", "2 min 05.3 s".
QString formatDuration(double ns);
/// Every digit down to `stepNs`, in the unit that fits `ns`: "1.234 567 s".
QString formatTime(std::int64_t ns, double stepNs);
/// Value with an SI or binary prefix and the unit: "12.4 GB/s", "1.50 GiB".
QString formatValue(double value, const QString& unit);
/// Smallest 1-2-5 number not below `value`.
double niceCeiling(double value);
/// A round end for the axis of a counter in `unit`, at most a third above `value`.
double scaleCeiling(double value, const QString& unit);

struct TimeTick {
    std::int64_t ns = 0;
    bool major = false;
    QString label; ///< of major ticks
};

/// Ticks of the visible window. Times count from the recording's start. Deep in a long recording the labels
/// count from `base` ("+200 ns"), which the ruler prints once.
struct TickSet {
    std::vector<TimeTick> ticks;
    QString base; ///< empty: labels count from the recording's start
};
TickSet ticksFor(const TimeAxis& axis, double minPixels = 100.0);

} // namespace heteroscope::ui
