// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, fonts and lengths of a drawn figure. The print style is light whatever the window shows; lengths
// are in points (1/72 inch) at the final physical size. A value.
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

namespace heteroscope::ui {

/// The first of the figures' font families that is installed. GUI thread.
QString figureFontFamily();

struct FigureStyle {
    QColor background = Qt::white, text = Qt::black, muted, axis, grid, minorGrid;
    double dpi = 96;       ///< painter units per inch
    double fontPt = 8.5;   ///< axis titles and legend
    double smallPt = 8.0;  ///< tick labels, bar labels
    double titlePt = 10.5; ///< chart title, when shown
    double linePt = 1.1, markerPt = 4.6, hairPt = 0.5;
    bool showTitle = false;
    bool showCaption = false;
    bool grey = false;    ///< preview of a print without colour
    bool lighten = false; ///< dark background: dark series colours are made lighter

    double px(double points) const { return points * dpi / 72.0; }
    QFont font(double points, bool bold = false) const;
    QColor seriesColor(const QColor& color) const;

    static FigureStyle print(double dpi);
    static FigureStyle screen(bool dark, double dpi);
};

} // namespace heteroscope::ui
