// SPDX-License-Identifier: Apache-2.0
#include "compute/data/transforms.h"

#include "compute/base/philox.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heteroscope::compute {
namespace {

constexpr std::uint32_t kTransform = 0x74726100;

/// Which source pixels one destination pixel is a weighted mean of.
struct Weights {
    std::int64_t first = 0;
    std::vector<float> values; ///< their sum is 1
};

std::vector<Weights> triangleWeights(std::int64_t from, std::int64_t to) {
    const double ratio = static_cast<double>(from) / static_cast<double>(to), reach = std::max(1.0, ratio);
    std::vector<Weights> all(static_cast<std::size_t>(to));
    for (std::int64_t i = 0; i < to; ++i) {
        const double centre = (static_cast<double>(i) + 0.5) * ratio;
        Weights& weights = all[static_cast<std::size_t>(i)];
        weights.first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(centre - reach)));
        const auto end = std::min(from, static_cast<std::int64_t>(std::ceil(centre + reach)));
        double sum = 0;
        for (std::int64_t pixel = weights.first; pixel < end; ++pixel)
            sum += std::max(0.0, 1 - std::abs(static_cast<double>(pixel) + 0.5 - centre) / reach);
        for (std::int64_t pixel = weights.first; pixel < end; ++pixel)
            weights.values.push_back(static_cast<float>(
                std::max(0.0, 1 - std::abs(static_cast<double>(pixel) + 0.5 - centre) / reach) / sum));
    }
    return all;
}

/// Rows of `src` (count x from.w) to the new width.
std::vector<float> resizeRows(std::span<const float> src, std::int64_t rows, std::int64_t width,
                              const std::vector<Weights>& columns) {
    std::vector<float> out;
    out.reserve(static_cast<std::size_t>(rows) * columns.size());
    for (std::int64_t row = 0; row < rows; ++row)
        for (const Weights& weights : columns) {
            const float* pixels = src.data() + row * width + weights.first;
            float sum = 0;
            for (std::size_t i = 0; i < weights.values.size(); ++i)
                sum += weights.values[i] * pixels[i];
            out.push_back(sum);
        }
    return out;
}

/// 0 outside the plane.
float pixelAt(const float* plane, const Shape4& shape, std::int64_t y, std::int64_t x) {
    return y < 0 || x < 0 || y >= shape.h || x >= shape.w ? 0.0F : plane[y * shape.w + x];
}

float bilinear(const float* plane, const Shape4& shape, double y, double x) {
    const double top = std::floor(y), left = std::floor(x);
    const auto row = static_cast<std::int64_t>(top), column = static_cast<std::int64_t>(left);
    const auto down = static_cast<float>(y - top), right = static_cast<float>(x - left);
    const float upper =
        pixelAt(plane, shape, row, column) * (1 - right) + pixelAt(plane, shape, row, column + 1) * right;
    const float lower = pixelAt(plane, shape, row + 1, column) * (1 - right) +
                        pixelAt(plane, shape, row + 1, column + 1) * right;
    return upper * (1 - down) + lower * down;
}

/// From 0 to 2 x padding, both included.
std::int64_t offset(std::uint32_t word, std::int64_t padding) {
    const auto places = static_cast<std::uint64_t>(2 * padding + 1);
    return static_cast<std::int64_t>((word * places) >> 32);
}

} // namespace

void resizePlane(std::span<const float> src, Extent2d from, std::span<float> dst, Extent2d to) {
    const std::vector<float> narrow = resizeRows(src, from.h, from.w, triangleWeights(from.w, to.w));
    const std::vector<Weights> rows = triangleWeights(from.h, to.h);
    for (std::int64_t y = 0; y < to.h; ++y) {
        const Weights& weights = rows[static_cast<std::size_t>(y)];
        for (std::int64_t x = 0; x < to.w; ++x) {
            float sum = 0;
            for (std::size_t i = 0; i < weights.values.size(); ++i)
                sum += weights.values[i] * narrow[static_cast<std::size_t>(
                                               (weights.first + static_cast<std::int64_t>(i)) * to.w + x)];
            dst[static_cast<std::size_t>(y * to.w + x)] = sum;
        }
    }
}

