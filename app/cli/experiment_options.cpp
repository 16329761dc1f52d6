// SPDX-License-Identifier: Apache-2.0
// The options that name an experiment and change it, shared by check and run.
#include "app/cli/experiment_source.h"
#include "compute/base/statistics.h"

#include <CLI/CLI.hpp>

namespace heteroscope::cli {

void defineExperimentOptions(CLI::App& app, ExperimentSource& source) {
    app.add_option("EXPERIMENT", source.path,
                   "the experiment file, or - for standard input: one JSON value, after which only blanks\n"
                   "may come")
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
    app.add_option("--samples", source.samples,
                   "so many samples of each run, unless the experiment's time limit ends them")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    app.add_option(
           "--processes", source.processes,
           "take them in so many processes started afresh, one after the other: with fewer than 3 only runs\n"
           "whose medians differ by a quarter are told to be FASTER or SLOWER, and more than 3 find smaller\n"
           "differences")
        ->type_name("N")
        ->check(CLI::Range(1, kMostProcesses));
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
