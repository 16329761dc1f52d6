// SPDX-License-Identifier: GPL-3.0-or-later
// What pooling does, cell by cell: the model behind the picture. Values; GUI thread.
#pragma once

#include "compute/core/op.h"
#include "ui/build/preview_input.h"

#include <atomic>
#include <optional>
#include <vector>

namespace heteroscope::ui {

/// A cell of the padded input; row and column count from the input's first, so padding is negative or beyond.
struct CellValue {
    std::int64_t row = 0, column = 0;
    double value = 0;
    bool isPadding = false;
};

struct PooledWindow {
    std::int64_t outRow = 0, outColumn = 0;
    std::int64_t top = 0, left = 0;    ///< of the window in the input; negative in the padding
    std::vector<CellValue> cells;      ///< row by row
    std::optional<std::size_t> winner; ///< max pooling: the first largest cell; none when all is padding
    double result = 0;
};

class PoolingPreview {
  public:
    PoolingPreview() = default;
    PoolingPreview(const compute::PoolParams& params, PreviewInput input, const compute::Shape4& dst);

    bool isEmpty() const { return m_input.shape.h == 0 || m_dst.h == 0; }
    const compute::PoolParams& params() const { return m_params; }
    const PreviewInput& input() const { return m_input; }
    const compute::Shape4& src() const { return m_input.shape; }
    const compute::Shape4& dst() const { return m_dst; }

    bool inside(std::int64_t row, std::int64_t column) const;
    /// The number at a cell of the padded input; nothing where the picture holds no numbers.
    std::optional<CellValue> cell(std::int64_t row, std::int64_t column) const;
    /// The window of an output element; nothing where numbers are missing.
    std::optional<PooledWindow> window(std::int64_t outRow, std::int64_t outColumn) const;
    /// Smallest and largest known number, for tinting.
    double lowest() const { return m_lowest; }
    double highest() const { return m_highest; }

  private:
    double combine(PooledWindow& window) const;

    compute::PoolParams m_params;
    PreviewInput m_input{{1, 1, 0, 0}, 0, {}, {}};
    compute::Shape4 m_dst{1, 1, 0, 0};
    double m_lowest = 0, m_highest = 1;
};

/// The pooled picture of an image input, as large as the output. Any thread; empty once `cancelled` is true.
QImage pooledImage(const QImage& image, const compute::PoolParams& params, const compute::Shape4& dst,
                   const std::atomic<bool>* cancelled = nullptr);

/// "7", "0.25", "-∞": short enough for a cell.
QString cellText(double value);

} // namespace heteroscope::ui
