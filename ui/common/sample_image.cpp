// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/sample_image.h"

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr int kMostPixels = 512; ///< a side of a picture that is made

} // namespace

QImage sampleImage(std::span<const float> values, const compute::Shape4& shape) {
    const bool row = shape.h == 1 && shape.w == 1;
    const std::int64_t height = row ? 1 : shape.h, width = row ? shape.c : shape.w;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const float from = *low, range = std::max(*high - *low, 1e-12F);
    const bool colour = !row && shape.c == 3;
    QImage image(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
    const auto level = [&](std::int64_t channel, std::int64_t y, std::int64_t x) {
        const float value = values[static_cast<std::size_t>((channel * height + y) * width + x)];
        return static_cast<int>((value - from) / range * 255.0F + 0.5F);
    };
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x) {
            const int first = level(0, y, x);
            image.setPixel(static_cast<int>(x), static_cast<int>(y),
                           colour ? qRgb(first, level(1, y, x), level(2, y, x)) : qRgb(first, first, first));
        }
    return image.width() > kMostPixels || image.height() > kMostPixels
               ? image.scaled(kMostPixels, kMostPixels, Qt::KeepAspectRatio, Qt::SmoothTransformation)
               : image;
}

QImage fittedImage(const QImage& image, int side) {
    const bool shrinks = std::max(image.width(), image.height()) > side;
    return image.scaled(side, side, Qt::KeepAspectRatio,
                        shrinks ? Qt::SmoothTransformation : Qt::FastTransformation);
}

} // namespace heteroscope::ui
