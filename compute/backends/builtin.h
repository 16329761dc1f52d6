// SPDX-License-Identifier: Apache-2.0
// The implementations linked into the program: the one sorted list of them.
#pragma once

#include "compute/core/backend_registry.h"

namespace heteroscope::compute {

/// The CPU with sequential, openmp and onednn (the latter with its reason when it was not built).
BackendRegistry makeBuiltinRegistry();

} // namespace heteroscope::compute
