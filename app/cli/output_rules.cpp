// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output_rules.h"

#include "compute/base/output_place.h"
#include "compute/data/named_files.h"
#include "compute/exec/checkpoint_manifest.h"
#include "profiling/stream/stream_writer.h"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace heteroscope::cli {
namespace {

/// Before either is there, two names of one file differ in their writing only.
std::string comparable(const std::string& path) {
    std::error_code failure;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(outputPlace(path).path, failure),
                                             failure)
        .string();
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
        if (const Status status = checkOutput(output->path, rules(output->kind)); !status) {
            Error error = status.error();
            error.where = output->option + " " + error.where;
            return error;
        }
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
