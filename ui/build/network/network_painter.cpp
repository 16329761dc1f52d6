// SPDX-License-Identifier: GPL-3.0-or-later
// Nodes and edges in the theme's colours.
#include "ui/build/network/network_painter.h"

#include "compute/base/units.h"
#include "ui/common/format.h"

#include <QApplication>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr double kPadding = 10, kGlyph = 26, kNodeRadius = 7;

QColor readableOn(const QColor& color) {
    return color.lightnessF() > 0.45 ? QColor(Qt::black) : QColor(Qt::white);
}

/// Two letters stand for a type.
QString glyphOf(const GraphNode& node) {
    QString letters;
    for (const QString& word : node.typeLabel.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        letters += word.at(0).toUpper();
    return letters.size() > 1 ? letters.left(2) : node.typeLabel.left(2);
}

QFont nodeFont(bool bold) {
    QFont font = QApplication::font();
    font.setPointSizeF(std::max(7.5, font.pointSizeF() - 1));
    if (bold)
        font.setWeight(QFont::DemiBold);
    return font;
}

QPainterPath wayOf(const std::vector<QPointF>& points) {
    QPainterPath path(points.front());
    for (std::size_t i = 1; i < points.size(); ++i) {
        const QPointF a = points[i - 1], b = points[i];
        const double middle = (a.y() + b.y()) / 2;
        if (std::abs(a.x() - b.x()) < 0.5)
            path.lineTo(b);
        else
            path.cubicTo({a.x(), middle}, {b.x(), middle}, b);
    }
    return path;
}

} // namespace

QColor layerColor(const QString& group) {
    static const QStringList groups = {QStringLiteral("Convolution"), QStringLiteral("Pooling"),
                                       QStringLiteral("Dense"),       QStringLiteral("Activation"),
                                       QStringLiteral("Structure"),   QStringLiteral("Regularisation")};
    const auto at = groups.indexOf(group);
    return at < 0 ? Theme::instance().colors().mutedText : Theme::seriesColor(static_cast<int>(at));
}

QString shortCount(double count) {
    static constexpr std::array<const char*, 5> kUnits = {"", " k", " M", " G", " T"};
    std::size_t unit = 0;
    while (count >= 1000 && unit + 1 < kUnits.size()) {
        count /= 1000;
        ++unit;
    }
    const int decimals = unit == 0 || count >= 100 ? 0 : count >= 10 ? 1 : 2;
    return QString::number(count, 'f', decimals) + QLatin1String(kUnits[unit]);
}

QString findingSentence(const std::vector<compute::Diagnostic>& findings) {
    const auto worst = std::min_element(findings.begin(), findings.end(), [](const auto& a, const auto& b) {
        return static_cast<int>(a.severity) < static_cast<int>(b.severity);
    });
    if (worst == findings.end())
        return {};
    QString text = fromStd(worst->message);
    if (!worst->allowed.empty())
        text += QStringLiteral(" (%1)").arg(
            QCoreApplication::translate("Form", "allowed: %1").arg(fromStd(worst->allowed)));
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

QString parametersText(const GraphNode& node) {
    return node.parameters > 0
               ? NetworkPainter::tr("%1 parameters").arg(shortCount(static_cast<double>(node.parameters)))
               : QString();
}

QString multiplyAddsText(const GraphNode& node) {
    return node.multiplyAdds > 0 ? NetworkPainter::tr("%1 multiply-adds").arg(shortCount(node.multiplyAdds))
                                 : QString();
}

QRectF fixRect(const QRectF& node, const QString& fix) {
    const double width =
        std::min(QFontMetricsF(nodeFont(true)).horizontalAdvance(fix) + 16, node.width() / 2);
    return {node.right() - width - 8, node.bottom() - NetworkLayout::kErrorHeight + 6, width, 22};
}

NetworkPainter::NetworkPainter(QPainter& painter, const NetworkScene& scene)
    : m_painter(painter),
      m_scene(scene),
      m_colors(Theme::instance().colors()),
      m_font(nodeFont(false)),
      m_bold(nodeFont(true)) {}

void NetworkPainter::text(const QRectF& rect, const QString& text, const QColor& color, int flags,
                          bool bold) {
    const QFont& font = bold ? m_bold : m_font;
    m_painter.setFont(font);
    m_painter.setPen(color);
    m_painter.drawText(rect, flags | Qt::AlignVCenter,
                       QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width()));
}

void NetworkPainter::paint(const QRectF& visible) {
    for (std::size_t i = 0; i < m_scene.layout.frames.size(); ++i)
        if (m_scene.layout.frames[i].intersects(visible))
            paintGroup(i);
    for (std::size_t i = 0; i < m_scene.layout.edges.size(); ++i)
        paintEdge(m_scene.layout.edges[i], static_cast<int>(i) == m_scene.dropEdge);
    paintInput();
    if (m_scene.graph.layers.empty())
        paintAdvice();
    for (std::size_t i = 0; i < m_scene.layout.nodes.size(); ++i) {
        const QRectF& rect = m_scene.layout.nodes[i];
        if (!rect.isNull() && rect.adjusted(-4, -4, 4, 4).intersects(visible))
            paintNode(static_cast<int>(i));
    }
    paintBand();
}

