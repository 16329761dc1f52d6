// SPDX-License-Identifier: GPL-3.0-or-later
// Colours and spacing of the window, dark and light. GUI thread.
#pragma once

#include <QColor>
#include <QObject>
#include <QPalette>
#include <QString>

namespace heteroscope::ui {

enum class ColorScheme { System, Light, Dark };

/// Named colours beside the palette's. All meet 4.5:1 against `surface` where text uses them.
struct ThemeColors {
    QColor window, surface, raised, border, text, mutedText, accent, accentText;
    QColor good, warning, error, info;
    QColor grid, selection, hover;
};

class Theme : public QObject {
    Q_OBJECT
  public:
    static Theme& instance();
    /// Sets the palette of the application and the style sheet of its windows. System follows the desktop's palette.
    void apply(ColorScheme scheme);
    ColorScheme scheme() const;
    bool isDark() const;
    const ThemeColors& colors() const;
    static ThemeColors colorsFor(bool dark); ///< exports use the light one, whatever the window shows

    /// The Okabe-Ito palette, safe for colour-blind readers; wraps around.
    static QColor seriesColor(int index);
    /// The same target has the same colour everywhere: sequential, openmp, onednn, cuda, cublas, cudnn are
    /// fixed.
    static QColor targetColor(const QString& target);
    /// Stable colour of a span by category and name.
    static QColor spanColor(const QString& category, const QString& name, bool dark);

    static constexpr int kSpacing = 8; ///< device-independent pixels; multiples of it everywhere

  signals:
    void changed();
};

} // namespace heteroscope::ui
