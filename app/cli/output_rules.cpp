// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output_rules.h"

#include "compute/base/output_place.h"
#include "compute/data/named_files.h"
#include "compute/exec/checkpoint_manifest.h"
#include "profiling/stream/stream_writer.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
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

/// A file can only be made in a folder that is there and may be written to. That of checkpoints, and those
/// around it, are made when the outputs have been looked at.
Status checkFolder(const NamedOutput& output, const std::string& states) {
    const OutputPlace place = outputPlace(output.path);
    const fs::path file = place.path, folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    if (place.exists || place.direct || ::access(folder.c_str(), W_OK | X_OK) == 0)
        return {};
    const int reason = errno;
    if (reason == ENOENT && !states.empty() && liesIn(comparable(states), comparable(folder.string())))
        return {};
    return Error{ErrorCode::Io,
                 std::string("cannot be created: ") + std::strerror(reason),
                 output.option + " " + output.path,
                 {},
                 "check the folder '" + folder.string() + "', in which the new file is written first"};
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
        if (const Status status = checkFolder(*output, m_states); !status)
            return status;
        const bool shared = outputPlace(output->path).direct; // a device or a pipe takes any number
        for (auto other = outputs.begin(); other != output && !shared; ++other)
            if (!other->path.empty() && comparable(other->path) == comparable(output->path))
                return badInput(output->option + " " + output->path,
                                other->option +
                                    " names the same file, and one would be written over the other",
                                "a file of its own for each", "choose another file");
    }
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
