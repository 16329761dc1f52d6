// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_data.h"

namespace heteroscope::ui::test {

/// The series with that id; none: null. It belongs to the chart.
inline const ChartSeries* seriesNamed(const ChartData& chart, const QString& id) {
    for (const ChartSeries& series : chart.series)
        if (series.id == id)
            return &series;
    return nullptr;
}

} // namespace heteroscope::ui::test
