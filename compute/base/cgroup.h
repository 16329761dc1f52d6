// SPDX-License-Identifier: Apache-2.0
// The control groups of this process and what they allow. Reads files; any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace heteroscope {

/// Folders of this process's groups and of those around them, in which files of `controller` ("memory",
/// "cpu") may lie: a group is limited by those around it, too. Both versions of control groups. `root` is the
/// folder that holds proc/ and sys/; tests give their own.
std::vector<std::filesystem::path> cgroupFolders(std::string_view controller,
                                                 const std::filesystem::path& root = "/");

/// Processors' worth of time that the groups allow (CPU bandwidth: cpu.max, or cpu.cfs_quota_us over
/// cpu.cfs_period_us), as containers are given them; nothing where they allow all there are. More threads
/// that compute are stopped for the rest of each period, some 100 ms.
std::optional<double> cpuQuota(const std::filesystem::path& root = "/");

} // namespace heteroscope
