// SPDX-License-Identifier: Apache-2.0
#include "compute/base/cgroup.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace heteroscope {
namespace {

namespace fs = std::filesystem;

void addWithThoseAround(fs::path group, const fs::path& base, std::vector<fs::path>& found) {
    for (; !group.empty(); group = group.parent_path())
        found.push_back(base / group);
    found.push_back(base);
}

/// Of "cpu,cpuacct".
bool contains(std::string_view list, std::string_view name) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (list.substr(0, comma) == name)
            return true;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

/// Version 2: "quota period" or "max period"; version 1: a file for each, a quota of -1 for none.
std::optional<double> quotaOf(const fs::path& folder) {
    double quota = 0, period = 0;
    if (std::ifstream both(folder / "cpu.max"); both >> quota >> period && quota > 0 && period > 0)
        return quota / period;
    std::ifstream quotaFile(folder / "cpu.cfs_quota_us"), periodFile(folder / "cpu.cfs_period_us");
    if (quotaFile >> quota && periodFile >> period && quota > 0 && period > 0)
        return quota / period;
    return std::nullopt;
}

} // namespace

std::vector<fs::path> cgroupFolders(std::string_view controller, const fs::path& root) {
    std::vector<fs::path> found;
    const fs::path base = root / "sys/fs/cgroup", version1 = base / controller;
    std::ifstream file(root / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) { // "hierarchy:controllers:path"
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const fs::path path = fs::path(line.substr(second + 1)).relative_path();
        if (line.starts_with("0::"))
            addWithThoseAround(path, base, found);
        else if (contains(std::string_view(line).substr(first + 1, second - first - 1), controller))
            addWithThoseAround(path, version1, found);
    }
    // Inside a container the own group is often mounted as the root of the hierarchy.
    found.push_back(base);
    found.push_back(version1);
    return found;
}

std::optional<double> cpuQuota(const fs::path& root) {
    std::optional<double> least;
    for (const fs::path& folder : cgroupFolders("cpu", root))
        if (const auto quota = quotaOf(folder); quota && (!least || *quota < *least))
            least = quota;
    return least;
}

} // namespace heteroscope
