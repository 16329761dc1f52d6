// SPDX-License-Identifier: Apache-2.0
// What may be written over.
#include "compute/base/output_file.h"
#include "compute/base/output_place.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heteroscope {
namespace {

namespace fs = std::filesystem;

/// Where the descriptors of this process are by their numbers.
bool isFolderOfDescriptors(const std::string& folder) {
    return folder == "/dev/fd" || folder == "/proc/self/fd" || folder == "/proc/thread-self/fd" ||
           folder == "/proc/" + std::to_string(::getpid()) + "/fd";
}

/// /dev/stdout and such, /dev/fd/N, /proc/self/fd/N; -1: no descriptor of this process.
int descriptorNumber(const fs::path& path) {
    const std::string folder = path.parent_path().string(), name = path.filename().string();
    constexpr std::array<const char*, 3> kStandard{"stdin", "stdout", "stderr"};
    if (folder == "/dev") {
        const auto found = std::find(kStandard.begin(), kStandard.end(), name);
        return found == kStandard.end() ? -1 : static_cast<int>(found - kStandard.begin());
    }
    const bool number = isFolderOfDescriptors(folder) && !name.empty() && name.size() < 7 &&
                        name.find_first_not_of("0123456789") == std::string::npos;
    return number ? std::stoi(name) : -1;
}

/// Where no file is made by name: a device that is not there stays an error.
bool isDevicePath(const std::string& path) {
    return path.starts_with("/dev/") && !path.starts_with("/dev/shm/");
}

/// Whether `input` is `file`, which is there, or the folder that it lies in.
bool isOrHolds(const std::string& input, const std::string& file) {
    std::error_code failure;
    if (!fs::is_directory(input, failure))
        return isSameFile(file, input);
    const fs::path folder = fs::canonical(input, failure);
    const fs::path inside = fs::canonical(file, failure);
    return !failure && liesIn(inside, folder);
}

/// The beginning of a file that is there. Error: why it cannot be read, which says nothing of its kind.
Result<std::string> headOf(const OutputPlace& place, const std::string& shown, const OutputRules& rules) {
    const auto unreadable = [&](int number) {
        return systemRefusal(ErrorCode::BadInput, shown,
                             "the file is there and cannot be read to see whether it is " + rules.kind,
                             number, {}, "choose another file, or see to it that this one can be read");
    };
    const int fd = ::open(place.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return unreadable(errno);
    std::string head(kOutputHeadBytes, '\0');
    std::size_t size = 0;
    int number = 0;
    for (ssize_t got = 1; got != 0 && number == 0 && size < head.size();) {
        got = ::read(fd, head.data() + size, head.size() - size);
        size += got > 0 ? static_cast<std::size_t>(got) : 0;
        number = got < 0 && errno != EINTR ? errno : 0;
    }
    ::close(fd);
    if (number != 0)
        return unreadable(number);
    head.resize(size);
    return head;
}

/// May replace files of others in a folder where each replaces only their own.
bool hasRightOverOwners() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct held[2]{};
    return ::syscall(SYS_capget, &header, held) == 0 && ((held[0].effective >> CAP_FOWNER) & 1U) != 0;
}

bool isOwnedByAnother(const struct statx& file, const struct statx& folder) {
    return file.stx_uid != ::geteuid() && folder.stx_uid != ::geteuid() && !hasRightOverOwners();
}

/// What keeps a file from being renamed, or renamed over, as far as it can be found out before. What cannot
/// is told by the rename.
Status checkRename(const std::string& path, const OutputPlace& place) {
    const std::string parent = fs::path(place.path).parent_path().string();
    const std::string folder = parent.empty() ? "." : parent;
    constexpr int kNoWaiting = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
    struct statx in {};
    struct statx file {};
    if (::statx(AT_FDCWD, folder.c_str(), AT_NO_AUTOMOUNT, STATX_BASIC_STATS, &in) != 0)
        return {}; // creating the new file says why
    const auto has = [](const struct statx& info, std::uint64_t attribute) {
        return (info.stx_attributes & info.stx_attributes_mask & attribute) != 0;
    };
    if (has(in, STATX_ATTR_APPEND))
        return badInput(path,
                        "no file can be given its name in the folder '" + folder +
                            "', which may only be appended to (chattr +a)",
                        "a file in another folder", "choose one, or take the attribute away (chattr -a)");
    if (::statx(AT_FDCWD, place.path.c_str(), kNoWaiting, STATX_BASIC_STATS, &file) != 0)
        return {}; // not there
    const auto refused = [&](const std::string& reason, const std::string& advice) {
        return badInput(path, "the file is there and cannot be replaced: " + reason, "a new name", advice);
    };
    if (has(file, STATX_ATTR_APPEND))
        return refused("it may only be appended to (chattr +a)",
                       "choose another file, or take the attribute away (chattr -a)");
    if (has(file, STATX_ATTR_IMMUTABLE))
        return refused("it may not be changed (chattr +i)",
                       "choose another file, or take the attribute away (chattr -i)");
    if (has(file, STATX_ATTR_MOUNT_ROOT))
        return refused("it is mounted as a file of its own",
                       "mount the folder that it lies in instead, or choose another file");
    if ((in.stx_mode & S_ISVTX) != 0 && isOwnedByAnother(file, in))
        return refused("it belongs to another user (" + std::to_string(file.stx_uid) +
                           "), and in the folder '" + folder + "' each may only replace their own (sticky)",
                       "choose another file, or another folder");
    return {};
}

Status checkKind(const std::string& path, const OutputPlace& place, const OutputRules& rules) {
    if (rules.force || !rules.isKind || place.bytes == 0)
        return {};
    const Result<std::string> head = headOf(place, path, rules);
    if (!head)
        return head.error();
    if (rules.isKind(*head))
        return {};
    return badInput(path, "the file is there and is not " + rules.kind,
                    "a new name, or that of " + rules.kind, rules.forceAdvice);
}

} // namespace

