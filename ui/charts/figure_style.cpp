// SPDX-License-Identifier: GPL-3.0-or-later
// The print style and the two screen styles.
#include "ui/charts/figure_style.h"

#include "ui/common/theme.h"

#include <QFontDatabase>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

QColor mixed(const QColor& a, const QColor& b, double share) {
    const auto mix = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

} // namespace

QString figureFontFamily() {
    static const QString family = [] {
        const QStringList installed = QFontDatabase::families();
        for (const char* name : {"Inter", "Liberation Sans", "DejaVu Sans"})
            if (installed.contains(QLatin1String(name)))
                return QString::fromLatin1(name);
        return QFont().defaultFamily();
    }();
    return family;
}

QFont FigureStyle::font(double points, bool bold) const {
    QFont font;
    font.setFamily(figureFontFamily());
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(px(points)))));
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QColor FigureStyle::seriesColor(const QColor& color) const {
    QColor shown = color;
    if (lighten && shown.lightnessF() < 0.45)
        shown = mixed(shown, Qt::white, 0.35);
    if (grey) {
        const int level = qGray(shown.rgb());
        shown = QColor(level, level, level);
    }
    return shown;
}

FigureStyle FigureStyle::print(double dpi) {
    FigureStyle style;
    style.dpi = dpi;
    style.background = Qt::white;
    style.text = QColor(0x11, 0x11, 0x11);
    style.muted = QColor(0x55, 0x55, 0x55);
    style.axis = QColor(0x33, 0x33, 0x33);
    style.grid = QColor(0xd9, 0xd9, 0xd9);
    style.minorGrid = QColor(0xef, 0xef, 0xef);
    return style;
}

FigureStyle FigureStyle::screen(bool dark, double dpi) {
    const ThemeColors colors = Theme::colorsFor(dark);
    FigureStyle style;
    style.dpi = dpi;
    style.background = colors.surface;
    style.text = colors.text;
    style.muted = colors.mutedText;
    style.axis = colors.mutedText;
    style.grid = mixed(colors.surface, colors.text, 0.14);
    style.minorGrid = mixed(colors.surface, colors.text, 0.06);
    style.fontPt = 9.5;
    style.smallPt = 9.0;
    style.titlePt = 11.5;
    style.linePt = 1.4;
    style.markerPt = 5.4;
    style.showTitle = true;
    style.lighten = dark;
    return style;
}

} // namespace heteroscope::ui
