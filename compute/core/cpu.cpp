// SPDX-License-Identifier: Apache-2.0
// Reading the processor's description from Linux's proc and sys file systems.
#include "compute/core/cpu.h"

#include "compute/base/cgroup.h"
#include "compute/core/backend_registry.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sched.h>
#include <sstream>
#include <thread>

namespace heteroscope::compute {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> readLine(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
        return std::nullopt;
    return line;
}

std::optional<std::int64_t> leadingNumber(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos)
        return std::nullopt;
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(text.data() + start, text.data() + text.size(), value);
    if (code != std::errc())
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> readNumber(const fs::path& path) {
    const auto line = readLine(path);
    return line ? leadingNumber(*line) : std::nullopt;
}

/// "32K", "1024K", "32M" as the kernel writes cache sizes.
std::int64_t parseCacheSize(const std::string& text) {
    const std::int64_t value = leadingNumber(text).value_or(0);
    const std::int64_t unit = text.ends_with('K') ? 1024 : text.ends_with('M') ? 1024 * 1024 : 1;
    return value * unit;
}

/// Processors in a list such as "0-3,8".
int countList(const std::string& text) {
    int count = 0;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::int64_t first = leadingNumber(part).value_or(0);
        const std::size_t dash = part.find('-');
        const std::int64_t last =
            dash == std::string::npos ? first : leadingNumber(part.substr(dash + 1)).value_or(first);
        count += static_cast<int>(last - first + 1);
    }
    return std::max(count, 1);
}

} // namespace

SimdLevel detectSimd() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
        return SimdLevel::Avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return SimdLevel::Avx2;
#endif
    return SimdLevel::Baseline;
}

std::string_view simdName(SimdLevel level) {
    switch (level) {
    case SimdLevel::Avx512:
        return "avx512";
    case SimdLevel::Avx2:
        return "avx2";
    case SimdLevel::Baseline:
        break;
    }
    return "baseline";
}

int usableCores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    int cores = static_cast<int>(std::thread::hardware_concurrency());
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        cores = CPU_COUNT(&set);
    if (const auto quota = cpuQuota(); quota && *quota < cores)
        cores = static_cast<int>(*quota);
    return std::max(cores, 1);
}

std::vector<CacheInfo> readCaches(const fs::path& root) {
    std::vector<CacheInfo> caches;
    const fs::path base = root / "sys/devices/system/cpu/cpu0/cache";
    for (int index = 0; index < 16; ++index) {
        const fs::path folder = base / ("index" + std::to_string(index));
        const auto level = readNumber(folder / "level");
        const auto size = readLine(folder / "size");
        if (!level || !size)
            continue;
        caches.push_back({static_cast<int>(*level), readLine(folder / "type").value_or(""),
                          parseCacheSize(*size),
                          countList(readLine(folder / "shared_cpu_list").value_or("0"))});
    }
    return caches;
}

std::string readCpuName(const fs::path& root) {
    std::ifstream file(root / "proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(std::min(colon + 2, line.size()));
    }
    return "CPU";
}

std::int64_t lastLevelCacheBytes() {
    static const std::int64_t bytes = [] {
        std::int64_t largest = 0;
        for (const CacheInfo& cache : readCaches())
            largest = std::max(largest, cache.bytes);
        return largest > 0 ? largest : std::int64_t{32} << 20;
    }();
    return bytes;
}

DeviceInfo describeCpu() {
    // The machine does not change while the program runs; what the system grants does.
    static const std::string name = readCpuName();
    static const std::vector<CacheInfo> caches = readCaches();
    const MemoryInfo memory = readMemory();
    DeviceInfo info;
    info.id = "cpu";
    info.kind = "cpu";
    info.name = name;
    info.memoryTotalBytes = memory.totalBytes;
    info.memoryFreeBytes = memory.freeBytes;
    info.properties = Json::object();
    info.properties["cores"] = usableCores();
    info.properties["processors"] = std::thread::hardware_concurrency();
    info.properties["simd"] = simdName(detectSimd());
    if (const auto quota = cpuQuota())
        info.properties["cpu_quota"] = *quota;
    if (memory.cgroupLimitBytes > 0)
        info.properties["cgroup_limit_bytes"] = memory.cgroupLimitBytes;
    info.properties["caches"] = Json::array();
    for (const CacheInfo& cache : caches)
        info.properties["caches"].push_back({{"level", cache.level},
                                             {"type", cache.type},
                                             {"bytes", cache.bytes},
                                             {"shared_by_processors", cache.sharedBy}});
    return info;
}

} // namespace heteroscope::compute
