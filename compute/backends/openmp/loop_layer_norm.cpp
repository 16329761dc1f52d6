// SPDX-License-Identifier: Apache-2.0
// Layer normalisation: rows are cut into parts whose sums are added in their order whatever the team, pixels
// are shared out.
#include "compute/backends/openmp/loop_ops.h"

#include <array>
#include <cmath>

namespace heteroscope::compute::openmp {
namespace {

using RowSums = std::array<double, 2>;

/// Parts of the rows of `columns` elements.
class Rows {
  public:
    Rows(const Crew& crew, std::int64_t rows, std::int64_t columns)
        : m_crew(crew), m_rows(rows), m_columns(columns), m_parts((columns + kPart - 1) / kPart) {}

    /// Of each row the sum of part(row, index of its first element, elements).
    template <class Part>
    std::vector<RowSums> sums(const Part& part) const {
        std::vector<RowSums> ofParts(static_cast<std::size_t>(m_rows * m_parts));
        each([&](std::int64_t row, std::int64_t first, std::int64_t count) {
            ofParts[static_cast<std::size_t>(row * m_parts + first / kPart)] = part(row, first, count);
        });
        if (m_parts == 1)
            return ofParts;
        std::vector<RowSums> ofRows(static_cast<std::size_t>(m_rows));
        for (std::size_t i = 0; i < ofParts.size(); ++i)
            for (std::size_t sum = 0; sum < 2; ++sum)
                ofRows[i / static_cast<std::size_t>(m_parts)][sum] += ofParts[i][sum];
        return ofRows;
    }
    /// part(row, index in the row of its first element, elements)
    template <class Part>
    void each(const Part& part) const {
        m_crew.each(m_rows * m_parts, [&](std::int64_t i) {
            const std::int64_t first = i % m_parts * kPart;
            part(i / m_parts, first, std::min(kPart, m_columns - first));
        });
    }

