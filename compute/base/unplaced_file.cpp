// SPDX-License-Identifier: Apache-2.0
#include "compute/base/unplaced_file.h"

#include "compute/base/fnv1a.h"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>

namespace heteroscope {
namespace {

constexpr int kMostNames = 1000;

} // namespace

std::string unplacedPath(const std::string& target, int number) {
    const std::filesystem::path path(target);
    const std::string ending =
        (number == 1 ? ".new" : ".new-" + std::to_string(number)) + path.extension().string();
    std::string stem = path.stem().string();
    if (stem.size() + ending.size() > kLongestFileName)
        stem = std::to_string(fnv1a(path.filename().string()));
    return (path.parent_path() / (stem + ending)).string();
}

std::string giveFreeName(const std::string& part, const std::string& target, FileSystem& files) {
    for (int number = 1; number <= kMostNames; ++number) {
        const std::string name = unplacedPath(target, number);
        if (files.link(part, name) == 0) {         // never over another file
            static_cast<void>(files.unlink(part)); // where it stays, it does no harm
            return name;
        }
        struct stat info {};
        if (errno == EEXIST || ::lstat(name.c_str(), &info) == 0)
            continue;
        return files.rename(part, name) == 0 ? name : part; // a file system without links
    }
    return part;
}

} // namespace heteroscope
