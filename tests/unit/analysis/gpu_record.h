// SPDX-License-Identifier: Apache-2.0
// What a run file says of a GPU whose roofs are known.
#pragma once

#include "compute/base/json.h"

namespace heteroscope::profiling::test {

inline Json gpuRecord() {
    return {{"id", "cuda:0"},
            {"kind", "gpu"},
            {"name", "NVIDIA H200"},
            {"properties",
             {{"compute_capability", "9.0"},
              {"multiprocessors", 132},
              {"clock_mhz", 1980},
              {"memory_clock_mhz", 3201},
              {"memory_bus_bits", 6144}}}};
}

} // namespace heteroscope::profiling::test
