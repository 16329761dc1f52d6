// SPDX-License-Identifier: Apache-2.0
// Pictures and weather drawn from a seed. Values lie between 0 and 1 but for noise. Pure functions; any
// thread.
#pragma once

#include "compute/core/shape.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// In the order of the classes; at most so many have shapes of their own.
const std::vector<std::string>& shapeNames();
/// A shape of another place, size, angle and brightness (colour, with three channels) each time, on a dark
/// noisy ground.
void drawShape(std::uint64_t seed, std::int64_t example, std::int64_t label, const Shape4& shape,
               std::span<float> image);

/// "plain", "bright spot", "wide ventricles": what tells the three classes of made-up slices apart. They look
/// like scans of heads and say nothing about real ones.
const std::vector<std::string>& brainSliceNames();
void drawBrainSlice(std::uint64_t seed, std::int64_t example, std::int64_t label, const Shape4& shape,
                    std::span<float> image);

/// Irradiance as a share of that above the air, under clouds that the wind moves. Sensors stand on a grid of
/// height x width (a map), or scattered at places of the seed (a table). Returns the irradiance in the middle
/// some time later: what the clouds upwind let through.
float drawIrradianceMap(std::uint64_t seed, std::int64_t example, const Shape4& shape, std::span<float> map);
float drawIrradianceRow(std::uint64_t seed, std::int64_t example, std::span<float> sensors);

} // namespace heteroscope::compute
