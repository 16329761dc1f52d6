// SPDX-License-Identifier: GPL-3.0-or-later
// Rows, order within a row, positions, ways of the edges.
#include "ui/build/network/network_layout.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace heteroscope::ui {

namespace {

constexpr double kNear = 9; ///< pixels from an edge that still mean it
constexpr int kSweeps = 4;

/// A node, or the place where a long edge crosses a row.
struct Slot {
    int node = kInputNode; ///< of a lane: -2
    int edge = -1;         ///< of a lane
    int row = 0;
    double width = 0, height = 0, x = 0;
    std::vector<std::size_t> above, below; ///< slots
};

class Placer {
  public:
    explicit Placer(const NetworkGraph& graph) : m_graph(graph) {}

    NetworkLayout place() {
        findRows();
        makeSlots();
        for (int sweep = 0; sweep < kSweeps; ++sweep)
            orderRows(sweep % 2 == 0);
        spreadRows();
        fill();
        return std::move(m_layout);
    }

  private:
    void findRows() {
        const std::size_t count = m_graph.layers.size();
        m_layout.rows.assign(count, 1);
        for (const GraphEdge& edge : m_graph.edges) { // in the order of their layers
            const int before =
                edge.from == kInputNode ? 0 : m_layout.rows[static_cast<std::size_t>(edge.from)];
            int& row = m_layout.rows[static_cast<std::size_t>(edge.to)];
            row = std::max(row, before + 1);
        }
        for (std::size_t i = 1; i < count; ++i) // one whose input is unknown stays below its neighbour
            if (m_graph.sourcesOf(static_cast<int>(i)).empty())
                m_layout.rows[i] = m_layout.rows[i - 1] + 1;
        const int last = count == 0 ? 0 : *std::max_element(m_layout.rows.begin(), m_layout.rows.end());
        m_rows.resize(static_cast<std::size_t>(last) + 1);
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

    void makeSlots() {
        addSlot({kInputNode, -1, 0, NetworkLayout::kNodeWidth, NetworkLayout::kInputHeight, 0, {}, {}});
        for (std::size_t i = 0; i < m_graph.layers.size(); ++i) {
            const double height =
                NetworkLayout::kNodeHeight + (m_graph.layers[i].isWrong() ? NetworkLayout::kErrorHeight : 0);
            addSlot(
                {static_cast<int>(i), -1, m_layout.rows[i], NetworkLayout::kNodeWidth, height, 0, {}, {}});
        }
        m_ways.resize(m_graph.edges.size());
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i) {
            const GraphEdge& edge = m_graph.edges[i];
            std::size_t at = static_cast<std::size_t>(edge.from + 1);
            const std::size_t end = static_cast<std::size_t>(edge.to + 1);
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

    /// Below their sources where there is room; a row is shifted as a whole so that it misses them least.
    void spreadRows() {
        for (const auto& row : m_rows) {
            std::vector<double> wanted;
            double next = -1e18, missed = 0;
            for (const std::size_t index : row) {
                Slot& slot = m_slots[index];
                double sum = 0;
                for (const std::size_t above : slot.above)
                    sum += m_slots[above].x;
                const double goal = slot.above.empty() ? 0 : sum / static_cast<double>(slot.above.size());
                slot.x = std::max(goal, next + slot.width / 2);
                next = slot.x + slot.width / 2 + NetworkLayout::kColumnGap;
                missed += goal - slot.x;
            }
            for (const std::size_t index : row)
                m_slots[index].x += missed / static_cast<double>(std::max<std::size_t>(row.size(), 1));
        }
    }

    void fill() {
        m_layout.nodes.resize(m_graph.layers.size());
        double top = 0;
        m_tops.clear();
        for (const auto& row : m_rows) {
            double height = 0;
            for (const std::size_t index : row)
                height = std::max(height, m_slots[index].height);
            for (const std::size_t index : row) {
                const Slot& slot = m_slots[index];
                const QRectF rect(slot.x - slot.width / 2, top, slot.width, slot.height);
                if (slot.node == kInputNode)
                    m_layout.input = rect;
                else if (slot.node >= 0)
                    m_layout.nodes[static_cast<std::size_t>(slot.node)] = rect;
            }
            m_tops.emplace_back(top, height);
            top += height + NetworkLayout::kRowGap;
        }
        m_layout.bounds = m_layout.input;
        for (const QRectF& rect : m_layout.nodes)
            m_layout.bounds |= rect;
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
            addEdge(i);
    }

    void addEdge(std::size_t number) {
        const GraphEdge& edge = m_graph.edges[number];
        const QRectF from = m_layout.rectOf(edge.from), to = m_layout.rectOf(edge.to);
        PlacedEdge placed{edge, {{from.center().x(), from.bottom()}}, {}};
        for (const std::size_t lane : m_ways[number]) {
            const auto [top, height] = m_tops[static_cast<std::size_t>(m_slots[lane].row)];
            placed.points.emplace_back(m_slots[lane].x, top);
            placed.points.emplace_back(m_slots[lane].x, top + height);
        }
        const auto inputs =
            static_cast<double>(m_graph.layers[static_cast<std::size_t>(edge.to)].inputs.size());
        const double share = (static_cast<double>(edge.slot) + 1) / (inputs + 1);
        placed.points.emplace_back(to.left() + to.width() * share, to.top());
        const QPointF a = placed.points[placed.points.size() - 2], b = placed.points.back();
        const QPointF middle =
            m_ways[number].empty() ? (a + b) / 2 : (placed.points[1] + placed.points[2]) / 2;
        placed.label = QRectF(middle.x() - 60, middle.y() - 9, 120, 18);
        for (const QPointF& point : placed.points)
            m_layout.bounds |= QRectF(point.x() - 60, point.y(), 120, 1);
        m_layout.edges.push_back(std::move(placed));
    }

    const NetworkGraph& m_graph;
    NetworkLayout m_layout;
    std::vector<Slot> m_slots;
    std::vector<std::vector<std::size_t>> m_rows, m_ways;
    std::vector<double> m_place;
    std::vector<std::pair<double, double>> m_tops; ///< of each row: top and height
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

NetworkLayout layOutNetwork(const NetworkGraph& graph) {
    return Placer(graph).place();
}

} // namespace heteroscope::ui
