// SPDX-License-Identifier: GPL-3.0-or-later
// Scatter of samples with Qt Charts.
#include "ui/charts/sample_view.h"

#include "ui/charts/figure_style.h"
#include "ui/common/theme.h"

#include <QChart>
#include <QChartView>
#include <QKeyEvent>
#include <QLegendMarker>
#include <QLogValueAxis>
#include <QScatterSeries>
#include <QToolTip>
#include <QVBoxLayout>
#include <QValueAxis>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

QScatterSeries::MarkerShape scatterShape(MarkerShape shape) {
    switch (shape) {
    case MarkerShape::Square:
        return QScatterSeries::MarkerShapeRectangle;
    case MarkerShape::Triangle:
    case MarkerShape::TriangleDown:
        return QScatterSeries::MarkerShapeTriangle;
    case MarkerShape::Diamond:
        return QScatterSeries::MarkerShapeRotatedRectangle;
    case MarkerShape::Star:
        return QScatterSeries::MarkerShapeStar;
    case MarkerShape::Cross:
    case MarkerShape::Plus:
        return QScatterSeries::MarkerShapePentagon;
    case MarkerShape::Circle:
    case MarkerShape::None:
        break;
    }
    return QScatterSeries::MarkerShapeCircle;
}

/// The chart view with the zoom gestures that the other charts have too.
class ZoomView : public QChartView {
  public:
    explicit ZoomView(QChart* chart) : QChartView(chart) {
        setRubberBand(QChartView::RectangleRubberBand);
        setRenderHint(QPainter::Antialiasing);
        setFrameShape(QFrame::NoFrame);
        setFocusPolicy(Qt::NoFocus);
    }

  protected:
    void mouseDoubleClickEvent(QMouseEvent*) override { chart()->zoomReset(); }
    void wheelEvent(QWheelEvent* event) override {
        chart()->zoom(event->angleDelta().y() > 0 ? 1.2 : 1 / 1.2);
        event->accept();
    }
};

} // namespace

struct SampleView::Impl {
    SampleView& view;
    QChart* chart = new QChart;
    ChartData data;
    QSet<QString> hidden;
    bool grey = false;

    explicit Impl(SampleView& owner) : view(owner) {}

    FigureStyle style() const {
        FigureStyle result = FigureStyle::screen(Theme::instance().isDark(), view.logicalDpiY());
        result.grey = grey;
        return result;
    }

    QList<QPointF> points(const ChartSeries& series) const {
        QList<QPointF> list;
        for (const ChartPoint& point : series.points)
            list << QPointF(point.x, point.y);
        return list;
    }

    bool sameSeries(const ChartData& fresh) const {
        const auto all = chart->series();
        if (fresh.kind != data.kind || fresh.y.scale != data.y.scale || fresh.title != data.title ||
            all.size() != static_cast<int>(fresh.series.size()))
            return false;
        for (int i = 0; i < all.size(); ++i)
            if (all[i]->objectName() != fresh.series[static_cast<std::size_t>(i)].id)
                return false;
        return true;
    }

    void show(const ChartData& fresh) {
        const bool same = sameSeries(fresh);
        data = fresh;
        if (!same)
            return rebuild();
        const auto all = chart->series();
        for (int i = 0; i < all.size(); ++i)
            static_cast<QScatterSeries*>(all[i])->replace(points(data.series[static_cast<std::size_t>(i)]));
        if (!chart->isZoomed())
            fitAxes();
    }

    void rebuild() {
        chart->zoomReset();
        chart->removeAllSeries();
        for (QAbstractAxis* axis : chart->axes())
            chart->removeAxis(axis);
        addAxes();
        for (const ChartSeries& series : data.series)
            addSeries(series);
        fitAxes();
        applyStyle();
        connectLegend();
    }

    void addAxes() {
        auto* x = new QValueAxis;
        x->setTitleText(data.x.title);
        x->setLabelFormat(QStringLiteral("%.3g"));
        QAbstractAxis* y = nullptr;
        if (data.y.scale == AxisScale::Log10) {
            auto* log = new QLogValueAxis;
            log->setBase(10);
            log->setMinorTickCount(8);
            log->setLabelFormat(QStringLiteral("%g"));
            y = log;
        } else {
            auto* linear = new QValueAxis;
            linear->setLabelFormat(QStringLiteral("%.4g"));
            y = linear;
        }
        y->setTitleText(data.y.title);
        chart->addAxis(x, Qt::AlignBottom);
        chart->addAxis(y, Qt::AlignLeft);
    }

    void addSeries(const ChartSeries& series) {
        auto* scatter = new QScatterSeries;
        scatter->setObjectName(series.id);
        scatter->setName(series.name);
        scatter->setMarkerShape(scatterShape(series.marker));
        scatter->setMarkerSize(9);
        scatter->replace(points(series));
        chart->addSeries(scatter);
        for (QAbstractAxis* axis : chart->axes())
            scatter->attachAxis(axis);
        scatter->setVisible(!hidden.contains(series.id));
        const QString name = series.name;
        QObject::connect(scatter, &QScatterSeries::hovered, &view,
                         [this, name](const QPointF& at, bool over) {
                             const QString text = over ? describe(name, at) : QString();
                             QToolTip::showText(QCursor::pos(), text, &view);
                             emit view.pointDescribed(text);
                         });
    }

    QString describe(const QString& name, const QPointF& at) const {
        for (const ChartSeries& series : data.series)
            if (series.name == name)
                for (const ChartPoint& point : series.points)
                    if (point.x == at.x() && point.y == at.y())
                        return SampleView::tr("%1: %2").arg(name, point.detail);
        return name;
    }

