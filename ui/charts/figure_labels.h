// SPDX-License-Identifier: GPL-3.0-or-later
// Texts inside the plot (annotations, names of reference lines, marks of unclear points), placed where they
// cover no data and not each other. GUI thread.
#pragma once

#include "ui/charts/figure_layout.h"

class QPainter;

namespace heteroscope::ui {

struct PlacedLabel {
    QRectF rect;
    QString text;
    QPointF anchor;    ///< the place it speaks of
    bool line = false; ///< with a vertical line and a ring at the anchor
};

std::vector<PlacedLabel> placeLabels(const ChartData& chart, const FigureRequest& request,
                                     const FigureLayout& layout);
void drawLabels(QPainter& painter, const ChartData& chart, const FigureRequest& request,
                const FigureLayout& layout);

} // namespace heteroscope::ui
