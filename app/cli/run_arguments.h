// SPDX-License-Identifier: Apache-2.0
// What `run` was asked to do. A plain value.
#pragma once

#include "app/cli/output_rules.h"

#include <cstdint>
#include <string>

namespace heteroscope::cli {

struct RunArguments {
    ExperimentSource source;
    std::string reference;           ///< target that speedups refer to; empty: cpu/sequential, else the first
    std::string out;                 ///< run file; empty: none
    std::string json, csv;           ///< result files; empty: none
    std::string saveOutput;          ///< .npz; empty: none
    std::string predictions;         ///< CSV of an inference over a dataset; empty: none
    std::string checkpoints;         ///< folder for the states of trainings; empty: none
    bool resume = false;             ///< from there
    bool force = false;              ///< files of another kind may be written over
    std::vector<std::string> inputs; ///< files that the study reads, which are never written over
    bool noTrace = false, noCheck = false;
    bool stream = false;
    bool counters = false;             ///< the counters pass after the study
    std::string countersKernel;        ///< a regular expression: kernels whose counters are kept; empty: all
    bool onlyCounters = false;         ///< hidden: this is the worker of the counters pass
    std::int64_t memoryLimitBytes = 0; ///< 0: what the device has free
    bool onlyTraced = false; ///< hidden: record the timeline, with the device's, and take no timed samples
    int processIndex = -1;   ///< hidden: which fresh process of the study this is; -1: none

    OutputGuard guard() const { return {inputs, force, checkpoints}; }
};

} // namespace heteroscope::cli