    // This axis labels powers of ten alone: at least two of them have to lie in the range.
    static void fitLogAxis(QLogValueAxis& axis, double low, double high) {
        const double from = low / 1.3, to = high * 1.3;
        if (std::floor(std::log10(to)) - std::ceil(std::log10(from)) >= 1)
            axis.setRange(from, to);
        else
            axis.setRange(std::pow(10, std::floor(std::log10(low))),
                          std::pow(10, std::ceil(std::log10(high))));
    }

    void fitAxes() {
        double xHigh = 0, low = INFINITY, high = 0;
        for (const ChartSeries& series : data.series) {
            if (hidden.contains(series.id))
                continue;
            for (const ChartPoint& point : series.points) {
                xHigh = std::max(xHigh, point.x);
                low = std::min(low, point.y);
                high = std::max(high, point.y);
            }
        }
        if (!(low <= high))
            return;
        auto* x = static_cast<QValueAxis*>(chart->axes(Qt::Horizontal).first());
        x->setRange(0, xHigh > 0 ? xHigh * 1.02 : 1);
        x->applyNiceNumbers();
        QAbstractAxis* y = chart->axes(Qt::Vertical).first();
        if (auto* log = qobject_cast<QLogValueAxis*>(y)) {
            return fitLogAxis(*log, low, high);
        }
        y->setRange(0, high * 1.05);
        static_cast<QValueAxis*>(y)->applyNiceNumbers();
    }

    void applyStyle() {
        const FigureStyle look = style();
        chart->setBackgroundBrush(look.background);
        chart->setBackgroundRoundness(0);
        chart->setTitle(data.title);
        chart->setTitleBrush(look.text);
        chart->setTitleFont(look.font(look.titlePt, true));
        chart->legend()->setAlignment(Qt::AlignTop);
        chart->legend()->setLabelColor(look.text);
        chart->legend()->setFont(look.font(look.fontPt));
        chart->legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
        for (QAbstractAxis* axis : chart->axes()) {
            axis->setLabelsBrush(look.text);
            axis->setTitleBrush(look.text);
            axis->setTitleFont(look.font(look.fontPt));
            axis->setLabelsFont(look.font(look.smallPt));
            axis->setLinePen(QPen(look.axis));
            axis->setGridLinePen(QPen(look.grid));
            axis->setMinorGridLinePen(QPen(look.minorGrid));
        }
        const auto all = chart->series();
        for (int i = 0; i < all.size(); ++i) {
            auto* scatter = static_cast<QScatterSeries*>(all[i]);
            scatter->setColor(look.seriesColor(data.series[static_cast<std::size_t>(i)].color));
            scatter->setBorderColor(look.background);
        }
    }

    void connectLegend() {
        for (QLegendMarker* marker : chart->legend()->markers())
            QObject::connect(marker, &QLegendMarker::clicked, &view, [this, marker] {
                const QString id = marker->series()->objectName();
                view.setSeriesHidden(id, !hidden.contains(id));
            });
    }
};

SampleView::SampleView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(*this)) {
    setObjectName(QStringLiteral("sampleView"));
    setAccessibleName(tr("Samples"));
    setFocusPolicy(Qt::StrongFocus);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new ZoomView(m_impl->chart));
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_impl->applyStyle(); });
}

SampleView::~SampleView() = default;

bool SampleView::canShow(const ChartData& chart) {
    return chart.drawable() && chart.x.scale == AxisScale::Linear && !chart.series.empty() &&
           std::all_of(chart.series.begin(), chart.series.end(),
                       [](const ChartSeries& series) { return series.kind == SeriesKind::Points; });
}

void SampleView::setChart(const ChartData& chart) {
    m_impl->show(chart);
}

QSet<QString> SampleView::hiddenSeries() const {
    return m_impl->hidden;
}

void SampleView::setSeriesHidden(const QString& id, bool hidden) {
    if (hidden)
        m_impl->hidden.insert(id);
    else
        m_impl->hidden.remove(id);
    for (QLegendMarker* marker : m_impl->chart->legend()->markers()) {
        if (marker->series()->objectName() != id)
            continue;
        marker->series()->setVisible(!hidden);
        marker->setVisible(true); // hiding a series hides its entry, which must stay to bring it back
        QFont font = marker->font();
        font.setStrikeOut(hidden);
        marker->setFont(font);
    }
    if (!m_impl->chart->isZoomed())
        m_impl->fitAxes();
    emit hiddenSeriesChanged();
}

void SampleView::resetZoom() {
    m_impl->chart->zoomReset();
}

void SampleView::setGreyPreview(bool on) {
    m_impl->grey = on;
    m_impl->applyStyle();
}

int SampleView::shownPointCount() const {
    int count = 0;
    for (QAbstractSeries* series : m_impl->chart->series())
        if (series->isVisible())
            count += static_cast<QScatterSeries*>(series)->count();
    return count;
}

void SampleView::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const int digit = key - Qt::Key_1;
    if (key == Qt::Key_Plus || key == Qt::Key_Equal)
        return m_impl->chart->zoom(1.25);
    if (key == Qt::Key_Minus)
        return m_impl->chart->zoom(0.8);
    if (key == Qt::Key_0 || key == Qt::Key_Home)
        return resetZoom();
    if (digit >= 0 && digit < static_cast<int>(m_impl->data.series.size())) {
        const QString id = m_impl->data.series[static_cast<std::size_t>(digit)].id;
        return setSeriesHidden(id, !m_impl->hidden.contains(id));
    }
    QWidget::keyPressEvent(event);
}

void SampleView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_impl->applyStyle();
}

} // namespace heteroscope::ui

#include "moc_sample_view.cpp"
