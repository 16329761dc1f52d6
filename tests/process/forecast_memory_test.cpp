// SPDX-License-Identifier: Apache-2.0
// The forecast of memory against what a network of ResNet18's size takes: never less than that, or a run is
// let in that the kernel kills; and not much more, or one is refused that would have fitted.
#include "profiling/stream/stream_reader.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::process_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsOurs = false; ///< a sanitizer's shadow is memory, too
#else
constexpr bool kMemoryIsOurs = true;
#endif
constexpr int kCannotRun = 3;
constexpr double kMostOverPeak = 1.5;
constexpr double kUnforeseen =
    1.05; ///< what the heap adds to blocks, and pages of libraries that were not touched before

struct Taken {
    double peakMiB = 0, forecastMiB = 0;
    Finished done;
};

/// The largest forecast that the stream tells.
double forecastIn(const std::string& stream) {
    profiling::StreamReader reader("stdout");
    reader.feed({reinterpret_cast<const std::uint8_t*>(stream.data()), stream.size()});
    profiling::StudyBuilder builder;
    std::int64_t most = 0;
    for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
        (void)builder.apply(**frame);
        if (const auto& doing = builder.study().activity)
            most = std::max(most, doing->forecastBytes);
    }
    return static_cast<double>(most) / (1 << 20);
}

struct Case {
    const char* target;
    const char* task;
    int batch, side;
};

void PrintTo(const Case& one, std::ostream* out) {
    *out << one.target << ' ' << one.task << ' ' << one.batch << 'x' << one.side;
}

class ForecastMemory : public testing::TestWithParam<Case> {
  protected:
    static Taken run() {
        const std::string side = std::to_string(GetParam().side);
        const std::string batch =
            GetParam().task == std::string("train") ? "/training/batch=" : "/network/input/batch=";
        Taken taken;
        taken.done = runCli({"run", examplePath("network_resnet18.json"), "--target", GetParam().target,
                             "--samples", "1", "--preset", "quick", "--no-check", "--no-trace", "--stream",
                             "--set", "/axes={}", "--set", std::string("/task=\"") + GetParam().task + "\"",
                             "--set", batch + std::to_string(GetParam().batch), "--set",
                             "/network/input/shape=[3," + side + "," + side + "]"});
        taken.peakMiB = static_cast<double>(taken.done.peakKiB) / 1024;
        taken.forecastMiB = forecastIn(taken.done.out);
        return taken;
    }
};

TEST_P(ForecastMemory, isWhatTheRunTakesAndNotMuchMore) {
    if (!kMemoryIsOurs)
        SKIP_AS_MEANINGLESS("a sanitizer takes memory of its own");
    const std::string target = GetParam().target;
    const Taken taken = run();
    if (taken.done.exitCode == kCannotRun && taken.done.err.find("cannot be used") != std::string::npos)
        SKIP_WITHOUT(target.substr(4, 6), taken.done.err);
    ASSERT_EQ(taken.done.exitCode, 0) << taken.done.err;
    const Finished empty = runCli({"version"}); // the program with its libraries
    const double peak = taken.peakMiB - static_cast<double>(empty.peakKiB) / 1024;
    RecordProperty("peak_mib", std::to_string(peak));
    RecordProperty("forecast_mib", std::to_string(taken.forecastMiB));
    std::printf("%s %s batch %d: peak %.1f MiB above %.1f MiB of the program, forecast %.1f MiB\n",
                GetParam().target, GetParam().task, GetParam().batch, peak,
                static_cast<double>(empty.peakKiB) / 1024, taken.forecastMiB);
    EXPECT_GT(peak, 100) << "the run is large enough to say something";
    EXPECT_LE(peak, kUnforeseen * taken.forecastMiB);
    EXPECT_LE(taken.forecastMiB, kMostOverPeak * peak);
}

INSTANTIATE_TEST_SUITE_P(Targets, ForecastMemory,
                         testing::Values(Case{"cpu/openmp?threads=2", "infer", 16, 128},
                                         Case{"cpu/onednn?threads=2", "infer", 16, 128},
                                         Case{"cpu/openmp?threads=2", "train", 4, 64},
                                         Case{"cpu/onednn?threads=2", "train", 4, 64}),
                         [](const auto& one) {
                             return std::string(one.param.target).substr(4, 6) + "_" + one.param.task;
                         });

} // namespace
} // namespace heteroscope::process_test
