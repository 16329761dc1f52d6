// SPDX-License-Identifier: GPL-3.0-or-later
// Windows, winners and pooled pictures.
#include "ui/build/pooling_preview.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscope::ui {

PoolingPreview::PoolingPreview(const compute::PoolParams& params, PreviewInput input,
                               const compute::Shape4& dst)
    : m_params(params), m_input(std::move(input)), m_dst(dst) {
    const auto range = std::minmax_element(m_input.values.begin(), m_input.values.end());
    if (range.first != m_input.values.end()) {
        m_lowest = *range.first;
        m_highest = *range.second;
    }
}

bool PoolingPreview::inside(std::int64_t row, std::int64_t column) const {
    return row >= 0 && column >= 0 && row < src().h && column < src().w;
}

std::optional<CellValue> PoolingPreview::cell(std::int64_t row, std::int64_t column) const {
    const bool zero =
        m_params.mode == compute::PoolMode::Average || m_params.padValue == compute::PadValue::Zero;
    if (!inside(row, column))
        return CellValue{row, column, zero ? 0.0 : -std::numeric_limits<double>::infinity(), true};
    if (row >= m_input.knownRows)
        return std::nullopt;
    return CellValue{row, column, m_input.values[static_cast<std::size_t>(row * src().w + column)], false};
}

double PoolingPreview::combine(PooledWindow& window) const {
    if (m_params.mode == compute::PoolMode::Average) {
        double sum = 0;
        std::size_t counted = 0;
        for (const CellValue& cell : window.cells)
            if (!cell.isPadding || m_params.countIncludePad) {
                sum += cell.value;
                ++counted;
            }
        return sum / static_cast<double>(std::max<std::size_t>(counted, 1));
    }
    const auto winner =
        std::max_element(window.cells.begin(), window.cells.end(),
                         [](const CellValue& a, const CellValue& b) { return a.value < b.value; });
    if (!std::isinf(winner->value) || !winner->isPadding)
        window.winner = static_cast<std::size_t>(winner - window.cells.begin());
    return winner->value;
}

std::optional<PooledWindow> PoolingPreview::window(std::int64_t outRow, std::int64_t outColumn) const {
    if (outRow < 0 || outColumn < 0 || outRow >= m_dst.h || outColumn >= m_dst.w)
        return std::nullopt;
    PooledWindow window;
    window.outRow = outRow;
    window.outColumn = outColumn;
    window.top = outRow * m_params.stride.h - m_params.padding.top;
    window.left = outColumn * m_params.stride.w - m_params.padding.left;
    for (std::int64_t row = 0; row < m_params.kernel.h; ++row)
        for (std::int64_t column = 0; column < m_params.kernel.w; ++column) {
            const auto at = cell(window.top + row, window.left + column);
            if (!at)
                return std::nullopt;
            window.cells.push_back(*at);
        }
    window.result = combine(window);
    return window;
}

namespace {

/// One pixel of the result: the window's largest or mean value in each colour.
QRgb pooledPixel(const QImage& source, const compute::PoolParams& params, int top, int left) {
    const bool isMax = params.mode == compute::PoolMode::Max;
    const int bottom = int(std::min<std::int64_t>(top + params.kernel.h, source.height()));
    const int right = int(std::min<std::int64_t>(left + params.kernel.w, source.width()));
    int red = 0, green = 0, blue = 0, counted = 0;
    for (int row = std::max(top, 0); row < bottom; ++row) {
        const auto* line = reinterpret_cast<const QRgb*>(source.constScanLine(row));
        for (int column = std::max(left, 0); column < right; ++column, ++counted) {
            const QRgb pixel = line[column];
            red = isMax ? std::max(red, qRed(pixel)) : red + qRed(pixel);
            green = isMax ? std::max(green, qGreen(pixel)) : green + qGreen(pixel);
            blue = isMax ? std::max(blue, qBlue(pixel)) : blue + qBlue(pixel);
        }
    }
    const auto area = static_cast<int>(params.kernel.h * params.kernel.w);
    const int divisor = isMax ? 1 : std::max(params.countIncludePad ? area : counted, 1);
    return qRgb(red / divisor, green / divisor, blue / divisor);
}

} // namespace

QImage pooledImage(const QImage& image, const compute::PoolParams& params, const compute::Shape4& dst,
                   const std::atomic<bool>* cancelled) {
    const QImage source = image.convertToFormat(QImage::Format_RGB32);
    QImage pooled(static_cast<int>(dst.w), static_cast<int>(dst.h), QImage::Format_RGB32);
    for (int y = 0; y < pooled.height(); ++y) {
        if (cancelled != nullptr && cancelled->load())
            return {};
        auto* out = reinterpret_cast<QRgb*>(pooled.scanLine(y));
        const auto top = static_cast<int>(y * params.stride.h - params.padding.top);
        for (int x = 0; x < pooled.width(); ++x)
            out[x] = pooledPixel(source, params, top, int(x * params.stride.w - params.padding.left));
    }
    return pooled;
}

QString cellText(double value) {
    if (std::isinf(value))
        return value < 0 ? QStringLiteral("−∞") : QStringLiteral("∞");
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (value == std::floor(value) && std::abs(value) < 1e6)
        return QString::number(value, 'f', 0);
    return QString::number(value, 'g', 3);
}

} // namespace heteroscope::ui
