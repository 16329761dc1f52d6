// SPDX-License-Identifier: GPL-3.0-or-later
// Zoom, pan, hover, legend and keyboard of a chart on screen.
#include "ui/charts/figure_view.h"

#include "ui/charts/chart_input.h"
#include "ui/charts/figure_marks.h"
#include "ui/charts/figure_renderer.h"
#include "ui/common/format.h"
#include "ui/common/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

struct Hit {
    int series = -1, point = -1;
    bool valid() const { return series >= 0; }
    bool operator==(const Hit&) const = default;
};

Interval movedEnds(const AxisMap& map, double fromUnits, double toUnits) {
    const double a = map.toValue(fromUnits), b = map.toValue(toUnits);
    return {std::min(a, b), std::max(a, b)};
}

} // namespace

struct FigureView::Impl {
    ChartData chart;
    FigureRequest request;
    FigureLayout layout;
    QPointF pressed, last;
    bool dragging = false, pressOnPlot = false;
    bool grey = false;
    Hit hit;

    void relayout(const QWidget& widget) {
        request.style = FigureStyle::screen(Theme::instance().isDark(), widget.logicalDpiY());
        request.style.grey = grey;
        request.size = widget.size();
        layout = layoutFigure(chart, request);
    }

    bool canZoomX() const { return chart.x.scale != AxisScale::Category; }

    void zoom(QPointF at, double factor) {
        const QRectF& plot = layout.plot;
        if (canZoomX())
            request.xView = movedEnds(layout.x, at.x() - (at.x() - plot.left()) * factor,
                                      at.x() + (plot.right() - at.x()) * factor);
        request.yView = movedEnds(layout.y, at.y() - (at.y() - plot.top()) * factor,
                                  at.y() + (plot.bottom() - at.y()) * factor);
    }

    void pan(QPointF delta) {
        const QRectF plot = layout.plot.translated(-delta);
        if (canZoomX())
            request.xView = movedEnds(layout.x, plot.left(), plot.right());
        request.yView = movedEnds(layout.y, plot.bottom(), plot.top());
    }

    const ChartPoint& pointAt(const Hit& at) const {
        return chart.series[static_cast<std::size_t>(at.series)].points[static_cast<std::size_t>(at.point)];
    }

    QPointF position(const Hit& at) const {
        const ChartPoint& point = pointAt(at);
        return layout.point(point.x, point.y);
    }

    void dropStaleHit() {
        if (!hit.valid())
            return;
        const auto series = static_cast<std::size_t>(hit.series), point = static_cast<std::size_t>(hit.point);
        if (series >= chart.series.size() || point >= chart.series[series].points.size())
            hit = {};
    }

    std::vector<Hit> visiblePoints() const {
        std::vector<Hit> hits;
        for (std::size_t s = 0; s < chart.series.size(); ++s) {
            if (!seriesVisible(chart.series[s], request) || chart.series[s].derived)
                continue;
            for (std::size_t p = 0; p < chart.series[s].points.size(); ++p)
                hits.push_back({static_cast<int>(s), static_cast<int>(p)});
        }
        return hits;
    }

    Hit nearest(QPointF at) const {
        Hit best;
        double least = 14;
        for (const Hit& each : visiblePoints()) {
            const ChartSeries& series = chart.series[static_cast<std::size_t>(each.series)];
            const bool inBar =
                series.kind == SeriesKind::Bars && barRect(series, pointAt(each), layout).contains(at);
            const double distance = inBar ? 0 : QLineF(at, position(each)).length();
            if (distance < least) {
                least = distance;
                best = each;
            }
        }
        return best;
    }

    int legendAt(QPointF at) const {
        for (const LegendEntry& entry : layout.legend)
            if (entry.rect.contains(at))
                return entry.series;
        return -1;
    }

    QString describe(const Hit& at) const {
        const ChartSeries& series = chart.series[static_cast<std::size_t>(at.series)];
        const ChartPoint& point = pointAt(at);
        const bool category = chart.x.scale == AxisScale::Category;
        const int index = categoryOf(point);
        QString where = numberText(point.x, 8);
        if (category)
            where = index < chart.x.categories.size() ? chart.x.categories[index] : QString();
        const QString value = point.detail.isEmpty() ? significant(point.y, 4) : point.detail;
        return category && !series.barGroup ? FigureView::tr("%1: %2").arg(where, value)
                                            : FigureView::tr("%1 at %2: %3").arg(series.name, where, value);
    }
};

FigureView::FigureView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setObjectName(QStringLiteral("figureView"));
    setAccessibleName(tr("Chart"));
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_impl->relayout(*this);
        update();
    });
}

FigureView::~FigureView() = default;

void FigureView::setChart(const ChartData& chart) {
    if (chart.kind != m_impl->chart.kind) {
        m_impl->request.hiddenSeries.clear();
        m_impl->request.xView.reset();
        m_impl->request.yView.reset();
    }
    m_impl->chart = chart;
    m_impl->dropStaleHit();
    m_impl->relayout(*this);
    setAccessibleDescription(chart.title + QStringLiteral(". ") + chart.findings.join(QStringLiteral(". ")));
    update();
}

const ChartData& FigureView::chart() const {
    return m_impl->chart;
}

QSet<QString> FigureView::hiddenSeries() const {
    return m_impl->request.hiddenSeries;
}

