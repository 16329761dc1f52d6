// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/openmp/team_product.h"

#include <algorithm>

namespace heteroscope::compute::openmp {
namespace {

/// Below this many multiply-adds, and so many more for each thread that has to be woken, one is as fast as a
/// team.
constexpr double kTeamProductWork = 64.0 * 64 * 64, kThreadWork = 16.0 * 1024;
constexpr std::int64_t kLine = 16;       ///< floats of a cache line
constexpr std::int64_t kSumFloats = 512; ///< elements whose partial sums are added at a time

int threadsFor(const Product& product, int threads) {
    const double work =
        static_cast<double>(product.m) * static_cast<double>(product.n) * static_cast<double>(product.k);
    return work < kTeamProductWork + kThreadWork * threads ? 1 : threads;
}

} // namespace

TeamProduct::TeamProduct(const Product& product, int threads, const GemmCosts& costs)
    : m_product(product),
      m_threads(threadsFor(product, threads)),
      m_costs(costs),
      m_splits(depthSplits(product)),
      m_grid(gemmGrid(product, m_splits, m_threads, costs)) {}

std::int64_t TeamProduct::mostRows() const {
    return partOf(m_product.m, m_costs.rowUnit, 0, m_grid.rows).size();
}

std::int64_t TeamProduct::mostColumns() const {
    return partOf(m_product.n, m_costs.columnUnit, 0, m_grid.columns).size();
}

std::int64_t TeamProduct::mostDepth() const {
    return partOf(m_product.k, 1, 0, m_splits).size();
}

std::int64_t TeamProduct::memberStride() const {
    return (memberFloats() + kLine - 1) / kLine * kLine;
}

/// The partial sums lie behind the memory of those members that have a cell.
std::int64_t TeamProduct::partialsAt() const {
    return m_grid.cells() * memberStride();
}

std::size_t TeamProduct::workspaceBytes() const {
    const std::int64_t partials = m_splits > 1 ? m_splits * m_product.m * m_product.n : 0;
    return static_cast<std::size_t>(partialsAt() + partials) * sizeof(float);
}

void TeamProduct::run(const ProductOperands& operands, float* workspace, Member member) const {
    float* const partials = workspace + partialsAt();
    for (std::int64_t cell = member.index; cell < m_grid.cells(); cell += member.count)
        multiplyCell(operands, cell, workspace + member.index * memberStride(), partials);
    if (m_splits == 1)
        return;
    member.waitForTeam();
    addPartials(operands, partials, member);
}

void TeamProduct::multiplyCell(const ProductOperands& operands, std::int64_t cell, float* workspace,
                               float* partials) const {
    const std::int64_t n = m_product.n;
    const Range splits = partOf(m_splits, 1, cell / (m_grid.rows * m_grid.columns), m_grid.splits);
    const Range rows = partOf(m_product.m, m_costs.rowUnit, cell / m_grid.columns % m_grid.rows, m_grid.rows);
    const Range columns = partOf(n, m_costs.columnUnit, cell % m_grid.columns, m_grid.columns);
    for (std::int64_t split = splits.begin; split < splits.end; ++split) {
        float* const c = m_splits == 1 ? operands.c : partials + split * m_product.m * n;
        const float* const bias = m_splits == 1 ? operands.bias : nullptr;
        multiply({rows, columns, partOf(m_product.k, 1, split, m_splits), operands.a, operands.b,
                  c + rows.begin * n + columns.begin, n, bias == nullptr ? nullptr : bias + columns.begin},
                 workspace);
    }
}

/// The splits' sums in their order, then the bias.
void TeamProduct::addPartials(const ProductOperands& operands, const float* partials, Member member) const {
    const std::int64_t n = m_product.n, elements = m_product.m * n;
    const Share mine = shareOf(elements, member);
    for (std::int64_t begin = mine.begin; begin < mine.end; begin += kSumFloats) {
        const std::int64_t end = std::min(begin + kSumFloats, mine.end);
        std::copy(partials + begin, partials + end, operands.c + begin);
        for (std::int64_t split = 1; split < m_splits; ++split) {
            const float* const part = partials + split * elements;
            for (std::int64_t i = begin; i < end; ++i)
                operands.c[i] += part[i];
        }
        for (std::int64_t i = begin; operands.bias != nullptr && i < end; ++i)
            operands.c[i] += operands.bias[i % n];
    }
}

} // namespace heteroscope::compute::openmp
