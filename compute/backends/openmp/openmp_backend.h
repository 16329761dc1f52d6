// SPDX-License-Identifier: Apache-2.0
// Vectorised loops on all cores. Options: threads (1 to 1024; 0 or absent: all), simd (the best, or less).
#pragma once

#include "compute/core/backend.h"

#include <memory>

namespace heteroscope::compute {

std::unique_ptr<Backend> makeOpenmpBackend();

} // namespace heteroscope::compute
