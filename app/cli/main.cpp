// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli: the headless program, and the worker that the window starts.
#include "app/cli/choose_wait_policy.h"
#include "app/cli/command_line.h"
#include "app/cli/last_words.h"
#include "compute/base/standard_descriptors.h"

int main(int argc, char** argv) {
    heteroscope::fillStandardDescriptors();
    heteroscope::cli::installLastWords(); // before the first request for memory
    heteroscope::cli::chooseWaitPolicy(argc, argv);
    heteroscope::ignoreSignalsOfWriting();
    return heteroscope::cli::runCommandLine({argv, argv + argc});
}
