// SPDX-License-Identifier: Apache-2.0
#include "compute/base/free_memory.h"

#include "compute/base/cgroup.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <utility>

namespace heteroscope {
namespace {

namespace fs = std::filesystem;

/// The number that follows leading blanks.
std::optional<std::int64_t> numberIn(std::string_view text) {
    const std::size_t start = text.find_first_not_of(" \t");
    std::int64_t value = 0;
    if (start == std::string_view::npos)
        return std::nullopt;
    const auto [end, code] = std::from_chars(text.data() + start, text.data() + text.size(), value);
    return code == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> numberInFile(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    return std::getline(file, line) ? numberIn(line) : std::nullopt;
}

void applyCgroups(const fs::path& root, MemoryInfo& memory) {
    for (const fs::path& group : cgroupFolders("memory", root))
        for (const auto& [limitFile, usageFile] : {std::pair{"memory.max", "memory.current"},
                                                   {"memory.limit_in_bytes", "memory.usage_in_bytes"}}) {
            const auto limit = numberInFile(group / limitFile); // "max" is no number
            if (!limit || *limit <= 0)
                continue;
            const std::int64_t used = numberInFile(group / usageFile).value_or(0);
            memory.freeBytes = std::min(memory.freeBytes, std::max<std::int64_t>(*limit - used, 0));
            if (*limit < memory.totalBytes)
                memory.cgroupLimitBytes = memory.totalBytes = *limit;
        }
}

/// A limit of the address space (ulimit -v) leaves what this process has not mapped yet.
void applyAddressSpace(const fs::path& root, MemoryInfo& memory) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    const std::int64_t mapped = numberInFile(root / "proc/self/statm").value_or(0) * ::sysconf(_SC_PAGESIZE);
    const auto allowed = static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, INT64_MAX));
    memory.freeBytes = std::min(memory.freeBytes, std::max<std::int64_t>(allowed - mapped, 0));
}

/// What the kernel says without a file: free pages, without those that it would give up.
MemoryInfo askedMemory() {
    struct sysinfo info {};
    if (::sysinfo(&info) != 0)
        return {};
    const auto unit = static_cast<std::int64_t>(info.mem_unit);
    return {static_cast<std::int64_t>(info.totalram) * unit,
            static_cast<std::int64_t>(info.freeram + info.bufferram) * unit, 0};
}

} // namespace

MemoryInfo readMemory(const fs::path& root) {
    MemoryInfo memory;
    std::ifstream file(root / "proc/meminfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos)
            continue;
        const std::int64_t bytes = numberIn(std::string_view(line).substr(colon + 1)).value_or(0) * 1024;
        if (line.starts_with("MemTotal:"))
            memory.totalBytes = bytes;
        else if (line.starts_with("MemAvailable:"))
            memory.freeBytes = bytes;
    }
    if (memory.totalBytes == 0 || memory.freeBytes == 0) // no such file, or none that may be opened
        memory = askedMemory();
    applyCgroups(root, memory);
    applyAddressSpace(root, memory);
    return memory;
}

std::int64_t threadStackBytes(int threads) {
    constexpr rlim_t kUsualStack = rlim_t{8} << 20;
    rlimit space{}, stack{};
    if (::getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY)
        return 0;
    const bool known = ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY;
    const auto bytes = static_cast<std::int64_t>(known ? stack.rlim_cur : kUsualStack);
    return std::max(threads - 1, 0) * bytes;
}

} // namespace heteroscope
