// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/size_histogram.h"

#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr double kLeft = 74, kRight = 8, kBarShare = 0.8;
constexpr int kTicks = 4;

/// 1, 2 or 5 times a power of ten, at least `value`.
double niceTop(double value) {
    const double power = std::pow(10.0, std::floor(std::log10(std::max(1.0, value))));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= value)
            return step * power;
    return 10 * power;
}

} // namespace

SizeHistogram::SizeHistogram(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("sizeHistogram"));
    setAccessibleName(tr("Copies by size: arrow keys choose a size"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setMinimumHeight(220);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize SizeHistogram::sizeHint() const {
    return {420, 240};
}

void SizeHistogram::setTransfers(const profiling::TransferBreakdown& transfers) {
    std::int64_t low = 0, high = 0;
    for (const profiling::TransferGroup& group : transfers.groups)
        for (const profiling::SizeBin& bin : group.sizes) {
            low = low == 0 ? bin.lowBytes : std::min(low, bin.lowBytes);
            high = std::max(high, bin.lowBytes);
        }
    m_bars.clear();
    for (std::int64_t bytes = low; bytes > 0 && bytes <= high; bytes *= 2) // sizes that no copy had, too
        m_bars.push_back({bytes, {}});
    for (const profiling::TransferGroup& group : transfers.groups)
        for (const profiling::SizeBin& bin : group.sizes) {
            const auto bar = std::find_if(m_bars.begin(), m_bars.end(), [&](const Bar& candidate) {
                return candidate.lowBytes == bin.lowBytes;
            });
            Sum& sum = bar->routes[static_cast<std::size_t>(group.route)];
            sum.copies += bin.count;
            sum.bytes += bin.bytes;
        }
    m_current = std::min(m_current, barCount() - 1);
    setMeasure(m_measure);
}

void SizeHistogram::setMeasure(Measure measure) {
    m_measure = measure;
    double most = 0;
    for (const Bar& bar : m_bars)
        most = std::max(most, totalOf(bar));
    m_top = niceTop(most);
    update();
}

double SizeHistogram::valueOf(const Sum& sum) const {
    return static_cast<double>(m_measure == Measure::Copies ? sum.copies : sum.bytes);
}

double SizeHistogram::totalOf(const Bar& bar) const {
    double total = 0;
    for (const Sum& sum : bar.routes)
        total += valueOf(sum);
    return total;
}

QString SizeHistogram::describe(int bar) const {
    if (bar < 0 || bar >= barCount())
        return {};
    const Bar& shown = m_bars[static_cast<std::size_t>(bar)];
    const double low = static_cast<double>(shown.lowBytes);
    QStringList parts;
    for (std::size_t route = 0; route < shown.routes.size(); ++route)
        if (const Sum& sum = shown.routes[route]; sum.copies > 0)
            parts << tr("%1: %2 copies, %3")
                         .arg(routeText(static_cast<profiling::CopyRoute>(route)), countText(sum.copies),
                              byteText(static_cast<double>(sum.bytes)));
    return tr("%1 to below %2: %3")
        .arg(byteText(low), byteText(2 * low), parts.isEmpty() ? tr("no copy") : parts.join("; "));
}

QRectF SizeHistogram::plot() const {
    const double line = QFontMetricsF(font()).height();
    return QRectF(rect()).adjusted(kLeft, 1.8 * line, -kRight, -2.9 * line);
}

QRectF SizeHistogram::barRect(int bar) const {
    const QRectF area = plot();
    const double slot = area.width() / std::max(1, barCount());
    const double height = area.height() * totalOf(m_bars[static_cast<std::size_t>(bar)]) / m_top;
    if (height <= 0)
        return {};
    const double width = std::min(slot * kBarShare, 60.0), shown = std::max(1.0, height);
    return {area.left() + (bar + 0.5) * slot - width / 2, area.bottom() - shown, width, shown};
}

void SizeHistogram::choose(int bar) {
    bar = std::clamp(bar, -1, barCount() - 1);
    if (bar == m_current)
        return;
    m_current = bar;
    setAccessibleDescription(describe(bar));
    update();
}

void SizeHistogram::mouseMoveEvent(QMouseEvent* event) {
    const QRectF area = plot();
    const double slot = area.width() / std::max(1, barCount());
    const double at = (event->position().x() - area.left()) / slot;
    if (barCount() > 0 && at >= 0 && at < barCount())
        choose(static_cast<int>(at));
}

void SizeHistogram::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
        return choose(std::max(0, m_current - 1));
    case Qt::Key_Right:
        return choose(m_current + 1);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(barCount() - 1);
    default:
        QWidget::keyPressEvent(event);
    }
}

