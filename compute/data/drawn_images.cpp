// SPDX-License-Identifier: Apache-2.0
#include "compute/data/drawn_images.h"

#include "compute/data/draw_stream.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heteroscope::compute {
namespace {

struct Point {
    float x = 0, y = 0;
};

Point turned(Point p, float angle) {
    return {p.x * std::cos(angle) - p.y * std::sin(angle), p.x * std::sin(angle) + p.y * std::cos(angle)};
}

float length(Point p) {
    return std::hypot(p.x, p.y);
}

/// Whether a point belongs to the shape, which reaches from about -1 to 1.
bool inside(std::int64_t label, Point p) {
    const float ax = std::abs(p.x), ay = std::abs(p.y);
    switch (label) {
    case 0: // disc
        return length(p) < 0.9F;
    case 1: // square
        return std::max(ax, ay) < 0.8F;
    case 2: // triangle
        return p.y < 0.7F && p.y > 2.2F * ax - 0.95F;
    case 3: // ring
        return length(p) < 0.95F && length(p) > 0.55F;
    case 4: // cross
        return std::min(ax, ay) < 0.25F && std::max(ax, ay) < 0.95F;
    case 5: // bar
        return ax < 0.95F && ay < 0.25F;
    case 6: // frame
        return std::max(ax, ay) < 0.85F && std::max(ax, ay) > 0.5F;
    case 7: // half disc
        return length(p) < 0.95F && p.y > 0;
    case 8: // two discs
        return length({ax - 0.55F, p.y}) < 0.4F;
    default: // star of four points
        return std::sqrt(ax) + std::sqrt(ay) < 0.98F;
    }
}

/// The share of a pixel's four quarters that `belongs` says yes to.
template <class Belongs>
float coverage(float x, float y, float quarter, const Belongs& belongs) {
    int hits = 0;
    for (const float dy : {-quarter, quarter})
        for (const float dx : {-quarter, quarter})
            hits += belongs(Point{x + dx, y + dy}) ? 1 : 0;
    return static_cast<float>(hits) / 4;
}

/// Middles of pixels from -1 to 1 over the larger side.
Point pixelPlace(const Shape4& shape, std::int64_t row, std::int64_t column) {
    const auto side = static_cast<float>(std::max(shape.h, shape.w));
    return {(2 * static_cast<float>(column) + 1 - static_cast<float>(shape.w)) / side,
            (2 * static_cast<float>(row) + 1 - static_cast<float>(shape.h)) / side};
}

/// 1 in the middle of an ellipse, 0 from `edge` outside of it on.
float ellipse(Point p, Point centre, float a, float b, float edge = 0.08F) {
    const float radius = length({(p.x - centre.x) / a, (p.y - centre.y) / b});
    return std::clamp((1 + edge - radius) / edge, 0.0F, 1.0F);
}

struct Cloud {
    Point centre;
    float size = 0, depth = 0;
};

/// The sky over a square of side 1.
class Sky {
  public:
    explicit Sky(DrawStream& draw) : m_clear(draw.between(0.5F, 0.9F)) {
        for (Cloud& cloud : m_clouds)
            cloud = {{draw.between(-0.2F, 1.2F), draw.between(-0.2F, 1.2F)},
                     draw.between(0.08F, 0.25F),
                     draw.between(0.2F, 0.9F)};
    }
    float at(Point place) const {
        float value = m_clear;
        for (const Cloud& cloud : m_clouds) {
            const float distance = length({place.x - cloud.centre.x, place.y - cloud.centre.y}) / cloud.size;
            value *= 1 - cloud.depth * std::exp(-0.5F * distance * distance);
        }
        return value;
    }
    /// In the middle, when the wind has moved the clouds.
    float later() const { return at({0.5F - kWind.x, 0.5F - kWind.y}); }

  private:
    static constexpr Point kWind{0.15F, 0.06F};
    float m_clear;
    Cloud m_clouds[6];
};

constexpr float kSensorNoise = 0.01F;
constexpr std::int64_t kPlaces = -1; ///< the "example" that the sensors' places are drawn with

} // namespace

const std::vector<std::string>& shapeNames() {
    static const std::vector<std::string> names{"disc", "square", "triangle",  "ring",      "cross",
                                                "bar",  "frame",  "half disc", "two discs", "star"};
    return names;
}

