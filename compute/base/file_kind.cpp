// SPDX-License-Identifier: Apache-2.0
#include "compute/base/file_kind.h"

#include <algorithm>
#include <array>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <utility>

namespace heteroscope {
namespace {

std::string nameOf(std::filesystem::file_type type) {
    using std::filesystem::file_type;
    switch (type) {
    case file_type::fifo:
        return "FIFO";
    case file_type::socket:
        return "socket";
    case file_type::character:
        return "character device";
    case file_type::block:
        return "block device";
    case file_type::directory:
        return "folder";
    default:
        return {};
    }
}

/// File systems without files of anybody's: what is read there is made by the kernel at that moment, may wait
/// for ever (/proc/kmsg) and may be anything (/proc/self/mem), and its size says nothing.
constexpr std::array kKernelFileSystems{
    std::pair{static_cast<unsigned>(PROC_SUPER_MAGIC), "procfs"},
    std::pair{static_cast<unsigned>(SYSFS_MAGIC), "sysfs"},
    std::pair{static_cast<unsigned>(DEBUGFS_MAGIC), "debugfs"},
    std::pair{static_cast<unsigned>(TRACEFS_MAGIC), "tracefs"},
    std::pair{static_cast<unsigned>(SECURITYFS_MAGIC), "securityfs"},
    std::pair{static_cast<unsigned>(SELINUX_MAGIC), "selinuxfs"},
    std::pair{static_cast<unsigned>(SMACK_MAGIC), "smackfs"},
    std::pair{static_cast<unsigned>(CGROUP_SUPER_MAGIC), "cgroup"},
    std::pair{static_cast<unsigned>(CGROUP2_SUPER_MAGIC), "cgroup"},
    std::pair{static_cast<unsigned>(BPF_FS_MAGIC), "bpf"},
    std::pair{static_cast<unsigned>(PSTOREFS_MAGIC), "pstore"},
    std::pair{static_cast<unsigned>(EFIVARFS_MAGIC), "efivarfs"},
    std::pair{static_cast<unsigned>(BINFMTFS_MAGIC), "binfmt_misc"},
    std::pair{static_cast<unsigned>(NSFS_MAGIC), "nsfs"},
    std::pair{0x62656570U, "configfs"}, // these two have no name in <linux/magic.h>
    std::pair{0x65735543U, "fusectl"},
};

} // namespace

std::string kernelFileSystemOf(const std::filesystem::path& file) {
    struct statfs about {};
    if (::statfs(file.c_str(), &about) != 0)
        return {};
    const auto* const found =
        std::find_if(kKernelFileSystems.begin(), kKernelFileSystems.end(),
                     [&](const auto& entry) { return entry.first == static_cast<unsigned>(about.f_type); });
    return found == kKernelFileSystems.end() ? "" : found->second;
}

namespace {

/// Nothing of a regular file that somebody wrote.
std::string kindOf(const std::filesystem::path& file, std::filesystem::file_type type) {
    if (type != std::filesystem::file_type::regular)
        return nameOf(type);
    const std::string system = kernelFileSystemOf(file);
    return system.empty() ? system : "file that the kernel makes up (" + system + ")";
}

} // namespace

std::string kindOfSpecialFile(const std::filesystem::path& file) {
    std::error_code failure;
    return kindOf(file, std::filesystem::status(file, failure).type());
}

Status requireRegularFile(const std::filesystem::path& file, const std::string& expected) {
    std::error_code failure;
    const auto status = std::filesystem::status(file, failure);
    if (status.type() == std::filesystem::file_type::not_found)
        return badInput(file.string(), "the file does not exist", expected, "check the path");
    if (status.type() == std::filesystem::file_type::none)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", failure.value(), expected,
                             "check the path");
    const std::string kind = kindOf(file, status.type());
    if (std::filesystem::is_regular_file(status) && kind.empty())
        return {};
    return badInput(file.string(),
                    "it is a " + (kind.empty() ? "special file" : kind) + ", not a regular file", expected,
                    "give a file that lies on a disk");
}

} // namespace heteroscope