void FigureView::setSeriesHidden(const QString& id, bool hidden) {
    if (hidden)
        m_impl->request.hiddenSeries.insert(id);
    else
        m_impl->request.hiddenSeries.remove(id);
    m_impl->hit = {};
    m_impl->relayout(*this);
    update();
    emit hiddenSeriesChanged();
}

void FigureView::resetZoom() {
    m_impl->request.xView.reset();
    m_impl->request.yView.reset();
    m_impl->relayout(*this);
    update();
}

bool FigureView::isZoomed() const {
    return m_impl->request.xView || m_impl->request.yView;
}

void FigureView::setGreyPreview(bool on) {
    m_impl->grey = on;
    m_impl->relayout(*this);
    update();
}

QPoint FigureView::legendPosition(const QString& seriesId) const {
    for (const LegendEntry& entry : m_impl->layout.legend)
        if (m_impl->chart.series[static_cast<std::size_t>(entry.series)].id == seriesId)
            return entry.rect.center().toPoint();
    return {};
}

QPoint FigureView::pointPosition(const QString& seriesId, int index) const {
    for (std::size_t s = 0; s < m_impl->chart.series.size(); ++s)
        if (m_impl->chart.series[s].id == seriesId)
            return m_impl->position({static_cast<int>(s), index}).toPoint();
    return {};
}

QString FigureView::tooltipAt(const QPoint& position) const {
    const Hit hit = m_impl->nearest(position);
    return hit.valid() ? m_impl->describe(hit) : QString();
}

void FigureView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintFigure(painter, m_impl->chart, m_impl->request, m_impl->layout);
    const ThemeColors& colors = Theme::instance().colors();
    if (m_impl->hit.valid()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.text, 1.5));
        painter.drawEllipse(m_impl->position(m_impl->hit), 7, 7);
    }
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void FigureView::resizeEvent(QResizeEvent*) {
    m_impl->relayout(*this);
}

void FigureView::wheelEvent(QWheelEvent* event) {
    if (!m_impl->layout.plot.contains(event->position()))
        return event->ignore();
    m_impl->zoom(event->position(), std::pow(0.999, event->angleDelta().y()));
    m_impl->relayout(*this);
    update();
}

void FigureView::mousePressEvent(QMouseEvent* event) {
    m_impl->pressed = m_impl->last = event->position();
    m_impl->pressOnPlot =
        event->button() == Qt::LeftButton && m_impl->layout.plot.contains(event->position());
}

void FigureView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (m_impl->pressOnPlot && (event->buttons() & Qt::LeftButton)) {
        m_impl->dragging = m_impl->dragging || (at - m_impl->pressed).manhattanLength() > 4;
        if (m_impl->dragging) {
            m_impl->pan(at - m_impl->last);
            m_impl->last = at;
            m_impl->relayout(*this);
            update();
        }
        return;
    }
    setCursor(m_impl->legendAt(at) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    const Hit hit = m_impl->nearest(at);
    if (hit == m_impl->hit)
        return;
    m_impl->hit = hit;
    const QString text = hit.valid() ? m_impl->describe(hit) : QString();
    QToolTip::showText(event->globalPosition().toPoint(), text, this);
    emit pointDescribed(text);
    update();
}

void FigureView::mouseReleaseEvent(QMouseEvent* event) {
    const bool wasDrag = m_impl->dragging;
    m_impl->dragging = m_impl->pressOnPlot = false;
    const int series = m_impl->legendAt(event->position());
    if (wasDrag || event->button() != Qt::LeftButton || series < 0)
        return;
    const QString id = m_impl->chart.series[static_cast<std::size_t>(series)].id;
    setSeriesHidden(id, !m_impl->request.hiddenSeries.contains(id));
}

void FigureView::mouseDoubleClickEvent(QMouseEvent*) {
    resetZoom();
}

void FigureView::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key == Qt::Key_Plus || key == Qt::Key_Equal || key == Qt::Key_Minus) {
        m_impl->zoom(m_impl->layout.plot.center(), key == Qt::Key_Minus ? 1.25 : 0.8);
        m_impl->relayout(*this);
        return update();
    }
    if (key == Qt::Key_0 || key == Qt::Key_Home)
        return resetZoom();
    if (key >= Qt::Key_1 && key <= Qt::Key_9 &&
        key - Qt::Key_1 < static_cast<int>(m_impl->chart.series.size())) {
        const QString id = m_impl->chart.series[static_cast<std::size_t>(key - Qt::Key_1)].id;
        return setSeriesHidden(id, !m_impl->request.hiddenSeries.contains(id));
    }
    const std::vector<Hit> hits = m_impl->visiblePoints();
    const bool forward = key == Qt::Key_Right || key == Qt::Key_Down;
    if (hits.empty() || (!forward && key != Qt::Key_Left && key != Qt::Key_Up))
        return QWidget::keyPressEvent(event);
    const auto at = std::find(hits.begin(), hits.end(), m_impl->hit);
    const auto count = static_cast<std::ptrdiff_t>(hits.size());
    const std::ptrdiff_t from = at == hits.end() ? (forward ? -1 : 0) : at - hits.begin();
    m_impl->hit = hits[static_cast<std::size_t>((from + (forward ? 1 : -1) + count) % count)];
    emit pointDescribed(m_impl->describe(m_impl->hit));
    update();
}

void FigureView::leaveEvent(QEvent*) {
    m_impl->hit = {};
    emit pointDescribed({});
    update();
}

void FigureView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        m_impl->relayout(*this);
        update();
    }
}

} // namespace heteroscope::ui

#include "moc_figure_view.cpp"
