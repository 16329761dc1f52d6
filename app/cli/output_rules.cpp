// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output_rules.h"

#include "app/cli/output.h"
#include "app/cli/output_streams.h"
#include "compute/base/file_kind.h"
#include "compute/base/output_place.h"
#include "compute/data/named_files.h"
#include "compute/exec/checkpoint_manifest.h"
#include "profiling/stream/stream_writer.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

namespace fs = std::filesystem;

/// Before either is there, two names of one file differ in their writing only.
fs::path comparable(const std::string& path) {
    std::error_code failure;
    const fs::path whole = fs::weakly_canonical(fs::absolute(outputPlace(path).path, failure), failure);
    return whole.has_filename() ? whole : whole.parent_path(); // "folder/"
}

/// Whether a file of this name in the folder of checkpoints may be a state: run_0.3.npz,
/// run_0.checkpoint.json.
bool isNameOfState(const std::string& name) {
    constexpr std::string_view kStem = "run_";
    const std::size_t digits = name.find_first_not_of("0123456789", kStem.size());
    return name.starts_with(kStem) && digits != std::string::npos && digits > kStem.size() &&
           name[digits] == '.';
}

Status checkNoState(const NamedOutput& output, const std::string& states) {
    const fs::path file = comparable(output.path);
    if (states.empty() || file.parent_path() != comparable(states) ||
        !isNameOfState(file.filename().string()))
        return {};
    return badInput(output.option + " " + output.path,
                    "the folder of checkpoints keeps the states of trainings under such names",
                    "a name that does not begin with run_ and a number, or another folder",
                    "choose another file");
}

std::string nameOf(const NamedOutput& output) {
    return output.printed ? output.option : output.option + " " + output.path;
}

Error cannotBeCreated(const NamedOutput& output, int number, const std::string& advice) {
    return systemRefusal(ErrorCode::Io, nameOf(output), "cannot be created", number, {}, advice);
}

/// A file can only be made in a folder that is there and may be written to, also where it takes the place of
/// one that is. The folder of checkpoints, and those around it, are made when the outputs have been looked
/// at.
Status checkFolder(const NamedOutput& output, const fs::path& file, const std::string& states) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const std::string quoted = "'" + folder.string() + "'", elsewhere = "choose another one";
    if (const std::string system = kernelFileSystemOf(folder); !system.empty())
        return Error{ErrorCode::Io,
                     "cannot be created: the kernel makes up the files in " + quoted + " (" + system + ")",
                     nameOf(output),
                     {},
                     "choose a folder on a disk"};
    struct stat info {};
    if (::lstat(file.c_str(), &info) != 0 && errno == ENAMETOOLONG)
        return cannotBeCreated(output, ENAMETOOLONG, "choose a shorter name");
    const bool usable = ::access(folder.c_str(), W_OK | X_OK) == 0;
    const int failed = errno;
    std::error_code failure;
    const bool isOther = fs::exists(folder, failure) && !fs::is_directory(folder, failure);
    if (usable && !isOther)
        return {};
    const int reason = isOther ? ENOTDIR : failed;
    if (reason == ENOENT && !states.empty() && liesIn(comparable(states), comparable(folder.string())))
        return {};
    if (reason == ENOENT)
        return cannotBeCreated(output, reason,
                               "create the folder " + quoted + " (mkdir -p), or " + elsewhere);
    return cannotBeCreated(output, reason,
                           "check the folder " + quoted + ", in which the new file is written first, or " +
                               elsewhere);
}

/// Kept open until the program ends: a reader that saw its end would not wait for what is written later.
Status holdPipe(const NamedOutput& output, const std::string& path) {
    const int pipe = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (pipe >= 0)
        return {};
    return openRefusal(path, nameOf(output), errno);
}

/// What is written as it is: a device, a pipe, a descriptor.
Status checkDirect(const NamedOutput& output, const OutputPlace& place) {
    const auto refused = [&](const std::string& reason, const std::string& advice) {
        return Error{ErrorCode::Io, "cannot be written to: " + reason, nameOf(output), {}, advice};
    };
    const auto refusedBySystem = [&](const std::string& advice) {
        return systemRefusal(ErrorCode::Io, nameOf(output), "cannot be written to", errno, {}, advice);
    };
    if (place.descriptor >= 0) {
        const int flags = ::fcntl(place.descriptor, F_GETFL);
        if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
            return refused("descriptor " + std::to_string(place.descriptor) +
                               (flags < 0 ? " is not open" : " is not open for writing"),
                           "redirect it, or choose a file");
        return {};
    }
    struct stat info {};
    if (::stat(place.path.c_str(), &info) != 0)
        return refusedBySystem("check the name of the device");
    if (S_ISSOCK(info.st_mode))
        return openRefusal(place.path, nameOf(output), ENXIO);
    if (::access(place.path.c_str(), W_OK) != 0)
        return refusedBySystem("choose another file");
    return S_ISFIFO(info.st_mode) ? holdPipe(output, place.path) : Status();
}

