// SPDX-License-Identifier: GPL-3.0-or-later
// Cells of the table of runs.
#include "ui/run/sample_strip.h"

#include "ui/common/format.h"
#include "ui/common/theme.h"
#include "ui/run/runs_model.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr double kDot = 2.0;
constexpr double kMaxStep = 9.0;

/// Maps a value to a height; one value alone lies in the middle.
struct Scale {
    double low, high;
    QRectF area;
    double y(double value) const {
        const double share = high > low ? (value - low) / (high - low) : 0.5;
        return area.bottom() - share * area.height();
    }
};

Scale scaleFor(const QVector<double>& times, const QVector<double>& warmups, const QRectF& area) {
    const QVector<double>& base = times.isEmpty() ? warmups : times;
    const auto [low, high] = std::minmax_element(base.begin(), base.end());
    return {*low, *high, area};
}

void drawDots(QPainter& painter, const QVector<double>& values, double x, double step, const Scale& scale) {
    for (const double value : values) {
        painter.drawEllipse(QPointF(x, std::clamp(scale.y(value), scale.area.top(), scale.area.bottom())),
                            kDot, kDot);
        x += step;
    }
}

} // namespace

void SampleStripDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                                const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    const auto times = index.data(RunsModel::TimesRole).value<QVector<double>>();
    const auto warmups = index.data(RunsModel::WarmupsRole).value<QVector<double>>();
    const auto count = times.size() + warmups.size();
    if (count == 0)
        return;
    const auto color = index.data(RunsModel::ColorRole).value<QColor>();
    const QRectF area = QRectF(option.rect).adjusted(8, 7, -40, -7);
    const double step = std::min(kMaxStep, area.width() / double(std::max<qsizetype>(count, 1)));
    const Scale scale = scaleFor(times, warmups, area);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(Theme::instance().colors().mutedText, 1));
    painter->setBrush(Qt::NoBrush);
    drawDots(*painter, warmups, area.left() + kDot, step, scale);
    painter->setPen(Qt::NoPen);
    painter->setBrush(color);
    drawDots(*painter, times, area.left() + kDot + step * double(warmups.size()), step, scale);
    painter->setPen(Theme::instance().colors().mutedText);
    painter->drawText(QRectF(option.rect).adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                      countText(times.size()));
    painter->restore();
}

QSize SampleStripDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {220, 30};
}

void TargetDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    constexpr int kSide = 10;
    const double scale = option->widget != nullptr ? option->widget->devicePixelRatioF() : 1.0;
    QPixmap swatch(QSize(kSide, kSide) * scale);
    swatch.setDevicePixelRatio(scale);
    swatch.fill(index.data(RunsModel::ColorRole).value<QColor>());
    option->icon = QIcon(swatch);
    option->decorationSize = QSize(kSide, kSide);
    option->features |= QStyleOptionViewItem::HasDecoration;
}

} // namespace heteroscope::ui

#include "moc_sample_strip.cpp"
