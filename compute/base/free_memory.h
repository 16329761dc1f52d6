// SPDX-License-Identifier: Apache-2.0
// How much memory this machine, or this process's control group, has and has left. Reads files; any thread.
#pragma once

#include <cstdint>
#include <filesystem>

namespace heteroscope {

struct MemoryInfo {
    std::int64_t totalBytes = 0;       ///< of the machine, or a control group's limit when that is less
    std::int64_t freeBytes = 0;        ///< what may still be allocated without swapping, within ulimit -v
    std::int64_t cgroupLimitBytes = 0; ///< the least of the own group's and of those around it; 0: none
};

/// `root` is the folder that holds proc/ and sys/; tests give their own.
MemoryInfo readMemory(const std::filesystem::path& root = "/");

/// Address space that the stacks of so many threads and their heaps reserve, where it is limited (ulimit -v);
/// 0 where it is not: only what is touched takes memory.
std::int64_t threadStackBytes(int threads);

} // namespace heteroscope
