// SPDX-License-Identifier: Apache-2.0
// The first thing a newcomer runs: short, without a failure, and with a speedup to look at.
#include "compute/backends/builtin.h"
#include "compute/base/statistics.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/require/skip.h"
#include "tests/timing/machine_use.h"
#include "tests/unit/experiment/recording_observer.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <heteroscope_paths.h>
#include <map>

namespace heteroscope::compute {
namespace {

constexpr double kMostSeconds = 10.0;
constexpr double kLeastSpeedup = 1.5;
/// Other programs that take more of the processors than this make times mean nothing.
constexpr double kMostUsedByOthers = 0.15;

const char* whyTimesMeanNothing() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return "a sanitizer slows the implementations down by different amounts";
#elif !defined(NDEBUG)
    return "not a release build";
#else
    return nullptr;
#endif
}

} // namespace

TEST(Demo, IsShortAndShowsASpeedup) {
    if (const char* why = whyTimesMeanNothing())
        SKIP_WITHOUT("release-build", std::string("times mean nothing here: ") + why);
    const auto spec = loadExperiment(HETEROSCOPE_SOURCE_DIR "/resources/examples/demo.json");
    ASSERT_TRUE(spec);
    RecordingObserver observer;
    const timing::MachineUse before = timing::machineUse();
    ASSERT_TRUE(runStudy(*spec, makeBuiltinRegistry(), {}, observer));
    const timing::MachineUse used = timing::machineUse() - before;

    std::map<int, std::vector<double>> times;
    for (const SampleRecord& sample : observer.samples)
        if (!sample.warmup && !sample.traced)
            times[sample.run].push_back(sample.wallMs);
    const int runs = static_cast<int>(observer.runs.size());
    ASSERT_EQ(observer.runs[static_cast<std::size_t>(runs - 3)].target, "cpu/sequential");
    ASSERT_EQ(observer.runs[static_cast<std::size_t>(runs - 2)].target, "cpu/openmp");
    EXPECT_EQ(observer.outcome(runs - 2).maxAbsError, 0.0);
    const Comparison speedup = compare(times[runs - 3], times[runs - 2]);
    std::printf("demo: %.2f s, openmp at 2048 is %.1f times as fast as sequential; others used %.0f %%\n",
                used.seconds, speedup.ratio, 100 * used.byOthers());
    const bool held = used.seconds < kMostSeconds && speedup.ratio > kLeastSpeedup;
    if (!held && used.byOthers() > kMostUsedByOthers)
        SKIP_WITHOUT("quiet-machine", "times mean nothing here: other programs used the machine");
    EXPECT_LT(used.seconds, kMostSeconds);
    EXPECT_GT(speedup.ratio, kLeastSpeedup);
}

} // namespace heteroscope::compute
