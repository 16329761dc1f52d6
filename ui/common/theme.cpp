// SPDX-License-Identifier: GPL-3.0-or-later
// Colours of the window, dark and light, and the application's palette.
#include "ui/common/theme.h"

#include "ui/common/format.h"
#include "ui/common/theme_style.h"
#include "ui/common/window_style.h"

#include <QApplication>
#include <QPointer>
#include <QStyle>
#include <QStyleFactory>

#include <array>

namespace heteroscope::ui {

namespace {

ThemeColors darkColors() {
    ThemeColors c;
    c.window = 0x15181d;
    c.surface = 0x1c2027;
    c.raised = 0x262b34;
    c.border = 0x3a414d;
    c.text = 0xe7eaf0;
    c.mutedText = 0xa5adba;
    c.accent = 0x5ea2ff;
    c.accentText = 0x0a1424;
    c.good = 0x52c78f;
    c.warning = 0xe6b450;
    c.error = 0xff8078;
    c.info = 0x6cb0ff;
    c.grid = 0x2e343e;
    c.selection = 0x24406b;
    c.hover = 0x2b313b;
    return c;
}

ThemeColors lightColors() {
    ThemeColors c;
    c.window = 0xf3f4f7;
    c.surface = 0xffffff;
    c.raised = 0xebedf1;
    c.border = 0xcdd3dc;
    c.text = 0x1a1e26;
    c.mutedText = 0x545d6b;
    c.accent = 0x0b5cd5;
    c.accentText = 0xffffff;
    c.good = 0x17703d;
    c.warning = 0x865700;
    c.error = 0xb92525;
    c.info = 0x0b5cd5;
    c.grid = 0xe2e6ec;
    c.selection = 0xcfe1fd;
    c.hover = 0xe6e9ef;
    return c;
}

QPalette paletteFrom(const ThemeColors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.surface);
    p.setColor(QPalette::AlternateBase, c.window);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.mutedText);
    p.setColor(QPalette::Button, c.raised);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.error);
    p.setColor(QPalette::Highlight, c.selection);
    p.setColor(QPalette::HighlightedText, c.text);
    p.setColor(QPalette::ToolTipBase, c.raised);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Link, c.accent);
    p.setColor(QPalette::LinkVisited, c.accent);
    p.setColor(QPalette::Light, c.raised.lighter(115));
    p.setColor(QPalette::Midlight, c.raised);
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::Dark, c.border.darker(120));
    p.setColor(QPalette::Shadow, QColor(0, 0, 0, 120));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, c.mutedText);
    return p;
}

/// What the desktop wishes now: without a palette of our own the application shows the desktop's.
bool desktopIsDark() {
    if (qApp != nullptr)
        QApplication::setPalette(QPalette());
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
}

std::uint32_t textHash(const QString& text) {
    std::uint32_t hash = 2166136261u;
    for (const QChar c : text)
        hash = (hash ^ c.unicode()) * 16777619u;
    return hash ^ (hash >> 15);
}

/// Lighter or darker kin of a colour, so that options of one implementation can be told apart.
QColor variantOf(const QColor& base, int step) {
    static constexpr std::array<int, 5> kLightness = {0, 34, -34, 60, -56};
    const QColor hsl = base.toHsl();
    const int lightness =
        std::clamp(hsl.lightness() + kLightness[std::size_t(step) % kLightness.size()], 50, 205);
    return QColor::fromHsl(hsl.hslHue(), hsl.hslSaturation(), lightness);
}

struct ThemeState {
    ColorScheme scheme = ColorScheme::System;
    bool dark = false;
    ThemeColors colors = lightColors();
};

ThemeState& state() {
    static ThemeState instance;
    return instance;
}

/// Of the application that there is: it ends with it.
WindowStyle& windowStyle() {
    static QPointer<WindowStyle> instance;
    if (instance.isNull())
        instance = new WindowStyle(qApp);
    return *instance;
}

} // namespace

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

void Theme::apply(ColorScheme scheme) {
    state().scheme = scheme;
    state().dark = scheme == ColorScheme::Dark || (scheme == ColorScheme::System && desktopIsDark());
    state().colors = colorsFor(state().dark);
    if (qApp != nullptr) {
        if (QApplication::style()->name() != QLatin1String("fusion"))
            QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
        if (const QPalette palette = paletteFrom(state().colors); QApplication::palette() != palette)
            QApplication::setPalette(palette);
        windowStyle().setSheet(themeStyleSheet(state().colors));
    }
    emit changed();
}

ColorScheme Theme::scheme() const {
    return state().scheme;
}

bool Theme::isDark() const {
    return state().dark;
}

const ThemeColors& Theme::colors() const {
    return state().colors;
}

ThemeColors Theme::colorsFor(bool dark) {
    return dark ? darkColors() : lightColors();
}

QColor Theme::seriesColor(int index) {
    static constexpr std::array<QRgb, 8> kOkabeIto = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
                                                      0x56b4e9, 0xd55e00, 0xf0e442, 0x999999};
    const int count = int(kOkabeIto.size());
    return QColor(kOkabeIto[std::size_t(((index % count) + count) % count)]);
}

QColor Theme::targetColor(const QString& target) {
    struct Fixed {
        QLatin1String implementation;
        QRgb color;
    };
    static const std::array<Fixed, 6> kFixed = {{{QLatin1String("sequential"), 0x999999},
                                                 {QLatin1String("openmp"), 0x0072b2},
                                                 {QLatin1String("onednn"), 0x009e73},
                                                 {QLatin1String("cuda"), 0xe69f00},
                                                 {QLatin1String("cublas"), 0xd55e00},
                                                 {QLatin1String("cudnn"), 0xcc79a7}}};
    const QString implementation = target.section('/', 1).section('?', 0, 0);
    const QString options = target.section('?', 1);
    QColor base = seriesColor(int(textHash(implementation) % 8u));
    for (const Fixed& fixed : kFixed) {
        if (implementation == fixed.implementation)
            base = QColor(fixed.color);
    }
    return options.isEmpty() ? base : variantOf(base, 1 + int(textHash(options) % 4u));
}

QColor Theme::spanColor(const QString& category, const QString& name, bool dark) {
    const QColor base = seriesColor(int(textHash(shownText(category)) % 7u)).toHsl();
    const auto hash = textHash(shownText(name));
    const int shift = int(hash % 41u) - 20;
    const int lightness = std::clamp((dark ? 110 : 165) + shift, 70, 200);
    const int hue = (base.hslHue() + int(hash % 25u) + 360 - 12) % 360;
    return QColor::fromHsl(hue, std::min(base.hslSaturation(), dark ? 120 : 150), lightness);
}

} // namespace heteroscope::ui

#include "moc_theme.cpp"
