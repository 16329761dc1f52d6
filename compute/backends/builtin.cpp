// SPDX-License-Identifier: Apache-2.0
// The sorted list of implementations linked into the program.
#include "compute/backends/builtin.h"

#include "compute/backends/onednn/onednn_backend.h"
#include "compute/backends/openmp/openmp_backend.h"
#include "compute/backends/sequential/sequential_backend.h"

namespace heteroscope::compute {

BackendRegistry makeBuiltinRegistry() {
    BackendRegistry registry;
    registry.addDevice(describeCpu());
    registry.add(makeOnednnBackend());
    registry.add(makeOpenmpBackend());
    registry.add(makeSequentialBackend());
    return registry;
}

} // namespace heteroscope::compute
