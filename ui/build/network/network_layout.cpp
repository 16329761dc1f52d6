// SPDX-License-Identifier: GPL-3.0-or-later
// Rows, order within a row, positions, ways of the edges.
#include "ui/build/network/network_layout.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace heteroscope::ui {

namespace {

constexpr double kNear = 9; ///< pixels from an edge that still mean it
constexpr int kSweeps = 4;
constexpr double kPortMargin = 24, kPortGap = 16;

/// A node, or the place where a long edge crosses a row.
struct Slot {
    int node = kInputNode; ///< of a lane: -2
    int edge = -1;         ///< of a lane
    int row = 0;
    double width = 0, height = 0, x = 0;
    std::vector<std::size_t> above, below; ///< their numbers
};

class Placer {
  public:
    explicit Placer(const NetworkGraph& graph) : m_graph(graph) {}

    NetworkLayout place() {
        findEdges();
        findRows();
        makeSlots();
        for (int sweep = 0; sweep < kSweeps; ++sweep)
            orderRows(sweep % 2 == 0);
        for (const auto& row : m_rows)
            spread(row);
        fill();
        return std::move(m_layout);
    }

  private:
    int count() const { return static_cast<int>(m_graph.layers.size()); }

    /// Between shown nodes, each pair once, in the order of their layers.
    void findEdges() {
        std::set<std::pair<int, int>> seen;
        for (const GraphEdge& edge : m_graph.edges) {
            const int from = m_graph.shownAs(edge.from), to = m_graph.shownAs(edge.to);
            const bool boxed = m_graph.boxAt(from) >= 0 || m_graph.boxAt(to) >= 0;
            if (from == to || (boxed && !seen.emplace(from, to).second))
                continue;
            m_layout.edges.push_back({edge, from, to, {}, {}});
        }
    }

    void findRows() {
        m_layout.rows.assign(m_graph.layers.size(), 1);
        const auto row = [this](int node) -> int& { return m_layout.rows[static_cast<std::size_t>(node)]; };
        std::size_t next = 0;
        int before = kInputNode;
        for (int node = 0; node < count(); ++node) {
            if (!m_graph.isShown(node))
                continue;
            bool isRead = false;
            for (; next < m_layout.edges.size() && m_layout.edges[next].to == node; ++next) {
                const int from = m_layout.edges[next].from;
                row(node) = std::max(row(node), (from == kInputNode ? 0 : row(from)) + 1);
                isRead = true;
            }
            if (!isRead && before >= 0) // one whose input is unknown stays below its neighbour
                row(node) = row(before) + 1;
            before = node;
        }
        const auto last = std::max_element(m_layout.rows.begin(), m_layout.rows.end());
        m_rows.resize(last == m_layout.rows.end() ? 1 : static_cast<std::size_t>(*last) + 1);
    }

    std::size_t addSlot(Slot slot) {
        m_rows[static_cast<std::size_t>(slot.row)].push_back(m_slots.size());
        m_slots.push_back(std::move(slot));
        return m_slots.size() - 1;
    }

    void join(std::size_t upper, std::size_t lower) {
        m_slots[upper].below.push_back(lower);
        m_slots[lower].above.push_back(upper);
    }

    static double heightOf(const GraphNode& node) {
        return NetworkLayout::kNodeHeight - (node.summary.isEmpty() ? NetworkLayout::kSummaryHeight : 0) +
               (node.parameters > 0 || node.multiplyAdds > 0 ? NetworkLayout::kFigureHeight : 0) +
               (node.isWrong() ? NetworkLayout::kErrorHeight : 0);
    }

    void makeSlots() {
        std::map<int, std::size_t> byNode;
        byNode[kInputNode] =
            addSlot({kInputNode, -1, 0, NetworkLayout::kNodeWidth, NetworkLayout::kInputHeight, 0, {}, {}});
        for (int node = 0; node < count(); ++node)
            if (m_graph.isShown(node))
                byNode[node] = addSlot({node,
                                        -1,
                                        m_layout.rows[static_cast<std::size_t>(node)],
                                        NetworkLayout::kNodeWidth,
                                        heightOf(m_graph.shown(node)),
                                        0,
                                        {},
                                        {}});
        m_ways.resize(m_layout.edges.size());
        for (std::size_t i = 0; i < m_layout.edges.size(); ++i) {
            std::size_t at = byNode.at(m_layout.edges[i].from);
            const std::size_t end = byNode.at(m_layout.edges[i].to);
            for (int row = m_slots[at].row + 1; row < m_slots[end].row; ++row) {
                const std::size_t lane =
                    addSlot({-2, static_cast<int>(i), row, NetworkLayout::kLaneWidth, 0, 0, {}, {}});
                m_ways[i].push_back(lane);
                join(at, lane);
                at = lane;
            }
            join(at, end);
        }
    }