  private:
    static constexpr std::int64_t kPart = 8192;
    const Crew& m_crew;
    std::int64_t m_rows, m_columns, m_parts;
};

void normaliseRows(const LayerNormForward& op, const HostOperands& operands, const Crew& crew) {
    const Rows rows(crew, op.src.n, op.src.c);
    const float* const src = operands.src[0];
    const auto at = [&op](std::int64_t row, std::int64_t first) { return row * op.src.c + first; };
    const auto count = static_cast<double>(op.src.c);
    std::vector<RowSums> means = rows.sums([&](std::int64_t row, std::int64_t first, std::int64_t n) {
        return RowSums{crew.loops.sum(n, src + at(row, first)), 0.0};
    });
    for (RowSums& mean : means)
        mean[0] /= count;
    const auto meanOf = [&means](std::int64_t row) { return means[static_cast<std::size_t>(row)][0]; };
    const std::vector<RowSums> squares = rows.sums([&](std::int64_t row, std::int64_t first, std::int64_t n) {
        return RowSums{crew.loops.squares(n, src + at(row, first), meanOf(row)), 0.0};
    });
    for (std::int64_t row = 0; row < op.src.n; ++row) {
        const double variance = squares[static_cast<std::size_t>(row)][0] / count;
        operands.dst[1][row] = static_cast<float>(meanOf(row));
        operands.dst[2][row] = static_cast<float>(1.0 / std::sqrt(variance + op.epsilon));
    }
    rows.each([&](std::int64_t row, std::int64_t first, std::int64_t n) {
        crew.loops.layerNorm.row(n, src + at(row, first), meanOf(row), operands.dst[2][row],
                                 operands.src[1] + first, operands.src[2] + first,
                                 operands.dst[0] + at(row, first));
    });
}

/// A thread takes neighbouring columns through all rows.
void sumColumns(const LayerNormBackward& op, const HostOperands& operands, const Crew& crew) {
    constexpr std::int64_t kColumns = 256;
    crew.each((op.src.c + kColumns - 1) / kColumns, [&](std::int64_t block) {
        const std::int64_t first = block * kColumns, n = std::min(kColumns, op.src.c - first);
        std::array<double, kColumns> products{}, sums{};
        for (std::int64_t row = 0; row < op.src.n; ++row)
            crew.loops.layerNorm.addRow(
                n, operands.src[0] + row * op.src.c + first, operands.src[1] + row * op.src.c + first,
                static_cast<double>(operands.src[3][row]), static_cast<double>(operands.src[4][row]),
                products.data(), sums.data());
        for (std::int64_t i = 0; i < n; ++i) {
            operands.dst[1][first + i] = static_cast<float>(products[static_cast<std::size_t>(i)]);
            operands.dst[2][first + i] = static_cast<float>(sums[static_cast<std::size_t>(i)]);
        }
    });
}

void rowGradients(const LayerNormBackward& op, const HostOperands& operands, const Crew& crew) {
    const Rows rows(crew, op.src.n, op.src.c);
    const float *const src = operands.src[0], *const gradient = operands.src[1];
    const auto count = static_cast<double>(op.src.c);
    const auto sums = rows.sums([&](std::int64_t row, std::int64_t first, std::int64_t n) {
        RowSums result{};
        const std::int64_t at = row * op.src.c + first;
        crew.loops.layerNorm.rowSums(n, src + at, gradient + at, operands.src[2] + first,
                                     static_cast<double>(operands.src[3][row]), result.data());
        return result;
    });
    rows.each([&](std::int64_t row, std::int64_t first, std::int64_t n) {
        const RowSums& sum = sums[static_cast<std::size_t>(row)];
        const auto scale = static_cast<double>(operands.src[4][row]);
        const NormFactors factors{operands.src[4][row], static_cast<float>(sum[0] / count),
                                  operands.src[3][row], static_cast<float>(sum[1] * scale * scale / count)};
        const std::int64_t at = row * op.src.c + first;
        crew.loops.layerNorm.rowGradient(n, src + at, gradient + at, operands.src[2] + first, factors,
                                         operands.dst[0] + at);
    });
    sumColumns(op, operands, crew);
}

/// Calls f(index of the first channel's first pixel, number of that pixel, channels and pixels) for blocks of
/// neighbouring pixels of each image.
template <class Function>
void forEachBlockOfPixels(const Shape4& shape, const Crew& crew, Function f) {
    constexpr std::int64_t kPixels = LayerNormKernels::kPixels;
    const std::int64_t plane = shape.h * shape.w, blocks = (plane + kPixels - 1) / kPixels;
    crew.each(shape.n * blocks, [&](std::int64_t i) {
        const std::int64_t image = i / blocks, first = i % blocks * kPixels;
        f(image * shape.c * plane + first, image * plane + first,
          LayerNormKernels::Pixels{shape.c, plane, std::min(kPixels, plane - first)});
    });
}

void pixelGradients(const LayerNormBackward& op, const HostOperands& operands, const Crew& crew) {
    const float *const src = operands.src[0], *const gradient = operands.src[1];
    const float *const mean = operands.src[3], *const scale = operands.src[4];
    const std::int64_t plane = op.src.h * op.src.w;
    forEachBlockOfPixels(
        op.src, crew, [&](std::int64_t at, std::int64_t pixel, const LayerNormKernels::Pixels& p) {
            crew.loops.layerNorm.pixelsGradient(p, src + at, gradient + at, operands.src[2], mean + pixel,
                                                scale + pixel, operands.dst[0] + at);
        });
    crew.each(op.src.c, [&](std::int64_t c) {
        double product = 0.0, sum = 0.0;
        for (std::int64_t n = 0; n < op.src.n; ++n) {
            const std::int64_t at = (n * op.src.c + c) * plane;
            product += crew.loops.layerNorm.products(plane, src + at, gradient + at, mean + n * plane,
                                                     scale + n * plane);
            sum += crew.loops.sum(plane, gradient + at);
        }
        operands.dst[1][c] = static_cast<float>(product);
        operands.dst[2][c] = static_cast<float>(sum);
    });
}

} // namespace

void compute(const LayerNormForward& op, const HostOperands& operands, const Crew& crew) {
    if (op.src.h * op.src.w == 1)
        return normaliseRows(op, operands, crew);
    forEachBlockOfPixels(op.src, crew,
                         [&](std::int64_t at, std::int64_t pixel, const LayerNormKernels::Pixels& p) {
                             crew.loops.layerNorm.pixels(p, operands.src[0] + at, operands.src[1],
                                                         operands.src[2], op.epsilon, operands.dst[0] + at,
                                                         operands.dst[1] + pixel, operands.dst[2] + pixel);
                         });
}

void compute(const LayerNormBackward& op, const HostOperands& operands, const Crew& crew) {
    if (op.src.h * op.src.w == 1)
        rowGradients(op, operands, crew);
    else
        pixelGradients(op, operands, crew);
}

} // namespace heteroscope::compute::openmp
