// SPDX-License-Identifier: Apache-2.0
// oneDNN's primitives on the CPU. Option: threads (1 to 1024; 0 or absent: all cores).
#pragma once

#include "compute/core/backend.h"

#include <memory>

namespace heteroscope::compute {

std::unique_ptr<Backend> makeOnednnBackend();

} // namespace heteroscope::compute