Error openRefusal(const std::string& path, const std::string& shown, int systemError) {
    struct stat info {};
    const mode_t mode = ::stat(path.c_str(), &info) == 0 ? info.st_mode : 0;
    if (systemError == ENXIO && S_ISFIFO(mode))
        return {ErrorCode::Io, "nobody reads from this pipe", shown, {}, "start its reader first"};
    if (S_ISSOCK(mode))
        return {ErrorCode::Io, "cannot be written to: it is a socket", shown, {}, "choose a file or a pipe"};
    return systemRefusal(ErrorCode::Io, shown, "cannot be opened", systemError, {}, "choose another file");
}

OutputPlace outputPlace(const std::string& path, bool followLinks) {
    constexpr int kMostLinks = 40;
    OutputPlace place;
    fs::path at = path;
    std::error_code failure;
    for (int link = 0; followLinks && link < kMostLinks; ++link) {
        const fs::path whole = fs::absolute(at, failure).lexically_normal();
        struct stat info {};
        const bool missing = ::stat(at.c_str(), &info) != 0;
        // What another process has open is a device, a pipe, or a file like others.
        place.descriptor = descriptorNumber(whole);
        if (isFolderOfDescriptors(whole.parent_path().string()) || place.descriptor >= 0 ||
            (isDevicePath(whole.string()) && (missing || !S_ISREG(info.st_mode)))) {
            place.direct = true;
            break;
        }
        if ((!missing && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) || !fs::is_symlink(at, failure))
            break;
        at = at.parent_path() / fs::read_symlink(at, failure);
    }
    place.path = at.string();
    struct stat info {};
    if ((followLinks ? ::stat(place.path.c_str(), &info) : ::lstat(place.path.c_str(), &info)) != 0)
        return place;
    if (S_ISLNK(info.st_mode))
        return place; // as good as nothing: it is replaced
    place.exists = true;
    place.folder = S_ISDIR(info.st_mode);
    place.direct = place.direct || (!S_ISREG(info.st_mode) && !place.folder);
    place.mode = info.st_mode & 0777;
    place.bytes = info.st_size;
    return place;
}

bool liesIn(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

bool isSameFile(const std::string& a, const std::string& b) {
    struct stat first {};
    struct stat second {};
    return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool isInput(const std::string& file, const std::vector<std::string>& inputs) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const std::string& input) { return isOrHolds(input, file); });
}

Status checkOutput(const std::string& path, const OutputRules& rules) {
    const OutputPlace place = outputPlace(path, rules.followLinks);
    if (place.folder || path.ends_with('/'))
        return badInput(path, place.folder ? "is a folder" : "is the name of a folder", "a file",
                        "name a file in it");
    struct stat info {};
    if (rules.followLinks && ::stat(path.c_str(), &info) != 0 && errno == ELOOP)
        return systemRefusal(ErrorCode::BadInput, path, "its links lead nowhere", ELOOP,
                             "a file, or a link that leads to one", "choose another file, or mend the links");
    std::error_code failure;
    if (!place.exists && !place.direct)
        return checkRename(path, place);
    if (!place.exists || (place.direct && !fs::is_regular_file(place.path, failure)))
        return {}; // terminals and pipes are read and written at once
    for (const std::string& input : rules.inputs)
        if (isOrHolds(input, place.path))
            return badInput(path, "is read here (as " + input + "): writing over it would destroy it",
                            "a file that is not read", "choose another file");
    if (place.direct)
        return {};
    if (const Status status = requireNoWriter(place.path, path); !status)
        return status;
    if (::access(place.path.c_str(), W_OK) != 0)
        return systemRefusal(ErrorCode::BadInput, path, "the file is there and may not be written to", errno,
                             {}, "choose another file");
    if (const Status status = checkRename(path, place); !status)
        return status;
    return checkKind(path, place, rules);
}

} // namespace heteroscope
