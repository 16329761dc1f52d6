// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/openmp/packed_gemm.h"

#include <algorithm>

namespace heteroscope::compute::openmp {
namespace {

constexpr std::int64_t kDepth = 256;         ///< of a slice: a B sliver of 32 columns takes 32 KiB
constexpr std::int64_t kSliceRows = 4032;    ///< of A packed at a time: at most 4 MiB
constexpr std::int64_t kSliceColumns = 2048; ///< of B packed at a time: at most 2 MiB
constexpr std::int64_t kTaskRows = 96;       ///< of a task: 96 KiB of packed A stay in the second cache
constexpr std::int64_t kTaskColumns = 512;
/// Below this many multiply-adds one thread is as fast as a team.
constexpr double kTeamWork = 48.0 * 48 * 48;
constexpr int kMaxTile = 32 * 12;

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

} // namespace

PackedGemm::PackedGemm(const Product& product, const Settings& settings)
    : m_product(product), m_threads(settings.threads), m_kernel(kernelsFor(settings.simd).gemm) {
    const double work =
        static_cast<double>(product.m) * static_cast<double>(product.n) * static_cast<double>(product.k);
    if (work < kTeamWork)
        m_threads = 1;
}

std::int64_t PackedGemm::packedA() const {
    return roundUp(std::min(m_product.m, kSliceRows), m_kernel.rows) * std::min(m_product.k, kDepth) + 16;
}

std::int64_t PackedGemm::packedB() const {
    return roundUp(std::min(m_product.n, kSliceColumns), m_kernel.columns) * std::min(m_product.k, kDepth);
}

std::size_t PackedGemm::workspaceBytes() const {
    return static_cast<std::size_t>(packedA() + packedB()) * sizeof(float);
}

void PackedGemm::run(const float* a, const float* b, float* c, bool add, float* workspace,
                     Member member) const {
    const Pass pass{a, b, c, workspace + packedB(), workspace, add};
    Slice s{};
    for (s.column = 0; s.column < m_product.n; s.column += kSliceColumns) {
        s.columns = std::min(kSliceColumns, m_product.n - s.column);
        for (s.depth = 0; s.depth < m_product.k; s.depth += kDepth) {
            s.depths = std::min(kDepth, m_product.k - s.depth);
            packB(pass, s, member);
            multiplyRows(pass, s, member);
        }
    }
}

void PackedGemm::multiplyRows(const Pass& pass, Slice s, Member member) const {
    for (s.row = 0; s.row < m_product.m; s.row += kSliceRows) {
        s.rows = std::min(kSliceRows, m_product.m - s.row);
        packA(pass, s, member);
        member.waitForTeam();
        const std::int64_t across = (s.columns + kTaskColumns - 1) / kTaskColumns;
        const std::int64_t taskRows = roundUp(kTaskRows, m_kernel.rows);
        const std::int64_t down = (s.rows + taskRows - 1) / taskRows;
        const Share tasks = shareOf(across * down, member);
        for (std::int64_t task = tasks.begin; task < tasks.end; ++task)
            multiplyTask(pass, s, task / across * taskRows, task % across * kTaskColumns);
        member.waitForTeam();
    }
}

/// Slivers of kernel.columns columns, depth after depth, zeros beyond the matrix.
void PackedGemm::packB(const Pass& pass, const Slice& s, Member member) const {
    const std::int64_t width = m_kernel.columns;
    const MatrixSteps& step = m_product.b;
    const Share slivers = shareOf(roundUp(s.columns, width) / width, member);
    for (std::int64_t sliver = slivers.begin; sliver < slivers.end; ++sliver) {
        const std::int64_t first = sliver * width, filled = std::min(width, s.columns - first);
        float* to = pass.packedB + sliver * width * s.depths;
        const float* from = pass.b + s.depth * step.row + (s.column + first) * step.column;
        for (std::int64_t p = 0; p < s.depths; ++p) {
            if (step.column == 1)
                std::copy_n(from + p * step.row, filled, to + p * width);
            std::fill(to + p * width + filled, to + (p + 1) * width, 0.0F);
        }
        for (std::int64_t j = 0; step.column != 1 && j < filled; ++j)
            for (std::int64_t p = 0; p < s.depths; ++p)
                to[p * width + j] = from[p * step.row + j * step.column];
    }
}

/// Slivers of kernel.rows rows, transposed.
void PackedGemm::packA(const Pass& pass, const Slice& s, Member member) const {
    const std::int64_t height = m_kernel.rows;
    const MatrixSteps& step = m_product.a;
    const Share slivers = shareOf(roundUp(s.rows, height) / height, member);
    for (std::int64_t sliver = slivers.begin; sliver < slivers.end; ++sliver) {
        const std::int64_t first = sliver * height, filled = std::min(height, s.rows - first);
        float* to = pass.packedA + first * s.depths;
        const float* from = pass.a + (s.row + first) * step.row + s.depth * step.column;
        for (std::int64_t p = 0; p < s.depths; ++p) {
            if (step.row == 1)
                std::copy_n(from + p * step.column, filled, to + p * height);
            std::fill(to + p * height + filled, to + (p + 1) * height, 0.0F);
        }
        for (std::int64_t i = 0; step.row != 1 && i < filled; ++i)
            for (std::int64_t p = 0; p < s.depths; ++p)
                to[p * height + i] = from[i * step.row + p * step.column];
    }
}

void PackedGemm::multiplyTask(const Pass& pass, const Slice& s, std::int64_t rowBegin,
                              std::int64_t columnBegin) const {
    const std::int64_t rowEnd = std::min(rowBegin + roundUp(kTaskRows, m_kernel.rows), s.rows);
    const std::int64_t columnEnd = std::min(columnBegin + kTaskColumns, s.columns);
    for (std::int64_t column = columnBegin; column < columnEnd; column += m_kernel.columns) {
        for (std::int64_t row = rowBegin; row < rowEnd; row += m_kernel.rows)
            multiplyTile(pass, s, row, column);
    }
}

void PackedGemm::multiplyTile(const Pass& pass, const Slice& s, std::int64_t row, std::int64_t column) const {
    const float* a = pass.packedA + row * s.depths;
    const float* b = pass.packedB + column * s.depths;
    float* tile = pass.c + (s.row + row) * m_product.n + s.column + column;
    const bool add = pass.add || s.depth > 0;
    const std::int64_t rows = std::min<std::int64_t>(m_kernel.rows, s.rows - row);
    const std::int64_t columns = std::min<std::int64_t>(m_kernel.columns, s.columns - column);
    if (rows == m_kernel.rows && columns == m_kernel.columns) {
        m_kernel.tile(s.depths, a, b, tile, m_product.n, add);
        return;
    }
    float part[kMaxTile];
    m_kernel.tile(s.depths, a, b, part, m_kernel.columns, false);
    for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
            float& element = tile[i * m_product.n + j];
            element = part[i * m_kernel.columns + j] + (add ? element : 0.0F);
        }
    }
}

} // namespace heteroscope::compute::openmp
