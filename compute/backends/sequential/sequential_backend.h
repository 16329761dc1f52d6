// SPDX-License-Identifier: Apache-2.0
// The specification of every operation as plain loops on one core.
#pragma once

#include "compute/core/backend.h"

#include <memory>

namespace heteroscope::compute {

std::unique_ptr<Backend> makeSequentialBackend();

} // namespace heteroscope::compute
