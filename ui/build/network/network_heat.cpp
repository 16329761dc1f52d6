// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/network/network_heat.h"

#include "compute/base/units.h"
#include "ui/common/format.h"
#include "ui/common/theme.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {
namespace {

constexpr double kStrip = 6, kHeatRadius = 7, kScaleWidth = 180, kScaleHeight = 10;

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return QColor(mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()));
}

QString valueText(double value, HeatUnit unit) {
    return unit == HeatUnit::Bytes ? fromStd(formatBytes(value)) : formatMs(value);
}

QFont smallFont() {
    QFont font = QApplication::font();
    font.setPointSizeF(std::max(7.5, font.pointSizeF() - 1));
    return font;
}

} // namespace

std::optional<double> NetworkHeat::valueOf(const std::string& layer) const {
    const auto found = values.find(layer);
    return found == values.end() ? std::nullopt : std::optional(found->second);
}

double NetworkHeat::most() const {
    double most = 0;
    for (const auto& [layer, value] : values)
        most = std::max(most, value);
    return most;
}

double NetworkHeat::sum() const {
    double sum = others;
    for (const auto& [layer, value] : values)
        sum += value;
    return sum;
}

QString NetworkHeat::text(double value) const {
    const double all = sum();
    const QString share = QString::number(all > 0 ? 100 * value / all : 0, 'f', 0);
    return QStringLiteral("%1, %2 %").arg(valueText(value, unit), share);
}

QColor heatColor(double share) {
    const QColor hot = Theme::instance().isDark() ? QColor(0xff, 0x6b, 0x35) : QColor(0xd8, 0x3a, 0x0e);
    return mixed(Theme::instance().colors().surface, hot, 0.08 + 0.92 * std::clamp(share, 0.0, 1.0));
}

QColor heatFill(double share) {
    return mixed(Theme::instance().colors().surface, heatColor(1), 0.3 * std::clamp(share, 0.0, 1.0));
}

void paintHeatOfNode(QPainter& painter, const QRectF& node, const NetworkHeat& heat, double value) {
    const ThemeColors& colors = Theme::instance().colors();
    const double most = heat.most();
    const QColor color = heatColor(most > 0 ? value / most : 0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(node.left() + 1, node.top() + 1, kStrip, node.height() - 2), 3, 3);
    const QString text = heat.text(value);
    painter.setFont(smallFont());
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 14;
    const QRectF tag(node.right() - width - 8, node.bottom() - 8, width, 18);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(colors.window);
    painter.drawRoundedRect(tag, kHeatRadius, kHeatRadius);
    painter.setPen(colors.text);
    painter.drawText(tag, Qt::AlignCenter, text);
}

void paintHeatLegend(QPainter& painter, const QRectF& picture, const NetworkHeat& heat) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setFont(smallFont());
    const QFontMetricsF metrics(painter.font());
    const double width = std::max(kScaleWidth, metrics.horizontalAdvance(heat.title)) + 24;
    const double line = metrics.height();
    const QRectF box(picture.left() + kHeatMargin,
                     picture.bottom() - kHeatMargin - (2 * line + kScaleHeight + 22), width,
                     2 * line + kScaleHeight + 22);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.raised);
    painter.drawRoundedRect(box, kHeatRadius, kHeatRadius);
    painter.setPen(colors.text);
    const QRectF inner = box.adjusted(12, 7, -12, -7);
    painter.drawText(QRectF(inner.topLeft(), QSizeF(inner.width(), line)), Qt::AlignLeft, heat.title);
    const QRectF scale(inner.left(), inner.top() + line + 4, kScaleWidth, kScaleHeight);
    QLinearGradient gradient(scale.topLeft(), scale.topRight());
    gradient.setColorAt(0, heatColor(0));
    gradient.setColorAt(1, heatColor(1));
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(gradient);
    painter.drawRect(scale);
    painter.setPen(colors.text);
    const QRectF ends(scale.left(), scale.bottom() + 3, scale.width(), line);
    painter.drawText(ends, Qt::AlignLeft, QStringLiteral("0"));
    painter.drawText(ends, Qt::AlignRight, valueText(heat.most(), heat.unit));
}

} // namespace heteroscope::ui
