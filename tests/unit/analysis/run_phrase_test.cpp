// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/run_phrase.h"

#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

std::string progressOf(int run, int process, int processes) {
    Study study;
    study.runs.resize(2);
    study.runs[0].target = "cpu/sequential";
    study.runs[1].target = "cpu/openmp";
    study.runs[1].point = {{"/pooling/input/size", 64}};
    study.progress.run = run;
    study.progress.process = process;
    study.progress.processes = processes;
    return progressPhrase(study).text();
}

TEST(ProgressPhrase, NamesTheProcessWhereThereAreSeveralAndTheRunOnceThereIsOne) {
    EXPECT_EQ(progressOf(1, 0, 1), "cpu/openmp, size=64");
    EXPECT_EQ(progressOf(0, 0, 1), "cpu/sequential");
    EXPECT_EQ(progressOf(-1, 0, 1), "");
    EXPECT_EQ(progressOf(1, 1, 3), "process 2 of 3: cpu/openmp, size=64");
    EXPECT_EQ(progressOf(-1, 2, 3), "process 3 of 3");
}

/// A worker may send any number.
TEST(ProgressPhrase, OfARunThatIsNotThereNamesNone) {
    EXPECT_EQ(progressOf(2, 0, 1), "");
    EXPECT_EQ(progressOf(2, 0, 2), "process 1 of 2");
    EXPECT_EQ(progressOf(-1, 2147483647, 2147483647), "process 2147483648 of 2147483647");
}

} // namespace
} // namespace heteroscope::profiling
