// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output_rules.h"

#include "compute/base/output_place.h"
#include "profiling/stream/stream_writer.h"

#include <CLI/CLI.hpp>

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

/// Names of values that are files or folders, wherever in a document they are.
bool namesFile(std::string_view key) {
    constexpr std::array<std::string_view, 11> kKeys{"path",        "file",    "test_file",   "images",
                                                     "test_images", "labels",  "test_labels", "folder",
                                                     "test_folder", "weights", "onnx"};
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

/// The file of "a.npz:images" is a.npz.
std::string withoutEntry(const std::string& file) {
    const auto colon = file.find(".npz:");
    return colon == std::string::npos ? file : file.substr(0, colon + 4);
}

class InputCollector {
  public:
    InputCollector(const std::string& directory, std::vector<std::string>& inputs)
        : m_directory(directory), m_inputs(inputs) {}

    /// `key`: the name that the value has, of an axis the last part of its pointer.
    void walk(const Json& value, std::string_view key) {
        if (value.is_object())
            for (const auto& [name, member] : value.items())
                walk(member, std::string_view(name).substr(name.rfind('/') + 1));
        else if (value.is_array())
            for (const Json& element : value)
                walk(element, key);
        else if (value.is_string() && namesFile(key))
            take(value.get_ref<const std::string&>());
    }

  private:
    void take(const std::string& file) {
        if (!file.empty())
            m_inputs.push_back((std::filesystem::path(m_directory) / withoutEntry(file)).string());
    }

    const std::string& m_directory;
    std::vector<std::string>& m_inputs;
};

/// Before either is there, two names of one file differ in their writing only.
std::string comparable(const std::string& path) {
    std::error_code failure;
    return std::filesystem::weakly_canonical(outputPlace(path).path, failure).string();
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

std::vector<std::string> inputFiles(const ExperimentSource& source, const Json& document) {
    std::vector<std::string> inputs{source.path == "-" ? "/dev/stdin" : source.path};
    const std::string directory = experimentDirectory(source);
    InputCollector(directory, inputs).walk(document, {});
    return inputs;
}

} // namespace heteroscope::cli
