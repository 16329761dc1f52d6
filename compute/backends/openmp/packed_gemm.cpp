// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/openmp/packed_gemm.h"

#include <algorithm>

namespace heteroscope::compute::openmp {
namespace {

/// So few rows of C read B where it lies: packing it would take as long as multiplying it. Rows of two tiles.
constexpr std::int64_t kTilesOnUnpacked = 2;
/// Between panels, so that rows of several panels, which are written one after the other, do not all fall
/// into the same lines of the first cache.
constexpr std::int64_t kPanelGap = 16;
constexpr std::int64_t kLineFloats = 16; ///< of a line of the caches

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
    return (value + unit - 1) / unit * unit;
}

GemmCosts costsOf(const GemmKernels& kernels) {
    // In cycles: two vectors of products, a quarter of one of an operand.
    return {1, kernels.width, kernels.rows, 0.5 / kernels.width, 4.0 / kernels.width};
}

} // namespace

/// Rows and columns within the part, depth within the product.
struct PackedGemm::Block {
    Range rows, columns, depth;
};

/// Where B's block lies: its first `whole` columns in panels from b on, the others in one at `tail`.
struct PackedGemm::Panels {
    const float* b;
    std::int64_t stride;               ///< from one row of B to the next
    std::int64_t columns, panelStride; ///< of a panel, and floats from one to the next
    std::int64_t whole;
    const float* tail;
};

struct PackedGemm::Panel {
    const float* b;
    std::int64_t stride;
    Range columns; ///< within the block
};

PackedGemm::PackedGemm(const Product& product, const Settings& settings)
    : PackedGemm(product, settings,
                 gemmBlocking(kernelsFor(settings.simd).gemm.rows,
                              std::int64_t{2} * kernelsFor(settings.simd).gemm.width)) {}

PackedGemm::PackedGemm(const Product& product, const Settings& settings, const GemmBlocking& blocking)
    : TeamProduct(product, settings.threads, costsOf(kernelsFor(settings.simd).gemm)),
      m_kernels(kernelsFor(settings.simd).gemm),
      m_blocking(blocking) {}

bool PackedGemm::packsB() const {
    const MatrixStrides& stride = product().b;
    if (stride.column != 1)
        return true;
    const bool close = stride.row % kLineFloats == 0 &&
                       stride.row * std::min(m_blocking.depth, mostDepth()) <= m_blocking.unpacked;
    return !close && tilesOf(mostRows()) > kTilesOnUnpacked;
}

/// Of A at a time: where B is not packed, all of few rows, so that its panels are read once.
std::int64_t PackedGemm::blockRows() const {
    const bool few = !packsB() && tilesOf(mostRows()) <= kTilesOnUnpacked;
    return few ? mostRows() : std::min(m_blocking.rows, mostRows());
}

std::int64_t PackedGemm::panelStride(std::int64_t depth) const {
    return std::int64_t{2} * m_kernels.width * depth + kPanelGap;
}

std::int64_t PackedGemm::blockFloatsA() const {
    return roundUp(blockRows() * std::min(m_blocking.depth, mostDepth()), kPanelGap);
}

std::int64_t PackedGemm::memberFloats() const {
    const std::int64_t depth = std::min(m_blocking.depth, mostDepth()), width = m_kernels.width;
    if (!packsB())
        return blockFloatsA() + 2 * width * depth;
    const std::int64_t columns = std::min(m_blocking.columns, mostColumns());
    return blockFloatsA() + (columns + 2 * width - 1) / (2 * width) * panelStride(depth);
}

void PackedGemm::multiply(const ProductPart& part, float* workspace) const {
    const std::int64_t columns = part.columns.size(), depth = part.depth.size();
    const std::int64_t across = packsB() ? (columns + m_blocking.columns - 1) / m_blocking.columns : 1;
    const std::int64_t depths = (depth + m_blocking.depth - 1) / m_blocking.depth;
    for (std::int64_t j = 0; j < across; ++j) {
        for (std::int64_t d = 0; d < depths; ++d) {
            const Range within = partOf(depth, 1, d, depths);
            multiplyColumns(part,
                            {{},
                             partOf(columns, std::int64_t{2} * m_kernels.width, j, across),
                             {part.depth.begin + within.begin, part.depth.begin + within.end}},
                            workspace);
        }
    }
}

