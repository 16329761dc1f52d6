// SPDX-License-Identifier: Apache-2.0
// Waiting for other programs to be done, on machines that are said to be busy or quiet.
#include "compute/base/clock.h"
#include "compute/base/quiet_wait.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace heteroscope {
namespace {

Disturbance othersTook(double ms, double spanMs = 1000, double stolenMs = 0) {
    Disturbance made;
    made.spanMs = spanMs;
    made.waitedMs = 0;
    made.othersMs = ms;
    made.stolenMs = stolenMs;
    return made;
}

/// A machine whose windows are those of a list, the last one again and again.
LookAtMachine machine(const std::vector<Disturbance>& windows, std::vector<double>& lengths) {
    return [&](double seconds) {
        lengths.push_back(seconds);
        return windows[std::min(lengths.size(), windows.size()) - 1];
    };
}

TEST(Quiet, IsAMachineWhoseOthersTakeLittle) {
    EXPECT_TRUE(isQuiet(othersTook(0)));
    EXPECT_TRUE(isQuiet(othersTook(15)));
    EXPECT_TRUE(isQuiet(othersTook(-10))) << "ticks of this process were counted to it too early";
    EXPECT_FALSE(isQuiet(othersTook(40))) << "though no thread of this process waited";
    EXPECT_FALSE(isQuiet(othersTook(0, 1000, 30))) << "the hypervisor";
}

TEST(Quiet, IsWaitedForUntilAWholeWindowIs) {
    const std::vector<Disturbance> windows{othersTook(900), othersTook(50), othersTook(5)};
    std::vector<double> lengths;
    const QuietWait wait = waitUntilQuiet(60, machine(windows, lengths), nullptr);
    EXPECT_TRUE(wait.isQuiet);
    EXPECT_EQ(wait.seconds, 3 * kQuietWindowS);
    EXPECT_EQ(lengths, std::vector<double>(3, kQuietWindowS));
}

TEST(Quiet, IsWaitedForNoLongerThanTheLimit) {
    const std::vector<Disturbance> busy{othersTook(900)}, quiet{othersTook(0)};
    std::vector<double> lengths;
    QuietWait wait = waitUntilQuiet(2.5, machine(busy, lengths), nullptr);
    EXPECT_FALSE(wait.isQuiet);
    EXPECT_EQ(wait.seconds, 2) << "a part of a window says little: two ticks are more of it";
    lengths.clear();
    wait = waitUntilQuiet(0.25, machine(quiet, lengths), nullptr);
    EXPECT_FALSE(wait.isQuiet);
    EXPECT_EQ(wait.seconds, 0);
    EXPECT_TRUE(lengths.empty());
}

TEST(Quiet, IsNotWaitedForByWhoIsStopped) {
    std::atomic<bool> stop = false;
    int looked = 0;
    const QuietWait wait = waitUntilQuiet(
        60,
        [&](double) {
            stop = ++looked == 2;
            return othersTook(looked == 2 ? 0 : 900);
        },
        &stop);
    EXPECT_EQ(looked, 2);
    EXPECT_FALSE(wait.isQuiet);
    const std::int64_t start = steadyNowNs();
    const Disturbance seen = lookWhileAsleep(&stop)(60);
    EXPECT_LT(seen.spanMs, 10'000);
    EXPECT_LT(steadyNowNs() - start, 10'000'000'000);
}

TEST(Quiet, IsLookedForWhileThisProcessSleeps) {
    const Disturbance seen = lookWhileAsleep(nullptr)(0.1);
    EXPECT_GE(seen.spanMs, 100);
}

} // namespace
} // namespace heteroscope
