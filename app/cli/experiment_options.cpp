// SPDX-License-Identifier: Apache-2.0
// The options that name an experiment and change it, shared by check and run.
#include "app/cli/experiment_source.h"

#include <CLI/CLI.hpp>

#include <charconv>
#include <cstdint>

namespace heteroscope::cli {
namespace {

/// "512MiB" becomes "536870912". What is wrong with the text; empty: nothing.
std::string sizeInBytes(std::string& text) {
    const std::string wrong =
        "'" + text + "' is no size that a limit can have; allowed: 1 byte to 8191PiB, e.g. 512MiB";
    const bool negative = text.find('-') != std::string::npos; // CLI11 would take it for a large number
    if (negative || !CLI::AsSizeValue(false)(text).empty())
        return wrong;
    std::int64_t bytes = 0; // and a number that is too large for the largest
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), bytes);
    return failure == std::errc() && end == text.data() + text.size() && bytes > 0 ? std::string() : wrong;
}

} // namespace

void defineExperimentOptions(CLI::App& app, ExperimentSource& source) {
    app.add_option("EXPERIMENT", source.path,
                   "the experiment file, or - for standard input: the first complete JSON value that a\n"
                   "newline ends, or everything up to the end of the input")
        ->required();
    app.add_option("--target", source.targets,
                   "compute on this target instead of the file's; may be repeated, e.g. cpu/openmp?threads=2")
        ->type_name("TARGET")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_option("--set", source.overrides,
                   "change one value of the experiment; may be repeated, e.g. /pooling/input/size=512")
        ->type_name("/POINTER=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    app.add_option("--preset", source.preset, "how many samples: quick, standard or thesis")
        ->type_name("PRESET")
        ->check(CLI::IsMember({"quick", "standard", "thesis"}));
    app.add_option("--samples", source.samples, "exactly this many samples of each run")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    app.add_option("--directory", source.directory,
                   "folder for relative paths in the experiment; default: the file's own folder, and the\n"
                   "current one for standard input")
        ->type_name("DIR");
    defineConfineOption(app, source);
}

void defineConfineOption(CLI::App& app, ExperimentSource& source) {
    app.add_option("--confine", source.confine,
                   "refuse an experiment that names a file outside of this folder, links followed; see\n"
                   "resources/help/security.md")
        ->type_name("FOLDER");
}

} // namespace heteroscope::cli
