// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output_rules.h"

#include "compute/base/output_place.h"
#include "compute/data/named_files.h"
#include "compute/exec/checkpoint_manifest.h"
#include "profiling/stream/stream_writer.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace heteroscope::cli {
namespace {

bool isText(std::string_view head) {
    return head.find('\0') == std::string_view::npos;
}

bool beginsWithAny(std::string_view head, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return head.starts_with(beginning); });
}

bool isJsonWith(std::string_view head, std::string_view key) {
    const auto first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (head[first] == '{' || head[first] == '[') &&
           head.find(key) != std::string_view::npos;
}

/// Tables that this program writes; a table that a person made has other columns.
bool isOurCsv(std::string_view head) {
    return beginsWithAny(head, {"run,target", "index,actual", "run,index,actual"});
}

bool isSummary(std::string_view head) {
    return isText(head) &&
           (beginsWithAny(head, {"layer,type,output_shape", "% needs \\usepackage{booktabs}"}) ||
            head.find("multiply-adds forward for a batch of") != std::string_view::npos);
}

struct KindOf {
    OutputKind kind;
    const char* name;
    bool (*is)(std::string_view head);
};

constexpr std::array<KindOf, 7> kOutputKinds{
    {{OutputKind::Results, "results as JSON",
      [](std::string_view head) { return isJsonWith(head, "\"heteroscope-results\""); }},
     {OutputKind::Csv, "a table that this program wrote", isOurCsv},
     {OutputKind::Archive, "a NumPy archive",
      [](std::string_view head) {
          return beginsWithAny(head, {"PK\x03\x04", "PK\x05\x06"});
      }},
     {OutputKind::ChromeTrace, "a Chrome trace",
      [](std::string_view head) { return isJsonWith(head, "\"traceEvents\""); }},
     {OutputKind::Onnx, "an ONNX file", [](std::string_view head) { return head.starts_with('\x08'); }},
     {OutputKind::Experiment, "an experiment",
      [](std::string_view head) { return isJsonWith(head, "\"heteroscope\""); }},
     {OutputKind::Summary, "a summary of a network", isSummary}}};

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
    OutputRules rules = kind == OutputKind::RunFile ? profiling::runFileRules() : OutputRules();
    for (const KindOf& known : kOutputKinds)
        if (known.kind == kind) {
            rules.kind = known.name;
            rules.isKind = known.is;
        }
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
