// SPDX-License-Identifier: GPL-3.0-or-later
// The canvas: what is shown, where, and what is selected.
#include "ui/build/network/network_canvas.h"

#include "compute/base/units.h"
#include "ui/build/axis_syntax.h"
#include "ui/common/format.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscope::ui {

namespace {

constexpr double kCanvasMargin = 24, kLeastZoom = 0.08, kMostZoom = 4;

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
            add(m_scene.graph.shownAs(now));
    m_scene.current = m_scene.graph.shownAs(moved(m_scene.current));
    if (m_scene.group < 0 || before.groups.size() != m_scene.graph.groups.size())
        m_scene.group = m_scene.graph.boxAt(m_scene.current);
    m_scene.hits.clear();
    m_press = {};
    m_scene.band = {};
    m_scene.fixes = std::move(fixes);
    m_scene.layout = layOutNetwork(m_scene.graph);
    m_scene.hovered = -2;
    clearDrop();
    if (m_fitted)
        fit();
    else
        keepInside();
    afterSelection();
    emit viewChanged();
}

void NetworkCanvas::add(int node) {
    if (node == kInputNode)
        m_scene.selected.insert(node);
    if (node < 0)
        return;
    const int box = m_scene.graph.boxAt(node);
    const std::vector<int> layers = box < 0 ? std::vector<int>{node} : m_scene.graph.membersOf(box);
    m_scene.selected.insert(layers.begin(), layers.end());
}

/// A selected node leaves the selection, and the keyboard goes to one that stays.
void NetworkCanvas::toggle(int node) {
    if (!m_scene.selected.contains(node)) {
        add(node);
        m_scene.current = node;
        return;
    }
    const int box = m_scene.graph.boxAt(node);
    for (const int layer : box < 0 ? std::vector<int>{node} : m_scene.graph.membersOf(box))
        m_scene.selected.erase(layer);
    if (m_scene.current == node)
        m_scene.current = m_scene.selected.empty() ? -2 : m_scene.graph.shownAs(*m_scene.selected.rbegin());
}

void NetworkCanvas::select(int node, bool extend) {
    const int at = node < kInputNode ? node : m_scene.graph.shownAs(node);
    if (!extend)
        m_scene.selected.clear();
    add(at);
    m_scene.current = at;
    m_scene.group = extend ? -1 : m_scene.graph.boxAt(at);
    show(at);
    afterSelection();
}

void NetworkCanvas::selectAll(const std::vector<int>& nodes) {
    m_scene.selected.clear();
    for (const int node : nodes)
        add(m_scene.graph.shownAs(node));
    m_scene.current = nodes.empty() ? -2 : m_scene.graph.shownAs(nodes.back());
    const int box = m_scene.graph.boxAt(m_scene.current);
    m_scene.group = box >= 0 && m_scene.selected.size() == m_scene.graph.membersOf(box).size() ? box : -1;
    show(m_scene.current);
    afterSelection();
}

void NetworkCanvas::selectGroup(int group) {
    if (group < 0 || group >= static_cast<int>(m_scene.graph.groups.size()))
        return;
    selectAll(m_scene.graph.membersOf(group));
    m_scene.group = group;
    afterSelection();
}

void NetworkCanvas::showHits(const std::vector<int>& layers, int current) {
    m_scene.hits.clear();
    for (const int layer : layers)
        m_scene.hits.insert(m_scene.graph.shownAs(layer));
    if (current >= kInputNode)
        select(current);
    update();
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
    look(screenPoint - fixed * m_zoom);
}

void NetworkCanvas::look(const QPointF& offset) {
    m_offset = offset;
    m_fitted = false;
    keepInside();
    update();
    emit viewChanged();
}

QRectF NetworkCanvas::visibleScene() const {
    return {toScene({0, 0}), toScene({double(width()), double(height())})};
}

void NetworkCanvas::centerOn(const QPointF& scenePoint) {
    look(QRectF(rect()).center() - scenePoint * m_zoom);
}

/// All of it, but not larger than it is and not too small to read: then its top.
void NetworkCanvas::fit() {
    constexpr double kReadable = 0.75;
    const QRectF bounds = m_scene.layout.bounds;
    const double wide = (width() - 2 * kCanvasMargin) / bounds.width();
    const double high = (height() - 2 * kCanvasMargin) / bounds.height();
    m_zoom = std::clamp(std::min({wide, std::max(high, kReadable), 1.0}), kLeastZoom, 1.0);
    m_offset = QPointF(width() / 2.0 - bounds.center().x() * m_zoom, kCanvasMargin - bounds.top() * m_zoom);
    m_fitted = true;
    update();
    emit viewChanged();
}

/// Something of the network stays on screen.
void NetworkCanvas::keepInside() {
    const QRectF bounds = m_scene.layout.bounds;
    const auto limit = [](double offset, double low, double high, double size) {
        return std::clamp(offset, kCanvasMargin * 2 - high,
                          std::max(kCanvasMargin * 2 - high, size - kCanvasMargin * 2 - low));
    };
    m_offset.setX(limit(m_offset.x(), bounds.left() * m_zoom, bounds.right() * m_zoom, width()));
    m_offset.setY(limit(m_offset.y(), bounds.top() * m_zoom, bounds.bottom() * m_zoom, height()));
}

/// Scrolls as little as is needed.
void NetworkCanvas::show(int node) {
    if (node < kInputNode || node >= static_cast<int>(m_scene.layout.nodes.size()))
        return;
    const QRectF rect = m_scene.layout.rectOf(m_scene.graph.shownAs(node));
    const QRectF shown(rect.topLeft() * m_zoom + m_offset, rect.size() * m_zoom);
    const auto move = [](double low, double high, double size) {
        if (low < kCanvasMargin)
            return kCanvasMargin - low;
        return high > size - kCanvasMargin ? std::max(size - kCanvasMargin - high, kCanvasMargin - low) : 0.0;
    };
    const QPointF by(move(shown.left(), shown.right(), width()), move(shown.top(), shown.bottom(), height()));
    if (by.isNull())
        return;
    m_offset += by;
    update();
    emit viewChanged();
}

QString NetworkCanvas::describe(int node) const {
    if (node == kInputNode)
        return m_scene.graph.input ? tr("Input, %1").arg(shapeText(*m_scene.graph.input)) : tr("Input");
    if (node < 0 || node >= static_cast<int>(m_scene.graph.layers.size()))
        return counted(m_scene.graph.layers.size(), QCoreApplication::translate("Layer", "1 layer"),
                       QCoreApplication::translate("Layer", "%n layers"));
    const GraphNode& layer = m_scene.graph.shown(node);
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
    const GraphNode& layer = m_scene.graph.shown(node);
    QStringList lines{QStringLiteral("%1 · %2").arg(fromStd(layer.name), layer.typeLabel)};
    for (const auto& finding : layer.findings)
        lines << findingSentence({finding});
    if (layer.output)
        lines << tr("Output %1 (batch × channels × height × width)").arg(shapeText(*layer.output))
              << tr("Parameters: %1").arg(fromStd(formatCount(layer.parameters)))
              << tr("Multiply-adds of the batch, forward: %1")
                     .arg(fromStd(formatCount(std::llround(layer.multiplyAdds))))
              << tr("Memory of the output: %1").arg(fromStd(formatBytes(layer.outputBytes)));
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
    NetworkPainter(painter, m_scene).paint(visibleScene());
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
        look(m_offset);
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

#include "moc_network_canvas.cpp"