/// All rows of the block's columns and depth.
void PackedGemm::multiplyColumns(const ProductPart& part, Block block, float* workspace) const {
    const Panels panels = layOutB(part, block, workspace + blockFloatsA());
    const std::int64_t rows = part.rows.size(), columns = block.columns.size();
    const std::int64_t blocks = (rows + blockRows() - 1) / blockRows();
    for (std::int64_t i = 0; i < blocks; ++i) {
        block.rows = partOf(rows, 1, i, blocks);
        packA(part, block, workspace);
        for (std::int64_t j = 0; j < panels.whole; j += panels.columns)
            multiplyPanel(part, block, workspace,
                          {panels.b + j / panels.columns * panels.panelStride,
                           panels.stride,
                           {j, std::min(j + panels.columns, panels.whole)}});
        if (panels.whole < columns)
            multiplyPanel(part, block, workspace,
                          {panels.tail, std::int64_t{2} * m_kernels.width, {panels.whole, columns}});
    }
}

/// Packed in panels of two vectors, with zeros beyond the last column. Where few rows follow only columns
/// that do not fill a vector are packed, and panels of the others are as wide as the registers allow.
PackedGemm::Panels PackedGemm::layOutB(const ProductPart& part, const Block& block, float* to) const {
    const MatrixStrides& stride = product().b;
    const std::int64_t columns = block.columns.size(), depth = block.depth.size(), width = m_kernels.width;
    const float* const from =
        part.b + block.depth.begin * stride.row + (part.columns.begin + block.columns.begin) * stride.column;
    if (!packsB()) {
        const std::int64_t whole = columns / width * width;
        if (whole < columns)
            m_kernels.packPanels(columns - whole, depth, from + whole, stride.row, to, 0);
        const std::int64_t panel = mostVectors(part.rows.size()) * width;
        return {from, stride.row, panel, panel, whole, to};
    }
    const std::int64_t panelFloats = panelStride(depth);
    if (stride.column == 1)
        m_kernels.packPanels(columns, depth, from, stride.row, to, panelFloats);
    for (std::int64_t j = 0; stride.column != 1 && j < columns; j += 2 * width)
        m_kernels.packTransposed(std::min(2 * width, columns - j), depth, from + j * stride.column,
                                 stride.column, to + j / (2 * width) * panelFloats, 2 * width);
    return {to, 2 * width, 2 * width, panelFloats, columns, nullptr};
}

/// Of the highest tile of a part with that many rows.
std::int64_t PackedGemm::mostVectors(std::int64_t partRows) const {
    const std::int64_t rows = std::min(partRows, blockRows()), tiles = tilesOf(rows),
                       highest = (rows + tiles - 1) / tiles;
    std::int64_t vectors = GemmKernels::kMostVectors;
    while (m_kernels.tile[highest - 1][vectors - 1] == nullptr)
        --vectors;
    return vectors;
}

std::int64_t PackedGemm::tilesOf(std::int64_t rows) const {
    return (rows + m_kernels.rows - 1) / m_kernels.rows;
}

/// Tile after tile, each in groups of its rows, one group for each depth.
void PackedGemm::packA(const ProductPart& part, const Block& block, float* to) const {
    const MatrixStrides& stride = product().a;
    const std::int64_t depth = block.depth.size(), tiles = tilesOf(block.rows.size());
    const float* const from =
        part.a + (part.rows.begin + block.rows.begin) * stride.row + block.depth.begin * stride.column;
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const Range rows = partOf(block.rows.size(), 1, tile, tiles);
        if (stride.column == 1)
            m_kernels.packTransposed(rows.size(), depth, from + rows.begin * stride.row, stride.row,
                                     to + rows.begin * depth, rows.size());
        else
            m_kernels.packLines(rows.size(), depth, from + rows.begin, stride.column,
                                to + rows.begin * depth);
    }
}

void PackedGemm::multiplyPanel(const ProductPart& part, const Block& block, const float* packedA,
                               const Panel& panel) const {
    const std::int64_t depth = block.depth.size(), tiles = tilesOf(block.rows.size());
    const std::int64_t vectors = (panel.columns.size() + m_kernels.width - 1) / m_kernels.width;
    const std::int64_t column = block.columns.begin + panel.columns.begin;
    const bool first = block.depth.begin == part.depth.begin;
    GemmTileRun run{depth,   packedA, panel.b, panel.stride, nullptr, part.ldc, panel.columns.size(),
                    nullptr, 0};
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
        const Range rows = partOf(block.rows.size(), 1, tile, tiles);
        run.a = packedA + rows.begin * depth;
        run.c = part.c + (block.rows.begin + rows.begin) * part.ldc + column;
        run.start = run.c;
        run.startStride = part.ldc;
        if (first) {
            run.start = part.start == nullptr ? nullptr : part.start + column;
            run.startStride = 0;
        }
        m_kernels.tile[rows.size() - 1][vectors - 1](run);
    }
}

} // namespace heteroscope::compute::openmp