    double meanPlace(const std::vector<std::size_t>& neighbours, double otherwise) const {
        if (neighbours.empty())
            return otherwise;
        double sum = 0;
        for (const std::size_t neighbour : neighbours)
            sum += m_place[neighbour];
        return sum / static_cast<double>(neighbours.size());
    }

    /// Each row by the mean place of its neighbours in the row before (or after).
    void orderRows(bool downwards) {
        m_place.resize(m_slots.size());
        const auto number = [this](const std::vector<std::size_t>& row) {
            for (std::size_t i = 0; i < row.size(); ++i)
                m_place[row[i]] = static_cast<double>(i) - static_cast<double>(row.size()) / 2;
        };
        for (const auto& row : m_rows)
            number(row);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            auto& row = m_rows[downwards ? i : m_rows.size() - 1 - i];
            std::vector<double> wanted(m_slots.size());
            for (const std::size_t slot : row)
                wanted[slot] =
                    meanPlace(downwards ? m_slots[slot].above : m_slots[slot].below, m_place[slot]);
            std::stable_sort(row.begin(), row.end(),
                             [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
            number(row);
        }
    }

    double goalOf(std::size_t slot) const {
        return m_slots[slot].above.empty() ? 0 : m_slots[m_slots[slot].above.front()].x;
    }

    /// The first layer of a row stands right below its first input, so that a chain is a straight line; the
    /// others go beside it, below theirs where there is room.
    void spread(const std::vector<std::size_t>& row) {
        const auto place = [&](std::size_t i) {
            const Slot& slot = m_slots[row[i]];
            return slot.node >= kInputNode ? slot.node : count();
        };
        std::size_t anchor = 0;
        for (std::size_t i = 1; i < row.size(); ++i)
            if (place(i) < place(anchor))
                anchor = i;
        m_slots[row[anchor]].x = goalOf(row[anchor]);
        const auto between = [&](std::size_t a, std::size_t b) {
            return (m_slots[row[a]].width + m_slots[row[b]].width) / 2 + NetworkLayout::kColumnGap;
        };
        for (std::size_t i = anchor + 1; i < row.size(); ++i)
            m_slots[row[i]].x = std::max(goalOf(row[i]), m_slots[row[i - 1]].x + between(i - 1, i));
        for (std::size_t i = anchor; i-- > 0;)
            m_slots[row[i]].x = std::min(goalOf(row[i]), m_slots[row[i + 1]].x - between(i, i + 1));
    }

    /// Room above a row for the titles of open groups that begin there.
    double roomAbove(const std::vector<std::size_t>& row) const {
        const bool any = std::any_of(row.begin(), row.end(), [this](std::size_t slot) {
            const int node = m_slots[slot].node;
            const int group = node < 0 ? -1 : m_graph.groupOf(node);
            return group >= 0 && !m_graph.groups[static_cast<std::size_t>(group)].collapsed &&
                   m_graph.groups[static_cast<std::size_t>(group)].first == node;
        });
        return any ? NetworkLayout::kFrameTitle : 0;
    }

    void fill() {
        m_layout.nodes.resize(m_graph.layers.size());
        double top = 0;
        for (const auto& row : m_rows) {
            top += roomAbove(row);
            double height = 0;
            for (const std::size_t index : row)
                height = std::max(height, m_slots[index].height);
            for (const std::size_t index : row)
                put(m_slots[index], top);
            m_tops.emplace_back(top, height);
            top += height + NetworkLayout::kRowGap;
        }
        m_layout.bounds = m_layout.input;
        for (const QRectF& rect : m_layout.nodes)
            m_layout.bounds |= rect;
        for (std::size_t i = 0; i < m_layout.edges.size(); ++i)
            lead(m_layout.edges[i], m_ways[i]);
        addFrames();
    }

    void put(const Slot& slot, double top) {
        QRectF rect(slot.x - slot.width / 2, top, slot.width, slot.height);
        if (const auto moved = m_graph.places.find(slot.node); moved != m_graph.places.end())
            rect.moveTopLeft(moved->second);
        if (slot.node == kInputNode)
            m_layout.input = rect;
        else if (slot.node >= 0)
            m_layout.nodes[static_cast<std::size_t>(slot.node)] = rect;
    }

    /// Where an edge from or to `x` meets a box: straight, where that can be, and beside other edges' ends.
    static double portOf(const QRectF& rect, double x, std::set<double>& taken) {
        double port = std::clamp(x, rect.left() + kPortMargin, rect.right() - kPortMargin);
        const auto isTaken = [&](double place) {
            const auto near = taken.lower_bound(place - kPortGap / 2);
            return near != taken.end() && *near < place + kPortGap / 2;
        };
        while (isTaken(port) && port + kPortGap < rect.right())
            port += kPortGap;
        taken.insert(port);
        return port;
    }

    /// The way of an edge: around what lies between, or straight where a person moved one of its ends.
    void lead(PlacedEdge& placed, const std::vector<std::size_t>& way) {
        const QRectF from = m_layout.rectOf(placed.from), to = m_layout.rectOf(placed.to);
        const bool moved = m_graph.places.contains(placed.from) || m_graph.places.contains(placed.to);
        const bool direct = moved || way.empty();
        const double first = direct ? from.center().x() : m_slots[way.front()].x;
        std::set<double> free;
        placed.points.emplace_back(portOf(from, first, free), from.bottom());
        if (!direct)
            for (const std::size_t lane : way) {
                const auto [top, height] = m_tops[static_cast<std::size_t>(m_slots[lane].row)];
                placed.points.emplace_back(m_slots[lane].x, top);
                placed.points.emplace_back(m_slots[lane].x, top + height);
            }
        const double last = placed.points.back().x();
        placed.points.emplace_back(portOf(to, last, m_ports[placed.to]), to.top());
        const QPointF a = placed.points[placed.points.size() - 2], b = placed.points.back();
        const QPointF middle = direct ? (a + b) / 2 : (placed.points[1] + placed.points[2]) / 2;
        placed.label = QRectF(middle.x() - 60, middle.y() - 9, 120, 18);
        for (const QPointF& point : placed.points)
            m_layout.bounds |= QRectF(point.x() - 60, point.y(), 120, 1);
    }

    void addFrames() {
        for (const compute::LayerGroup& group : m_graph.groups) {
            QRectF frame;
            for (int layer = group.first; !group.collapsed && layer <= group.last; ++layer)
                frame |= m_layout.nodes[static_cast<std::size_t>(layer)];
            const double margin = NetworkLayout::kFrameMargin;
            m_layout.frames.push_back(
                group.collapsed ? QRectF()
                                : frame.adjusted(-margin, -NetworkLayout::kFrameTitle, margin, margin));
            m_layout.bounds |= m_layout.frames.back();
        }
    }

    const NetworkGraph& m_graph;
    NetworkLayout m_layout;
    std::vector<Slot> m_slots;
    std::vector<std::vector<std::size_t>> m_rows, m_ways;
    std::vector<double> m_place;
    std::vector<std::pair<double, double>> m_tops; ///< of each row: top and height
    std::map<int, std::set<double>> m_ports;       ///< ends of edges on the upper side of each node
};

double distanceTo(const QPointF& a, const QPointF& b, const QPointF& point) {
    const QPointF along = b - a;
    const double length = QPointF::dotProduct(along, along);
    const double share =
        length == 0 ? 0 : std::clamp(QPointF::dotProduct(point - a, along) / length, 0.0, 1.0);
    return QLineF(point, a + along * share).length();
}

} // namespace

int NetworkLayout::nodeAt(const QPointF& point) const {
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].contains(point))
            return static_cast<int>(i);
    return input.contains(point) ? kInputNode : -2;
}

int NetworkLayout::edgeAt(const QPointF& point) const {
    int nearest = -1;
    double least = kNear;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const auto& points = edges[i].points;
        double distance = edges[i].label.contains(point) ? 0 : least;
        for (std::size_t j = 0; j + 1 < points.size(); ++j)
            distance = std::min(distance, distanceTo(points[j], points[j + 1], point));
        if (distance < least) {
            least = distance;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

QRectF NetworkLayout::titleOf(const QRectF& frame) {
    return {frame.left(), frame.top(), frame.width(), kFrameTitle - 4};
}

int NetworkLayout::titleAt(const QPointF& point) const {
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (!frames[i].isNull() && titleOf(frames[i]).contains(point))
            return static_cast<int>(i);
    return -1;
}

NetworkLayout layOutNetwork(const NetworkGraph& graph) {
    return Placer(graph).place();
}

} // namespace heteroscope::ui
