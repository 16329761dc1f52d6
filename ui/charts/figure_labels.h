// SPDX-License-Identifier: GPL-3.0-or-later
// Texts inside the plot (annotations, names of reference lines and of points), placed where they cover no
// data and not each other. GUI thread.
#pragma once

#include "ui/charts/figure_layout.h"

class QPainter;

namespace heteroscope::ui {

enum class LabelKind {
    Annotation, ///< with a vertical line and a ring at the anchor
    Reference,  ///< names a reference line
    Point       ///< names a point, with a thin line to it when it stands away from it
};

struct PlacedLabel {
    QRectF rect;
    QString text;
    QPointF anchor; ///< the place it speaks of
    LabelKind kind = LabelKind::Annotation;
};

std::vector<PlacedLabel> placeLabels(const ChartData& chart, const FigureRequest& request,
                                     const FigureLayout& layout);
void drawLabels(QPainter& painter, const ChartData& chart, const FigureRequest& request,
                const FigureLayout& layout);

} // namespace heteroscope::ui
