// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output_rules.h"

#include "compute/base/output_place.h"
#include "compute/data/named_files.h"
#include "compute/exec/checkpoint_manifest.h"
#include "profiling/stream/stream_writer.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

/// Before either is there, two names of one file differ in their writing only.
std::string comparable(const std::string& path) {
    std::error_code failure;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(outputPlace(path).path, failure),
                                             failure)
        .string();
}

/// Whether a file of this name in the folder of checkpoints may be a state: run_0.3.npz,
/// run_0.checkpoint.json.
bool isNameOfState(const std::string& name) {
    constexpr std::string_view kStem = "run_";
    const std::size_t digits = name.find_first_not_of("0123456789", kStem.size());
    return name.starts_with(kStem) && digits != std::string::npos && digits > kStem.size() &&
           name[digits] == '.';
}

/// Whether the file lies in the folder of checkpoints, which is made when it is not there.
bool isBesideStates(const NamedOutput& output, const std::string& states) {
    return !states.empty() &&
           std::filesystem::path(comparable(output.path)).parent_path() == comparable(states);
}

/// A file can only be made in a folder that is there and may be written to.
Status checkFolder(const NamedOutput& output) {
    const OutputPlace place = outputPlace(output.path);
    const std::filesystem::path file = place.path;
    const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
    if (place.exists || place.direct || ::access(folder.c_str(), W_OK | X_OK) == 0)
        return {};
    return Error{ErrorCode::Io,
                 std::string("cannot be created: ") + std::strerror(errno),
                 output.option + " " + output.path,
                 {},
                 "check the folder '" + folder + "', in which the new file is written first"};
}

} // namespace

void defineForce(CLI::App& app, bool& force) {
    app.add_flag(
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
        const bool beside = isBesideStates(*output, m_states);
        if (beside && isNameOfState(std::filesystem::path(comparable(output->path)).filename().string()))
            return badInput(output->option + " " + output->path,
                            "the folder of checkpoints keeps the states of trainings under such names",
                            "a name that does not begin with run_ and a number, or another folder",
                            "choose another file");
        std::error_code failure;
        const bool comes = beside && !std::filesystem::exists(m_states, failure); // the folder is made later
        if (const Status status = comes ? Status() : checkOutput(output->path, rules(output->kind));
            !status) {
            Error error = status.error();
            error.where = output->option + " " + error.where;
            return error;
        }
        if (const Status status = comes ? Status() : checkFolder(*output); !status)
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
    const std::filesystem::path folder = comparable(m_states);
    for (const std::string& input : m_inputs) {
        std::error_code failure;
        const std::filesystem::path read = comparable(input);
        const bool inside =
            std::mismatch(read.begin(), read.end(), folder.begin(), folder.end()).first == read.end();
        if (inside && std::filesystem::is_directory(read, failure))
            return badInput("--checkpoints " + m_states,
                            "lies in a folder that is read here (as " + input +
                                "), and would be read with it",
                            "a folder elsewhere", "choose another folder");
    }
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