void NetworkPainter::paintEdge(const PlacedEdge& edge, bool target) {
    const QColor color = target ? m_colors.accent : m_colors.mutedText;
    m_painter.setPen(QPen(color, target ? 3 : 1.5));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPath(wayOf(edge.points));
    const QPointF tip = edge.points.back();
    m_painter.setBrush(color);
    m_painter.setPen(Qt::NoPen);
    m_painter.drawPolygon(QPolygonF({tip, tip + QPointF(-4.5, -8), tip + QPointF(4.5, -8)}));
    const auto shape = m_scene.graph.outputOf(edge.edge.from);
    const QString label = shape ? shapeText(*shape) : QStringLiteral("?");
    const double width = QFontMetricsF(m_font).horizontalAdvance(label) + 10;
    const QRectF box(edge.label.center().x() - width / 2, edge.label.top() - 2, width, edge.label.height());
    m_painter.setBrush(m_colors.window);
    m_painter.drawRoundedRect(box, 4, 4);
    text(box, label, shape ? m_colors.text : m_colors.error, Qt::AlignHCenter);
}

void NetworkPainter::paintFrame(const QRectF& rect, int node, bool wrong) {
    const bool selected = m_scene.selected.contains(node);
    const bool target = m_scene.dropNode == node;
    const QColor border = wrong                     ? m_colors.error
                          : selected || target      ? m_colors.accent
                          : m_scene.hovered == node ? m_colors.mutedText
                                                    : m_colors.border;
    m_painter.setPen(QPen(border, selected || target || wrong ? 2 : 1));
    m_painter.setBrush(selected ? m_colors.hover : fillOf(node));
    m_painter.drawRoundedRect(rect, kNodeRadius, kNodeRadius);
    const bool focused = selected && (m_scene.hasFocus || wrong) && m_scene.current == node;
    if (!focused && !m_scene.hits.contains(node))
        return;
    m_painter.setPen(QPen(focused ? m_colors.accent : m_colors.warning, focused ? 1.5 : 2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), kNodeRadius + 3, kNodeRadius + 3);
}

std::optional<double> NetworkPainter::heatOf(int node) const {
    if (node < 0)
        return std::nullopt;
    const NetworkGraph& graph = m_scene.graph;
    const int box = graph.boxAt(node);
    if (box < 0)
        return m_scene.heat.valueOf(graph.layers[static_cast<std::size_t>(node)].name);
    std::optional<double> sum;
    for (const int layer : graph.membersOf(box))
        if (const auto value = m_scene.heat.valueOf(graph.layers[static_cast<std::size_t>(layer)].name))
            sum = sum.value_or(0.0) + *value;
    return sum;
}

QColor NetworkPainter::fillOf(int node) const {
    const auto heat = heatOf(node);
    return heat && m_scene.heat.most() > 0 ? heatFill(*heat / m_scene.heat.most()) : m_colors.surface;
}

void NetworkPainter::paintInput() {
    const QRectF& rect = m_scene.layout.input;
    paintFrame(rect, kInputNode, !m_scene.graph.input.has_value());
    const QRectF inner = rect.adjusted(kPadding, 0, -kPadding, 0);
    text(inner, tr("Input"), m_colors.text, Qt::AlignLeft, true);
    const auto& shape = m_scene.graph.input;
    text(inner, shape ? shapeText(*shape) : tr("no shape"), shape ? m_colors.mutedText : m_colors.error,
         Qt::AlignRight);
}

void NetworkPainter::paintAdvice() {
    const QRectF below = m_scene.layout.input.translated(0, NetworkLayout::kInputHeight + 12);
    m_painter.setFont(m_font);
    m_painter.setPen(m_colors.mutedText);
    m_painter.drawText(below.adjusted(-30, 0, 30, 40), Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap,
                       tr("No layers yet. Click a layer on the left, drag it here, or press Insert."));
}

void NetworkPainter::paintGlyph(const QRectF& rect, const GraphNode& node) {
    const QColor color = layerColor(node.group);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color);
    m_painter.drawRoundedRect(rect, 5, 5);
    text(rect, glyphOf(node), readableOn(color), Qt::AlignHCenter, true);
}

