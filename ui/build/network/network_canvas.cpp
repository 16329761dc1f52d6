// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas: what is shown, where, and what is selected.
#include "ui/build/network/network_canvas.h"

#include "compute/base/units.h"
#include "ui/common/format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscope::ui {

namespace {

constexpr double kMargin = 24, kLeastZoom = 0.08, kMostZoom = 4;

std::string nameOf(const NetworkGraph& graph, int node) {
    if (node < 0 || node >= static_cast<int>(graph.layers.size()))
        return node == kInputNode ? "input" : std::string();
    return graph.layers[static_cast<std::size_t>(node)].name;
}

} // namespace

NetworkCanvas::NetworkCanvas(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("network-canvas"));
    setAccessibleName(tr("Layers of the network"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    m_scene.layout = layOutNetwork(m_scene.graph);
}

void NetworkCanvas::setGraph(NetworkGraph graph, std::vector<QString> fixes) {
    const NetworkGraph before = std::exchange(m_scene.graph, std::move(graph));
    const std::set<int> selected = std::exchange(m_scene.selected, {});
    const auto moved = [&](int node) { // a renamed layer keeps its number
        const int now = m_scene.graph.indexOf(nameOf(before, node));
        return now == -2 && before.layers.size() == m_scene.graph.layers.size() ? node : now;
    };
    for (const int node : selected)
        if (const int now = moved(node); now >= kInputNode)
            m_scene.selected.insert(now);
    m_scene.current = moved(m_scene.current);
    m_scene.fixes = std::move(fixes);
    m_scene.layout = layOutNetwork(m_scene.graph);
    m_scene.hovered = -2;
    clearDrop();
    if (m_fitted)
        fit();
    else
        keepInside();
    afterSelection();
}

void NetworkCanvas::select(int node, bool extend) {
    if (!extend)
        m_scene.selected.clear();
    else if (node >= 0 && m_scene.selected.contains(node) && node != m_scene.current)
        m_scene.selected.erase(node);
    if (node >= kInputNode)
        m_scene.selected.insert(node);
    m_scene.current = node;
    show(node);
    afterSelection();
}

void NetworkCanvas::selectAll(const std::vector<int>& nodes) {
    m_scene.selected = {nodes.begin(), nodes.end()};
    m_scene.current = nodes.empty() ? -2 : nodes.back();
    show(m_scene.current);
    afterSelection();
}

void NetworkCanvas::afterSelection() {
    setAccessibleDescription(describe(m_scene.current));
    update();
    emit selectionChanged();
}

std::vector<int> NetworkCanvas::selectedLayers() const {
    std::vector<int> layers;
    for (const int node : m_scene.selected)
        if (node >= 0)
            layers.push_back(node);
    return layers;
}

int NetworkCanvas::insertionPlace() const {
    return m_scene.current >= kInputNode ? m_scene.current
                                         : static_cast<int>(m_scene.graph.layers.size()) - 1;
}

QPoint NetworkCanvas::toScreen(const QPointF& scenePoint) const {
    return (scenePoint * m_zoom + m_offset).toPoint();
}

QPointF NetworkCanvas::toScene(const QPointF& screenPoint) const {
    return (screenPoint - m_offset) / m_zoom;
}

void NetworkCanvas::zoomBy(double factor) {
    zoomAround(factor, QRectF(rect()).center());
}

void NetworkCanvas::zoomAround(double factor, const QPointF& screenPoint) {
    const QPointF fixed = toScene(screenPoint);
    m_zoom = std::clamp(m_zoom * factor, kLeastZoom, kMostZoom);
    m_offset = screenPoint - fixed * m_zoom;
    m_fitted = false;
    keepInside();
    update();
}

/// All of it, but not larger than it is and not too small to read: then its top.
void NetworkCanvas::fit() {
    constexpr double kReadable = 0.75;
    const QRectF bounds = m_scene.layout.bounds;
    const double wide = (width() - 2 * kMargin) / bounds.width();
    const double high = (height() - 2 * kMargin) / bounds.height();
    m_zoom = std::clamp(std::min({wide, std::max(high, kReadable), 1.0}), kLeastZoom, 1.0);
    m_offset = QPointF(width() / 2.0 - bounds.center().x() * m_zoom, kMargin - bounds.top() * m_zoom);
    m_fitted = true;
    update();
}

/// Something of the network stays on screen.
void NetworkCanvas::keepInside() {
    const QRectF bounds = m_scene.layout.bounds;
    const auto limit = [](double offset, double low, double high, double size) {
        return std::clamp(offset, kMargin * 2 - high, std::max(kMargin * 2 - high, size - kMargin * 2 - low));
    };
    m_offset.setX(limit(m_offset.x(), bounds.left() * m_zoom, bounds.right() * m_zoom, width()));
    m_offset.setY(limit(m_offset.y(), bounds.top() * m_zoom, bounds.bottom() * m_zoom, height()));
}

/// Scrolls as little as is needed.
void NetworkCanvas::show(int node) {
    if (node < kInputNode || node >= static_cast<int>(m_scene.layout.nodes.size()))
        return;
    const QRectF rect = m_scene.layout.rectOf(node);
    const QRectF shown(rect.topLeft() * m_zoom + m_offset, rect.size() * m_zoom);
    const auto move = [](double low, double high, double size) {
        if (low < kMargin)
            return kMargin - low;
        return high > size - kMargin ? std::max(size - kMargin - high, kMargin - low) : 0.0;
    };
    m_offset +=
        QPointF(move(shown.left(), shown.right(), width()), move(shown.top(), shown.bottom(), height()));
    update();
}

QString NetworkCanvas::describe(int node) const {
    if (node == kInputNode)
        return m_scene.graph.input ? tr("Input, %1").arg(shapeText(*m_scene.graph.input)) : tr("Input");
    if (node < 0 || node >= static_cast<int>(m_scene.graph.layers.size()))
        return tr("%n layers", nullptr, static_cast<int>(m_scene.graph.layers.size()));
    const GraphNode& layer = m_scene.graph.layers[static_cast<std::size_t>(node)];
    QStringList parts{fromStd(layer.name), layer.typeLabel};
    for (const QString& part : {layer.summary, layer.output ? shapeText(*layer.output) : QString(),
                                findingSentence(layer.findings)})
        if (!part.isEmpty())
            parts << part;
    if (const auto heat = m_scene.heat.valueOf(layer.name))
        parts << QStringLiteral("%1: %2").arg(m_scene.heat.title, m_scene.heat.text(*heat));
    return parts.join(QStringLiteral(", "));
}

QString NetworkCanvas::toolTipAt(const QPointF& scenePoint) const {
    const int node = m_scene.layout.nodeAt(scenePoint);
    if (node == kInputNode)
        return describe(node) + QLatin1Char('\n') + findingSentence(m_scene.graph.inputFindings);
    if (node < 0)
        return {};
    const GraphNode& layer = m_scene.graph.layers[static_cast<std::size_t>(node)];
    QStringList lines{QStringLiteral("%1 · %2").arg(fromStd(layer.name), layer.typeLabel)};
    for (const auto& finding : layer.findings)
        lines << findingSentence({finding});
    if (layer.output)
        lines << tr("Output %1 (batch × channels × height × width)").arg(shapeText(*layer.output))
              << tr("Parameters: %1").arg(fromStd(formatCount(layer.parameters)))
              << tr("Multiply-adds of the batch, forward: %1")
                     .arg(fromStd(formatCount(std::llround(layer.multiplyAdds))))
              << tr("Memory of the output: %1")
                     .arg(fromStd(formatBytes(static_cast<double>(layer.output->bytes().value_or(0)))));
    return lines.join(QLatin1Char('\n'));
}

bool NetworkCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(toScene(help->pos())), this);
        return true;
    }
    if (event->type() == QEvent::ShortcutOverride && isWorkKey(static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void NetworkCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), Theme::instance().colors().window);
    painter.translate(m_offset);
    painter.scale(m_zoom, m_zoom);
    NetworkPainter(painter, m_scene)
        .paint(QRectF(toScene({0, 0}), toScene({double(width()), double(height())})));
    painter.resetTransform();
    if (m_scene.heat.shown())
        paintHeatLegend(painter, rect(), m_scene.heat);
}

void NetworkCanvas::setHeat(NetworkHeat heat) {
    m_scene.heat = std::move(heat);
    update();
}

void NetworkCanvas::resizeEvent(QResizeEvent*) {
    if (m_fitted)
        fit();
    else
        keepInside();
}

void NetworkCanvas::focusInEvent(QFocusEvent* event) {
    m_scene.hasFocus = true;
    if (m_scene.current < kInputNode && event->reason() != Qt::MouseFocusReason)
        select(m_scene.graph.layers.empty() ? kInputNode : 0);
    update();
}

void NetworkCanvas::focusOutEvent(QFocusEvent*) {
    m_scene.hasFocus = false;
    update();
}

} // namespace heteroscope::ui
