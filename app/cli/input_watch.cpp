// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input_watch.h"

#include <array>
#include <ctime>
#include <sys/stat.h>
#include <utility>

namespace heteroscope::cli {
namespace {

namespace fs = std::filesystem;

std::string bytesOf(std::int64_t bytes) {
    return std::to_string(bytes) + " bytes";
}

/// "2026-11-26T15:40:01.000000005Z": changes within a second differ too.
std::string timeText(std::int64_t ns) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    std::int64_t fraction = ns % kSecond;
    if (fraction < 0)
        fraction += kSecond;
    const auto seconds = static_cast<std::time_t>((ns - fraction) / kSecond);
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    std::array<char, 32> date{};
    std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%S.", &parts);
    std::string digits = std::to_string(fraction);
    return date.data() + digits.insert(0, 9 - digits.size(), '0') + "Z";
}

std::int64_t nsOf(const timespec& time) {
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

} // namespace

InputWatch::Seen InputWatch::look(const compute::NamedFile& named) {
    Seen seen;
    const auto note = [&seen](const fs::path& path) {
        struct stat info {};
        if (::stat(path.c_str(), &info) != 0)
            return;
        const bool isFolder = S_ISDIR(info.st_mode); // what lies in it is noted itself
        seen[path.string()] = {isFolder ? 0 : info.st_size, isFolder ? 0 : nsOf(info.st_mtim),
                               isFolder ? 0 : nsOf(info.st_ctim), info.st_dev, info.st_ino};
    };
    note(named.path);
    if (!named.isFolder)
        return seen;
    std::vector<std::pair<fs::path, int>> folders{{named.path, 1}};
    while (!folders.empty()) {
        const auto [folder, depth] = std::move(folders.back());
        folders.pop_back();
        std::error_code failure, ignored;
        fs::directory_iterator at(folder, failure);
        for (; !failure && at != fs::directory_iterator(); at.increment(failure)) {
            note(at->path());
            if (depth < compute::kInputFolderLevels && at->is_directory(ignored))
                folders.emplace_back(at->path(), depth + 1);
        }
    }
    return seen;
}

/// Of two that are not the same. Sizes say most; where they are the same, times of change; else whether it is
/// another file in its file system, or the same one whose time of change was set back.
std::string InputWatch::whatDiffers(const Facts& before, const Facts& now) {
    if (before.bytes != now.bytes)
        return "it had " + bytesOf(before.bytes) + ", now " + bytesOf(now.bytes);
    const std::string same = "it has " + bytesOf(now.bytes) + " as before, ";
    if (before.changedNs != now.changedNs)
        return same + "but was changed at " + timeText(now.changedNs) + ", before at " +
               timeText(before.changedNs);
    if (before.inode == now.inode && before.device == now.device)
        return same +
               "and the same time of change, but that time was set back, or its rights or names were "
               "changed, at " +
               timeText(now.statusNs) + " (last before: " + timeText(before.statusNs) + ")";
    return same + "and the same time of change, but is another file (inode " + std::to_string(now.inode) +
           " on device " + std::to_string(now.device) + ", before " + std::to_string(before.inode) + " on " +
           std::to_string(before.device) + ")";
}

Error InputWatch::differs(const compute::NamedFile& named, const Seen& before, const Seen& now) {
    const auto error = [&](const std::string& path, const std::string& what) {
        return Error{ErrorCode::RunFailed, "'" + path + "' " + what, named.pointer,
                     "the same input throughout the study",
                     "leave the file as it is until the study has ended, and run it again"};
    };
    for (const auto& [path, facts] : before) {
        const auto found = now.find(path);
        if (found == now.end())
            return error(path, "was removed while the study ran");
        if (found->second == facts)
            continue;
        const bool replaced = found->second.inode != facts.inode || found->second.device != facts.device;
        const bool written = found->second.bytes != facts.bytes || found->second.changedNs != facts.changedNs;
        return error(path, std::string(replaced  ? "was replaced"
                                       : written ? "was written"
                                                 : "may have been written") +
                               " while the study ran: " + whatDiffers(facts, found->second));
    }
    for (const auto& [path, facts] : now)
        if (!before.contains(path))
            return error(path, "came while the study ran, with " + bytesOf(facts.bytes));
    return error(named.path.string(), "changed while the study ran");
}

Result<InputWatch> InputWatch::over(const compute::ExperimentSpec& spec) {
    auto files = compute::namedFilesOfStudy(spec);
    if (!files)
        return files.error();
    InputWatch watch;
    for (compute::NamedFile& named : *files) {
        Seen seen = look(named);
        watch.m_files.push_back({std::move(named), std::move(seen)});
    }
    return watch;
}

Status InputWatch::unchanged() const {
    for (const Watched& watched : m_files)
        if (const Seen now = look(watched.named); now != watched.seen)
            return differs(watched.named, watched.seen, now);
    return {};
}

} // namespace heteroscope::cli