void NetworkPainter::paintNode(int index) {
    const GraphNode& node = m_scene.graph.shown(index);
    const bool isBox = m_scene.graph.boxAt(index) >= 0;
    const QRectF& rect = m_scene.layout.nodes[static_cast<std::size_t>(index)];
    if (isBox)
        paintLeaf(rect);
    paintFrame(rect, index, node.isWrong());
    const QRectF inner = rect.adjusted(kPadding, 8, -kPadding, -8);
    paintGlyph({inner.left(), inner.top() + 2, kGlyph, kGlyph}, node);
    const double left = inner.left() + kGlyph + 9, width = inner.right() - left;
    const QString name = fromStd(node.name);
    const double nameWidth = std::min(width, QFontMetricsF(m_bold).horizontalAdvance(name) + 2);
    text({left, inner.top() - 1, nameWidth, 17}, name, m_colors.text, Qt::AlignLeft, true);
    if (width - nameWidth > 34)
        text({left + nameWidth + 8, inner.top() - 1, width - nameWidth - 8, 17}, node.typeLabel,
             m_colors.mutedText, Qt::AlignRight);
    text({left, inner.top() + 16, width, 17}, node.summary, m_colors.text, Qt::AlignLeft);
    if (node.summary.isEmpty()) // its place is free for what comes out
        paintCorners({left, inner.top() + 16, width, 17}, node);
    else
        paintCorners({inner.left(), inner.top() + 39, inner.width(), 17}, node);
    if (node.isWrong())
        paintFinding(rect, node, isBox ? QString() : m_scene.fixes[static_cast<std::size_t>(index)]);
    else if (const auto heat = heatOf(index))
        paintHeatOfNode(m_painter, rect, m_scene.heat, *heat);
}

/// What comes out on the left, what it costs on the right: two texts a line leave room for large numbers.
void NetworkPainter::paintCorners(QRectF line, const GraphNode& node) {
    const auto pair = [&](const QString& left, const QString& right, const QColor& color) {
        text(line, left, color, Qt::AlignLeft);
        const double taken = left.isEmpty() ? 0 : QFontMetricsF(m_font).horizontalAdvance(left) + 10;
        text(line.adjusted(taken, 0, 0, 0), right, m_colors.mutedText, Qt::AlignRight);
        line.translate(0, NetworkLayout::kFigureHeight);
    };
    pair(node.output ? shapeText(*node.output) : tr("no shape"),
         node.output ? fromStd(formatBytes(node.outputBytes)) : QString(),
         node.output ? m_colors.text : m_colors.mutedText);
    pair(parametersText(node), multiplyAddsText(node), m_colors.mutedText);
}

void NetworkPainter::paintLeaf(const QRectF& rect) {
    m_painter.setPen(QPen(m_colors.border, 1));
    m_painter.setBrush(m_colors.raised);
    m_painter.drawRoundedRect(rect.translated(5, 5), kNodeRadius, kNodeRadius);
}

void NetworkPainter::paintGroup(std::size_t number) {
    const QRectF& frame = m_scene.layout.frames[number];
    const bool selected = m_scene.group == static_cast<int>(number);
    QColor fill = m_colors.raised;
    fill.setAlphaF(0.55f);
    m_painter.setBrush(fill);
    m_painter.setPen(QPen(selected ? m_colors.accent : m_colors.border, selected ? 2 : 1, Qt::DashLine));
    m_painter.drawRoundedRect(frame, kNodeRadius, kNodeRadius);
    const QRectF title = NetworkLayout::titleOf(frame).adjusted(kPadding, 0, -kPadding, 0);
    text(title.adjusted(0, 0, -title.width() * 0.62, 0),
         QStringLiteral("▾ ") + fromStd(m_scene.graph.groups[number].name), m_colors.text, Qt::AlignLeft,
         true);
    text(title.adjusted(title.width() * 0.7, 0, 0, 0), m_scene.graph.boxes[number].typeLabel,
         m_colors.mutedText, Qt::AlignRight);
}

void NetworkPainter::paintBand() {
    if (m_scene.band.isNull())
        return;
    QColor fill = m_colors.accent;
    fill.setAlphaF(0.12f);
    m_painter.setPen(QPen(m_colors.accent, 1));
    m_painter.setBrush(fill);
    m_painter.drawRect(m_scene.band);
}

/// Two lines; the rest is in the tooltip.
void NetworkPainter::paintFinding(const QRectF& rect, const GraphNode& node, const QString& fix) {
    QRectF place(rect.left() + kPadding, rect.bottom() - NetworkLayout::kErrorHeight,
                 rect.width() - 2 * kPadding, NetworkLayout::kErrorHeight - 4);
    if (!fix.isEmpty()) {
        const QRectF button = fixRect(rect, fix);
        m_painter.setPen(QPen(m_colors.accent, 1));
        m_painter.setBrush(m_colors.raised);
        m_painter.drawRoundedRect(button, 4, 4);
        text(button.adjusted(4, 0, -4, 0), fix, m_colors.accent, Qt::AlignHCenter, true);
        place.setRight(button.left() - 6);
    }
    constexpr double kLines = 1.8; // words do not fill a line to its end
    QString sentence = findingSentence(node.findings);
    if (const QString own = QStringLiteral("Layer \"%1\": ").arg(fromStd(node.name));
        sentence.startsWith(own))
        sentence = sentence.mid(own.size()); // it stands on the layer
    if (!sentence.isEmpty())
        sentence[0] = sentence.at(0).toUpper();
    m_painter.setFont(m_font);
    m_painter.setPen(m_colors.error);
    m_painter.drawText(place, Qt::AlignVCenter | Qt::TextWordWrap,
                       QFontMetricsF(m_font).elidedText(sentence, Qt::ElideRight, kLines * place.width()));
}

} // namespace heteroscope::ui
