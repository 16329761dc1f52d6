// SPDX-License-Identifier: Apache-2.0
#include "app/cli/confinement.h"

#include "compute/base/output_place.h"
#include "compute/exec/checkpoint_manifest.h"

#include <algorithm>
#include <utility>

namespace heteroscope::cli {
namespace {

namespace fs = std::filesystem;
using compute::NamedFile;

constexpr std::size_t kMostEntries = 20'000'000;

Error outside(const NamedFile& named, const fs::path& path, const fs::path& real, const fs::path& folder) {
    const std::string leads = path == real ? "" : " (it leads to '" + real.string() + "')";
    return badInput(named.pointer,
                    "'" + path.string() + "' lies outside of the folder that --confine names" + leads,
                    "files in '" + folder.string() + "'", "put the file there, or run without --confine");
}

std::string unknowable(const fs::path& path) {
    return "where '" + path.string() + "' leads cannot be found out";
}

constexpr const char* kCheckable = "files that --confine can check";

Error unknowable(const NamedFile& named, const fs::path& path, const std::error_code& failure) {
    return systemRefusal(ErrorCode::BadInput, named.pointer, unknowable(path), failure.value(), kCheckable);
}

/// A list of checkpoints names the archive that is read. One that cannot be read: its reader says why.
Status checkManifest(const Confinement& confinement, const NamedFile& named) {
    for (const fs::path& archive : compute::keptArchives(named.path))
        if (const Status status = confinement.check({named.pointer, archive, false}); !status)
            return status;
    return {};
}

} // namespace

Result<Confinement> Confinement::to(const std::string& folder) {
    auto real = givenFolder("--confine", folder);
    if (!real)
        return real.error();
    return Confinement(std::move(*real));
}

bool Confinement::holds(const fs::path& real) const {
    return liesIn(real, m_folder);
}

Status Confinement::checkPath(const NamedFile& named, const fs::path& path) const {
    std::error_code failure;
    const fs::path real = fs::weakly_canonical(fs::absolute(path, failure), failure);
    if (failure)
        return unknowable(named, path, failure);
    if (!holds(real))
        return outside(named, path, real, m_folder);
    return {};
}

Status Confinement::checkContents(const NamedFile& named) const {
    std::vector<std::pair<fs::path, int>> folders{{named.path, 1}};
    std::size_t entries = 0;
    while (!folders.empty()) {
        const auto [folder, depth] = std::move(folders.back());
        folders.pop_back();
        std::error_code failure, ignored;
        fs::directory_iterator at(folder, failure);
        for (; !failure && at != fs::directory_iterator(); at.increment(failure)) {
            if (++entries > kMostEntries)
                return badInput(named.pointer, unknowable(named.path) + ": there are too many files in it",
                                kCheckable);
            if (at->is_symlink(ignored))
                if (const Status status = checkPath(named, at->path()); !status)
                    return status;
            if (depth < compute::kInputFolderLevels && at->is_directory(ignored))
                folders.emplace_back(at->path(), depth + 1);
        }
        if (failure)
            return unknowable(named, folder, failure);
    }
    return {};
}

Status Confinement::check(const NamedFile& file) const {
    if (const Status status = checkPath(file, file.path); !status)
        return status;
    std::error_code ignored;
    return file.isFolder && fs::is_directory(file.path, ignored) ? checkContents(file) : Status();
}

Status confineOnnx(const ExperimentSource& source, const Json& document) {
    const Json::json_pointer onnx("/network/onnx");
    if (source.confine.empty() || !document.is_object() || !document.contains(onnx) ||
        !document[onnx].is_string())
        return {};
    const auto confinement = Confinement::to(source.confine);
    if (!confinement)
        return confinement.error();
    return confinement->check(
        {onnx.to_string(),
         compute::placedFile(experimentDirectory(source), document[onnx].get<std::string>()), false});
}

Status confineExperiment(const ExperimentSource& source, const compute::ExperimentSpec& spec) {
    if (source.confine.empty())
        return {};
    const auto confinement = Confinement::to(source.confine);
    if (!confinement)
        return confinement.error();
    const auto files = compute::namedFilesOfStudy(spec);
    if (!files)
        return files.error();
    for (const NamedFile& file : *files) {
        if (const Status status = confinement->check(file); !status)
            return status;
        if (const Status status = checkManifest(*confinement, file); !status)
            return status;
    }
    return {};
}

} // namespace heteroscope::cli
