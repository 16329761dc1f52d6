// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input_watch.h"

#include <sys/stat.h>
#include <utility>

namespace heteroscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 2; ///< levels of a folder that readers look at: classes, images

std::string bytesOf(std::int64_t bytes) {
    return std::to_string(bytes) + " bytes";
}

} // namespace

InputWatch::Seen InputWatch::look(const compute::NamedFile& named) {
    Seen seen;
    const auto note = [&seen](const fs::path& path) {
        struct stat info {};
        if (::stat(path.c_str(), &info) != 0)
            return;
        const bool isFolder = S_ISDIR(info.st_mode); // what lies in it is noted itself
        seen[path.string()] = {isFolder ? 0 : info.st_size,
                               isFolder ? 0 : info.st_mtim.tv_sec * 1'000'000'000LL + info.st_mtim.tv_nsec,
                               info.st_dev, info.st_ino};
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
            if (depth < kDeepest && at->is_directory(ignored))
                folders.emplace_back(at->path(), depth + 1);
        }
    }
    return seen;
}

Error InputWatch::differs(const compute::NamedFile& named, const Seen& before, const Seen& now) {
    const auto error = [&](const std::string& path, const std::string& what) {
        return Error{ErrorCode::RunFailed, "'" + path + "' " + what, named.pointer,
                     "the same input in every process of the study",
                     "leave the file as it is until the study has ended, and run it again"};
    };
    for (const auto& [path, facts] : before) {
        const auto found = now.find(path);
        if (found == now.end())
            return error(path, "was removed while the study ran");
        if (found->second == facts)
            continue;
        const bool replaced = found->second.inode != facts.inode || found->second.device != facts.device;
        return error(path, std::string(replaced ? "was replaced" : "was written") +
                               " while the study ran: it had " + bytesOf(facts.bytes) + ", now " +
                               bytesOf(found->second.bytes));
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
