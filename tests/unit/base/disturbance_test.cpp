// SPDX-License-Identifier: Apache-2.0
// What else the processors did while something ran: the rule, and readings on this machine.
#include "compute/base/clock.h"
#include "compute/base/disturbance.h"
#include "tests/support/require/skip.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heteroscope {
namespace {

Disturbance ofSpan(double spanMs, std::optional<double> waitedMs, double othersMs = 0, double stolenMs = 0) {
    Disturbance made;
    made.spanMs = spanMs;
    made.waitedMs = waitedMs;
    made.othersMs = othersMs;
    made.stolenMs = stolenMs;
    return made;
}

TEST(Disturbance, BeginsWhereASampleMayBeLongerByTheSmallestEffect) {
    EXPECT_FALSE(isDisturbed(ofSpan(100, 0.0)));
    EXPECT_FALSE(isDisturbed(ofSpan(100, 1.9)));
    EXPECT_TRUE(isDisturbed(ofSpan(100, 2.0)));
    EXPECT_FALSE(isDisturbed(Disturbance{})) << "nothing was measured";
}

TEST(Disturbance, OfOthersOnProcessorsThatWereNotNeededIsNone) {
    EXPECT_FALSE(isDisturbed(ofSpan(100, 0.0, 100)));
}

TEST(Disturbance, IsTimeThatTheHypervisorTook) {
    EXPECT_TRUE(isDisturbed(ofSpan(100, 0.0, 0, 10)));
    EXPECT_FALSE(isDisturbed(ofSpan(1000, 0.0, 0, 10))) << "one per cent";
}

TEST(Disturbance, IsJudgedByOthersWhereWaitingIsNotKnown) {
    const double tick = tickMs();
    EXPECT_TRUE(isDisturbed(ofSpan(100 * tick, std::nullopt, 3 * tick)));
    EXPECT_FALSE(isDisturbed(ofSpan(tick, std::nullopt, tick))) << "a tick may be an error of the reading";
    EXPECT_FALSE(isDisturbed(ofSpan(1000 * tick, std::nullopt, 10 * tick)));
}

void computeFor(double ms) {
    const std::int64_t end = steadyNowNs() + static_cast<std::int64_t>(ms * 1e6);
    while (steadyNowNs() < end)
        continue;
}

/// This process and its children on one processor, so that they take it from each other.
class OneProcessor {
  public:
    OneProcessor() {
        m_usable = ::sched_getaffinity(0, sizeof m_before, &m_before) == 0;
        for (int i = 0; m_usable && i < CPU_SETSIZE; ++i)
            if (CPU_ISSET(i, &m_before)) {
                cpu_set_t one;
                CPU_ZERO(&one);
                CPU_SET(i, &one);
                m_usable = ::sched_setaffinity(0, sizeof one, &one) == 0;
                return;
            }
    }
    ~OneProcessor() { (void)::sched_setaffinity(0, sizeof m_before, &m_before); }
    bool usable() const { return m_usable; }

  private:
    cpu_set_t m_before{};
    bool m_usable = false;
};

TEST(DisturbanceWatch, SeesAnotherProgramOnTheSameProcessor) {
    if (!std::filesystem::exists("/proc/thread-self/schedstat"))
        SKIP_WITHOUT("schedstat", "this kernel does not account for the waiting of threads");
    const OneProcessor one;
    ASSERT_TRUE(one.usable());
    const pid_t other = ::fork();
    ASSERT_GE(other, 0);
    if (other == 0)
        while (true)
            continue;
    computeFor(100); // until both take turns
    const DisturbanceWatch watch;
    computeFor(200);
    const Disturbance found = watch.end();
    ::kill(other, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(other, &status, 0), other);
    EXPECT_GE(found.spanMs, 200);
    ASSERT_TRUE(found.waitedMs.has_value());
    EXPECT_GE(*found.waitedMs, 0.1 * found.spanMs);
    EXPECT_LE(*found.waitedMs, found.spanMs);
    EXPECT_GE(found.othersMs, 0.1 * found.spanMs);
    EXPECT_TRUE(isDisturbed(found));
}

TEST(DisturbanceWatch, DoesNotTakeItsOwnTimeForThatOfOthers) {
    const DisturbanceWatch watch;
    computeFor(50);
    const Disturbance found = watch.end();
    EXPECT_GE(found.spanMs, 50);
    EXPECT_GE(found.stolenMs, 0);
    EXPECT_LE(found.waitedMs.value_or(0), found.spanMs);
    EXPECT_GT(found.mhz.value_or(1), 0);
}

TEST(CalibrationLoop, TakesItsCycles) {
    const double first = calibrationLoopUs(), second = calibrationLoopUs();
    // 4096 dependent steps of four cycles or more each: at 10 GHz 1.6 us. A loop that the compiler left out
    // takes none.
    EXPECT_GE(first, 1.6);
    EXPECT_GE(second, 1.6);
}

} // namespace
} // namespace heteroscope
