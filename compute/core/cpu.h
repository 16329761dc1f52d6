// SPDX-License-Identifier: Apache-2.0
// What the CPU backends ask of this machine: SIMD level, cores, caches, memory. Any thread.
#pragma once

#include "compute/base/free_memory.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

/// Instruction sets our kernels are built for. Baseline is x86-64 (SSE2); Avx2 includes FMA.
enum class SimdLevel { Baseline, Avx2, Avx512 };

SimdLevel detectSimd();                     ///< the best this processor and operating system offer
std::string_view simdName(SimdLevel level); ///< "baseline", "avx2", "avx512"

/// Cores this process may run on (affinity mask), or fewer where its control groups allow less time
/// (cpuQuota()), at least 1.
int usableCores();

struct CacheInfo {
    int level = 0;
    std::string type; ///< "Data", "Instruction", "Unified"
    std::int64_t bytes = 0;
    int sharedBy = 1; ///< logical processors that share one
};

/// `root` is the folder that holds proc/ and sys/; tests give their own.
std::vector<CacheInfo> readCaches(const std::filesystem::path& root = "/");
std::string readCpuName(const std::filesystem::path& root = "/");

/// Bytes of the largest cache, 32 MiB when it is unknown.
std::int64_t lastLevelCacheBytes();

} // namespace heteroscope::compute