void drawShape(std::uint64_t seed, std::int64_t example, std::int64_t label, const Shape4& shape,
               std::span<float> image) {
    DrawStream draw(seed, example);
    const Point centre{draw.between(-0.3F, 0.3F), draw.between(-0.3F, 0.3F)};
    const float size = draw.between(0.4F, 0.65F), angle = draw.between(-0.3F, 0.3F);
    const float quarter = 0.5F / static_cast<float>(std::max(shape.h, shape.w));
    const auto plane = static_cast<std::size_t>(shape.h * shape.w);
    std::vector<float> cover(plane);
    for (std::int64_t row = 0; row < shape.h; ++row)
        for (std::int64_t column = 0; column < shape.w; ++column) {
            const Point at = pixelPlace(shape, row, column);
            cover[static_cast<std::size_t>(row * shape.w + column)] =
                coverage(at.x, at.y, quarter, [&](Point p) {
                    const Point own = turned({p.x - centre.x, p.y - centre.y}, angle);
                    return inside(label, {own.x / size, own.y / size});
                });
        }
    for (std::size_t channel = 0; channel < static_cast<std::size_t>(shape.c); ++channel) {
        const float ground = draw.between(0.0F, 0.25F), colour = draw.between(0.6F, 1.0F);
        for (std::size_t i = 0; i < plane; ++i)
            image[channel * plane + i] =
                std::clamp(ground + (colour - ground) * cover[i] + draw.noise(0.05F), 0.0F, 1.0F);
    }
}

const std::vector<std::string>& brainSliceNames() {
    static const std::vector<std::string> names{"plain", "bright spot", "wide ventricles"};
    return names;
}

void drawBrainSlice(std::uint64_t seed, std::int64_t example, std::int64_t label, const Shape4& shape,
                    std::span<float> image) {
    DrawStream draw(seed, example);
    const Point middle{draw.between(-0.06F, 0.06F), draw.between(-0.06F, 0.06F)};
    const float a = draw.between(0.62F, 0.74F), b = draw.between(0.76F, 0.9F);
    const float tilt = draw.between(-0.15F, 0.15F), folds = draw.between(9.0F, 13.0F);
    const float wide = label == 2 ? draw.between(0.17F, 0.24F) : draw.between(0.06F, 0.1F);
    const float spotAngle = draw.between(0, 2 * std::numbers::pi_v<float>),
                spotAway = draw.between(0.3F, 0.5F);
    const float spotSize = draw.between(0.1F, 0.17F), phase = draw.between(0, 6);
    const Point spot{spotAway * std::cos(spotAngle), spotAway * std::sin(spotAngle)};
    const auto plane = static_cast<std::size_t>(shape.h * shape.w);
    for (std::int64_t row = 0; row < shape.h; ++row)
        for (std::int64_t column = 0; column < shape.w; ++column) {
            const Point at = pixelPlace(shape, row, column);
            const Point p = turned({at.x - middle.x, at.y - middle.y}, tilt);
            const float skull = ellipse(p, {}, a, b) - ellipse(p, {}, a - 0.08F, b - 0.08F);
            const float tissue = ellipse(p, {}, a - 0.12F, b - 0.12F);
            const float fold = std::sin(folds * p.x + 2 * std::sin(folds * 0.6F * p.y + phase));
            float value = 0.85F * skull + tissue * (0.45F + 0.07F * fold);
            for (const float side : {-1.0F, 1.0F}) // the two ventricles
                value *= 1 - 0.75F * ellipse(p, {side * wide * 1.15F, -0.05F}, wide, 2.2F * wide, 0.3F);
            if (label == 1)
                value += 0.45F * ellipse(p, spot, spotSize, spotSize, 0.4F) * tissue;
            value = std::clamp(value + draw.noise(0.03F), 0.0F, 1.0F);
            for (std::size_t channel = 0; channel < static_cast<std::size_t>(shape.c); ++channel)
                image[channel * plane + static_cast<std::size_t>(row * shape.w + column)] = value;
        }
}

float drawIrradianceMap(std::uint64_t seed, std::int64_t example, const Shape4& shape, std::span<float> map) {
    DrawStream draw(seed, example);
    const Sky sky(draw);
    std::size_t at = 0;
    for (std::int64_t channel = 0; channel < shape.c; ++channel)
        for (std::int64_t row = 0; row < shape.h; ++row)
            for (std::int64_t column = 0; column < shape.w; ++column)
                map[at++] = sky.at({(static_cast<float>(column) + 0.5F) / static_cast<float>(shape.w),
                                    (static_cast<float>(row) + 0.5F) / static_cast<float>(shape.h)}) +
                            draw.noise(kSensorNoise);
    return sky.later();
}

float drawIrradianceRow(std::uint64_t seed, std::int64_t example, std::span<float> sensors) {
    DrawStream draw(seed, example), places(seed, kPlaces);
    const Sky sky(draw);
    for (float& sensor : sensors) {
        const Point place{places.uniform(), places.uniform()};
        sensor = sky.at(place) + draw.noise(kSensorNoise);
    }
    return sky.later();
}

} // namespace heteroscope::compute
