// SPDX-License-Identifier: Apache-2.0
// Every experiment that is shipped must be faultless, named and explained.
#include "compute/backends/builtin.h"
#include "compute/base/statistics.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/unit/experiment/recording_observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace heteroscope::compute {

TEST(Examples, AllAreFaultlessAndExplained) {
    int count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/examples")) {
        if (entry.path().extension() != ".json")
            continue;
        ++count;
        const auto spec = loadExperiment(entry.path());
        ASSERT_TRUE(spec) << entry.path() << ": " << spec.error().sentence();
        EXPECT_TRUE(checkExperiment(spec->document).empty()) << entry.path();
        EXPECT_FALSE(spec->name.empty()) << entry.path();
        EXPECT_GT(spec->notes.size(), 40u) << entry.path();
        EXPECT_TRUE(expandPoints(*spec)) << entry.path();
    }
    EXPECT_GE(count, 11);
}

/// The first thing a newcomer runs: short, without a failure, and with a speedup to look at.
TEST(Examples, TheDemoIsShortAndShowsASpeedup) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "times mean nothing under a sanitizer";
#endif
    const auto spec = loadExperiment(HETEROSCOPE_SOURCE_DIR "/resources/examples/demo.json");
    ASSERT_TRUE(spec);
    RecordingObserver observer;
    const auto started = std::chrono::steady_clock::now();
    ASSERT_TRUE(runStudy(*spec, makeBuiltinRegistry(), {}, observer));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    RecordProperty("seconds", std::to_string(took.count()));
    EXPECT_LT(took.count(), 60.0); // under 10 s on an idle machine
    std::map<int, std::vector<double>> times;
    for (const SampleRecord& sample : observer.samples)
        if (!sample.warmup && !sample.traced)
            times[sample.run].push_back(sample.wallMs);
    const int runs = static_cast<int>(observer.runs.size());
    ASSERT_EQ(observer.runs[static_cast<std::size_t>(runs - 3)].target, "cpu/sequential");
    ASSERT_EQ(observer.runs[static_cast<std::size_t>(runs - 2)].target, "cpu/openmp");
    EXPECT_EQ(observer.outcome(runs - 2).maxAbsError, 0.0);
    // The fastest sample of each: other programs on the machine make samples slower, never faster.
    const double sequentialMs = *std::min_element(times[runs - 3].begin(), times[runs - 3].end());
    const double openmpMs = *std::min_element(times[runs - 2].begin(), times[runs - 2].end());
    EXPECT_GT(sequentialMs, openmpMs);
}

} // namespace heteroscope::compute
