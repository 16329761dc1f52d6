// SPDX-License-Identifier: Apache-2.0
// /data between JSON and typed values, transforms of images in it. Pure; any thread.
#pragma once

#include "compute/experiment/spec/data_spec.h"
#include "compute/experiment/spec/findings.h"

namespace heteroscope::compute {

inline constexpr std::size_t kMaxTransforms = 16;

/// Types, keys and values of a list of transforms, and that none resizes after a random one.
void checkTransforms(const Json& transforms, const std::string& pointer, Findings& findings);

/// From the checked object at /data, defaults put in.
DataSpec readData(const Json& object);
/// The object for /data: what has an effect on its source.
Json dataJson(const DataSpec& data);

/// Whole numbers without a decimal point, as people type them.
Json numberJson(double value);

} // namespace heteroscope::compute
