// SPDX-License-Identifier: GPL-3.0-or-later
// Draws boxes without their texts; clicks and drags move the canvas.
#include "ui/build/network/network_minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace heteroscope::ui {

namespace {
constexpr int kMinimapMargin = 10, kInside = 6; ///< around the strip and in it
constexpr double kMostScale = 0.14;
constexpr int kLeastHeight = 60;
} // namespace

NetworkMinimap::NetworkMinimap(NetworkCanvas* canvas) : QWidget(canvas), m_canvas(canvas) {
    setObjectName(QStringLiteral("network-minimap"));
    setAccessibleName(tr("Overview of the network"));
    setToolTip(tr("The whole network. Click or drag to go there."));
    setCursor(Qt::PointingHandCursor);
    canvas->installEventFilter(this);
    connect(canvas, &NetworkCanvas::viewChanged, this, &NetworkMinimap::place);
    connect(canvas, &NetworkCanvas::selectionChanged, this, qOverload<>(&QWidget::update));
    place();
}

bool NetworkMinimap::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

void NetworkMinimap::place() {
    const QRectF& bounds = m_canvas->scene().layout.bounds;
    const QRectF visible = m_canvas->visibleScene();
    const int room = m_canvas->height() - 2 * kMinimapMargin;
    const bool isWhole = visible.width() >= bounds.width() && visible.height() >= bounds.height() &&
                         visible.contains(bounds.center());
    setVisible(!m_canvas->scene().graph.layers.empty() && !isWhole && room > kLeastHeight);
    m_scaleX = std::min(kMostScale, (kWidth - 2 * kInside) / std::max(1.0, bounds.width()));
    m_scaleY = std::min(kMostScale, (room - 2 * kInside) / std::max(1.0, bounds.height()));
    const int height = static_cast<int>(bounds.height() * m_scaleY) + 2 * kInside;
    setGeometry(m_canvas->width() - kWidth - kMinimapMargin, m_canvas->height() - height - kMinimapMargin,
                kWidth, height);
    update();
}

QRectF NetworkMinimap::onStrip(const QRectF& sceneRect) const {
    const QRectF& bounds = m_canvas->scene().layout.bounds;
    const double left = (width() - bounds.width() * m_scaleX) / 2;
    return {left + (sceneRect.left() - bounds.left()) * m_scaleX,
            kInside + (sceneRect.top() - bounds.top()) * m_scaleY, sceneRect.width() * m_scaleX,
            sceneRect.height() * m_scaleY};
}

void NetworkMinimap::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    const NetworkScene& scene = m_canvas->scene();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colors.border, 1));
    painter.setBrush(colors.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.setPen(Qt::NoPen);
    for (int node = 0; node < static_cast<int>(scene.layout.nodes.size()); ++node) {
        if (!scene.graph.isShown(node))
            continue;
        const GraphNode& layer = scene.graph.shown(node);
        QRectF bar = onStrip(scene.layout.rectOf(node));
        bar.setHeight(std::max(1.0, bar.height()));
        const bool marked = scene.selected.contains(node) || scene.hits.contains(node);
        painter.setBrush(layer.isWrong() ? colors.error : marked ? colors.accent : layerColor(layer.group));
        painter.drawRect(bar);
    }
    QRectF frame = onStrip(m_canvas->visibleScene()).intersected(QRectF(rect()).adjusted(2, 2, -2, -2));
    QColor fill = colors.accent;
    fill.setAlphaF(0.14f);
    painter.setBrush(fill);
    painter.setPen(QPen(colors.accent, 1.5));
    painter.drawRoundedRect(frame, 3, 3);
}

void NetworkMinimap::mousePressEvent(QMouseEvent* event) {
    const QRectF& bounds = m_canvas->scene().layout.bounds;
    const QPointF zero = onStrip(QRectF(bounds.topLeft(), QSizeF())).topLeft();
    const QPointF by = event->position() - zero;
    m_canvas->centerOn(bounds.topLeft() + QPointF(by.x() / m_scaleX, by.y() / m_scaleY));
}

void NetworkMinimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton)
        mousePressEvent(event);
}

} // namespace heteroscope::ui

#include "moc_network_minimap.cpp"