Status checkPlace(const NamedOutput& output, const std::string& states) {
    const OutputPlace place = outputPlace(output.path);
    return place.direct ? checkDirect(output, place) : checkFolder(output, place.path, states);
}

Error meets(const NamedOutput& output, const std::string& other, const Destination& where, bool replaces,
            const std::string& allowed, const std::string& advice) {
    const std::string what = where.name();
    return badInput(nameOf(output),
                    other + (replaces ? " leads to the same file, and one would be written over the other"
                                      : " leads to the same " + what + ", where the bytes of both would mix"),
                    allowed, advice);
}

/// Two outputs under one name, or under two names of one place.
Status checkPair(const NamedOutput& output, const NamedOutput& other) {
    const std::string allowed = "a place of its own for each", advice = "choose another file";
    const OutputPlace a = outputPlace(output.path), b = outputPlace(other.path);
    const auto there = destinationOf(output.path), otherThere = destinationOf(other.path);
    if (there && otherThere && there->isSameAs(*otherThere) && there->mixes())
        return meets(output, nameOf(other), *there, !a.direct || !b.direct, allowed, advice);
    if (!a.direct && !b.direct && comparable(output.path) == comparable(other.path))
        return meets(output, nameOf(other), {}, true, allowed, advice);
    return {};
}

/// An output and what is printed, or what is told on standard error.
Status checkStreams(const NamedOutput& output) {
    const auto there = destinationOf(output.path);
    const bool text = output.printed && output.kind != OutputKind::RunFile;
    if (!there || !there->mixes() || text)
        return {};
    const bool direct = outputPlace(output.path).direct;
    const auto isHere = [&](int descriptor) {
        const auto stream = destinationOf(descriptor);
        return stream && stream->isSameAs(*there);
    };
    if (!direct && isHere(STDOUT_FILENO))
        return meets(output, "standard output", *there, true, "a file of its own",
                     "redirect standard output elsewhere, or name " + output.option + " /dev/stdout");
    if (isHere(STDERR_FILENO) && there->kind != Destination::Kind::Terminal)
        return meets(output, "standard error, which messages are written to,", *there, !direct,
                     "a place of its own",
                     "redirect standard error elsewhere (2> FILE), or choose another file");
    return {};
}

/// A table between the bytes of a file would make it unreadable.
void makeRoomOnStdout(const std::vector<NamedOutput>& outputs) {
    const auto printed = destinationOf(STDOUT_FILENO);
    for (const NamedOutput& output : outputs) {
        const auto there = output.path.empty() || output.printed ? std::nullopt : destinationOf(output.path);
        if (there && printed && there->isSameAs(*printed) && there->mixes())
            printOnStderr();
    }
}

} // namespace

CLI::Option* defineForce(CLI::App& app, bool& force) {
    return app.add_flag(
        "--force", force,
        "write over a file that is there and is of another kind; what is read is never written over");
}

OutputRules OutputGuard::rules(OutputKind kind) const {
    OutputRules rules = kind == OutputKind::RunFile ? profiling::runFileRules() : rulesOfKind(kind);
    rules.inputs = m_inputs;
    rules.force = m_force;
    return rules;
}

Status OutputGuard::check(const std::vector<NamedOutput>& outputs) const {
    if (const Status status = keepStreamsOff(m_inputs); !status)
        return status;
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        if (output->path.empty())
            continue;
        if (const Status status = checkNoState(*output, m_states); !status)
            return status;
        if (const Status status = checkOutput(output->path, rules(output->kind)); !status) {
            Error error = status.error();
            error.where = output->option + " " + error.where;
            return error;
        }
        for (auto other = outputs.begin(); other != output; ++other)
            if (!other->path.empty())
                if (const Status status = checkPair(*output, *other); !status)
                    return status;
        if (const Status status = checkStreams(*output); !status)
            return status;
        if (const Status status = checkPlace(*output, m_states); !status)
            return status;
    }
    makeRoomOnStdout(outputs);
    return {};
}

Status OutputGuard::checkStates() const {
    if (m_states.empty())
        return {};
    const fs::path folder = comparable(m_states);
    std::error_code failure;
    for (const std::string& input : m_inputs)
        if (fs::is_directory(input, failure) && liesIn(folder, comparable(input)))
            return badInput("--checkpoints " + m_states,
                            "lies in a folder that is read here (as " + input +
                                "), and would be read with it",
                            "a folder elsewhere", "choose another folder");
    return {};
}

Result<std::vector<std::string>> inputFiles(const ExperimentSource& source,
                                            const compute::ExperimentSpec& spec) {
    const auto named = compute::namedFilesOfStudy(spec);
    if (!named)
        return named.error();
    std::vector<std::string> inputs{source.path == "-" ? "/dev/stdin" : source.path};
    for (const compute::NamedFile& file : *named) {
        inputs.push_back(file.path.string());
        for (const std::filesystem::path& archive : compute::keptArchives(file.path))
            inputs.push_back(archive.string());
    }
    return inputs;
}

} // namespace heteroscope::cli
