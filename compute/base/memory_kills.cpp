// SPDX-License-Identifier: Apache-2.0
#include "compute/base/memory_kills.h"

#include "compute/base/cgroup.h"

#include <fstream>
#include <string>
#include <utility>

namespace heteroscope {
namespace {

namespace fs = std::filesystem;

/// The number in the file's line "oom_kill N".
std::optional<std::int64_t> killsIn(const fs::path& path) {
    std::ifstream file(path);
    std::string name;
    for (std::int64_t count = 0; file >> name >> count;)
        if (name == "oom_kill")
            return count;
    return std::nullopt;
}

/// Linux, "Control Group v2", memory.events; "Memory Resource Controller" (version 1), memory.oom_control.
std::optional<std::int64_t> killsNow(const fs::path& root) {
    for (const fs::path& group : cgroupFolders("memory", root))
        for (const char* name : {"memory.events", "memory.oom_control"})
            if (const auto kills = killsIn(group / name))
                return kills;
    return killsIn(root / "proc/vmstat");
}

} // namespace

MemoryKills::MemoryKills(fs::path root) : m_root(std::move(root)), m_before(killsNow(m_root)) {}

bool MemoryKills::any() const {
    const auto now = killsNow(m_root);
    return m_before && now && *now > *m_before;
}

} // namespace heteroscope