void SizeHistogram::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void SizeHistogram::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void SizeHistogram::paintScale(QPainter& painter, const QRectF& area) const {
    const ThemeColors& colors = Theme::instance().colors();
    const double line = QFontMetricsF(font()).height();
    for (int tick = 0; tick <= kTicks; ++tick) {
        const double y = area.bottom() - area.height() * tick / kTicks, value = m_top * tick / kTicks;
        painter.setPen(colors.grid);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        if (m_measure == Measure::Copies && value != std::floor(value))
            continue; // a third of a copy is none
        painter.setPen(colors.mutedText);
        painter.drawText(QRectF(0, y - line / 2, kLeft - 8, line), Qt::AlignRight | Qt::AlignVCenter,
                         m_measure == Measure::Copies ? countText(static_cast<std::int64_t>(value))
                                                      : byteText(value));
    }
}

void SizeHistogram::paintBars(QPainter& painter, const QRectF& area) const {
    for (int index = 0; index < barCount(); ++index) {
        const QRectF whole = barRect(index);
        double bottom = area.bottom();
        for (std::size_t route = 0; route < profiling::kCopyRoutes; ++route) {
            const double value = valueOf(m_bars[static_cast<std::size_t>(index)].routes[route]);
            const double height = whole.height() * value / std::max(1.0, totalOf(m_bars[std::size_t(index)]));
            painter.fillRect(QRectF(whole.left(), bottom - height, whole.width(), height),
                             Theme::seriesColor(static_cast<int>(route)));
            bottom -= height;
        }
        if (index == m_current) {
            const double slot = area.width() / barCount();
            painter.setPen(QPen(Theme::instance().colors().accent, hasFocus() ? 2 : 1));
            painter.drawRect(QRectF(area.left() + index * slot, area.top(), slot, area.height()));
        }
    }
}

/// As many sizes as there is room for.
void SizeHistogram::paintSizes(QPainter& painter, const QRectF& area) const {
    const QFontMetricsF metrics(font());
    const double slot = area.width() / std::max(1, barCount());
    const int every = std::max(
        1, static_cast<int>(std::ceil(metrics.horizontalAdvance(QStringLiteral("512.0 KiB ")) / slot)));
    painter.setPen(Theme::instance().colors().mutedText);
    for (int index = 0; index < barCount(); index += every) {
        const double center = area.left() + (index + 0.5) * slot, half = slot * every / 2;
        painter.drawText(QRectF(center - half, area.bottom() + 4, 2 * half, metrics.height()),
                         Qt::AlignCenter,
                         byteText(static_cast<double>(m_bars[static_cast<std::size_t>(index)].lowBytes)));
    }
    painter.setPen(Theme::instance().colors().text);
    painter.drawText(QRectF(8, area.bottom() + 6 + metrics.height(), width() - 16, 1.5 * metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     m_current >= 0 ? metrics.elidedText(describe(m_current), Qt::ElideRight, width() - 16)
                                    : tr("Size of a copy, from the one below each bar to twice that"));
}

void SizeHistogram::paintLegend(QPainter& painter) const {
    const QFontMetricsF metrics(font());
    double x = kLeft;
    for (std::size_t route = 0; route < profiling::kCopyRoutes; ++route) {
        const bool any = std::any_of(m_bars.begin(), m_bars.end(),
                                     [route](const Bar& bar) { return bar.routes[route].copies > 0; });
        if (!any)
            continue;
        const QString name = routeText(static_cast<profiling::CopyRoute>(route));
        painter.fillRect(QRectF(x, metrics.height() * 0.25, 10, 10),
                         Theme::seriesColor(static_cast<int>(route)));
        painter.setPen(Theme::instance().colors().text);
        painter.drawText(QRectF(x + 15, 0, metrics.horizontalAdvance(name) + 2, metrics.height() * 1.2),
                         Qt::AlignLeft | Qt::AlignVCenter, name);
        x += 15 + metrics.horizontalAdvance(name) + 18;
    }
}

void SizeHistogram::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = plot();
    if (m_bars.empty()) {
        painter.setPen(Theme::instance().colors().mutedText);
        painter.drawText(rect(), Qt::AlignCenter, tr("No copies here"));
        return;
    }
    paintScale(painter, area);
    paintBars(painter, area);
    paintSizes(painter, area);
    paintLegend(painter);
}

} // namespace heteroscope::ui

#include "moc_size_histogram.cpp"