std::vector<float> resized(std::span<const float> image, const Shape4& shape, Extent2d to) {
    const auto before = static_cast<std::size_t>(shape.h * shape.w),
               after = static_cast<std::size_t>(to.h * to.w);
    std::vector<float> out(static_cast<std::size_t>(shape.c) * after);
    for (std::size_t channel = 0; channel < static_cast<std::size_t>(shape.c); ++channel)
        resizePlane(image.subspan(channel * before, before), {shape.h, shape.w},
                    std::span(out).subspan(channel * after, after), to);
    return out;
}

void normalizeChannels(std::span<float> image, const Shape4& shape, std::span<const double> mean,
                       std::span<const double> deviation) {
    const auto plane = static_cast<std::size_t>(shape.h * shape.w);
    for (std::size_t channel = 0; channel < static_cast<std::size_t>(shape.c); ++channel) {
        const auto m = static_cast<float>(mean[mean.size() == 1 ? 0 : channel]);
        const auto d = static_cast<float>(deviation[deviation.size() == 1 ? 0 : channel]);
        for (float& value : image.subspan(channel * plane, plane))
            value = (value - m) / d;
    }
}

void flipColumns(std::span<float> image, const Shape4& shape) {
    for (std::int64_t row = 0; row < shape.c * shape.h; ++row)
        std::reverse(image.begin() + row * shape.w, image.begin() + (row + 1) * shape.w);
}

void rotateImage(std::span<float> image, const Shape4& shape, double degrees) {
    const double angle = degrees * std::numbers::pi / 180, cosine = std::cos(angle), sine = std::sin(angle);
    const double middleY = static_cast<double>(shape.h - 1) / 2,
                 middleX = static_cast<double>(shape.w - 1) / 2;
    const std::vector<float> before(image.begin(), image.end());
    std::size_t at = 0;
    for (std::int64_t channel = 0; channel < shape.c; ++channel)
        for (std::int64_t y = 0; y < shape.h; ++y)
            for (std::int64_t x = 0; x < shape.w; ++x) { // from where this pixel was turned to here
                const double dy = static_cast<double>(y) - middleY, dx = static_cast<double>(x) - middleX;
                image[at++] = bilinear(before.data() + channel * shape.h * shape.w, shape,
                                       middleY + sine * dx + cosine * dy, middleX + cosine * dx - sine * dy);
            }
}

void shiftImage(std::span<float> image, const Shape4& shape, std::int64_t dy, std::int64_t dx) {
    const std::vector<float> before(image.begin(), image.end());
    std::size_t at = 0;
    for (std::int64_t channel = 0; channel < shape.c; ++channel)
        for (std::int64_t y = 0; y < shape.h; ++y)
            for (std::int64_t x = 0; x < shape.w; ++x)
                image[at++] = pixelAt(before.data() + channel * shape.h * shape.w, shape, y - dy, x - dx);
}

void applyTransforms(std::span<const TransformSpec> transforms, const Shape4& shape, const DrawKey& key,
                     std::span<float> image) {
    for (std::size_t place = 0; place < transforms.size(); ++place) {
        const TransformSpec& transform = transforms[place];
        const Philox4 drawn = philox4x32(
            {static_cast<std::uint32_t>(key.example), static_cast<std::uint32_t>(key.example >> 32),
             kTransform + static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(key.epoch)},
            key.seed);
        switch (transform.kind) {
        case TransformKind::Resize:
            break;
        case TransformKind::Normalize:
            normalizeChannels(image, shape, transform.mean, transform.deviation);
            break;
        case TransformKind::Flip:
            if (philoxUniform(drawn.x) < transform.probability)
                flipColumns(image, shape);
            break;
        case TransformKind::Rotate:
            rotateImage(image, shape, (2.0 * philoxUniform(drawn.x) - 1.0) * transform.degrees);
            break;
        case TransformKind::Crop:
            shiftImage(image, shape, offset(drawn.x, transform.padding) - transform.padding,
                       offset(drawn.y, transform.padding) - transform.padding);
            break;
        }
    }
}

} // namespace heteroscope::compute
