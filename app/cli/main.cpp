// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli: the headless program, and the worker that the window starts.
#include "app/cli/command_line.h"
#include "app/cli/last_words.h"
#include "compute/base/standard_descriptors.h"

#include <csignal>

int main(int argc, char** argv) {
    heteroscope::fillStandardDescriptors();
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is an error of that one output, not the end of a study
    heteroscope::cli::installLastWords();
    return heteroscope::cli::runCommandLine({argv, argv + argc});
}
