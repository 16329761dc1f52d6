// SPDX-License-Identifier: Apache-2.0
// The self-test of the command line is short enough to run whenever somebody wonders.

#include "tests/support/require/skip.h"
#include "tests/timing/machine_use.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <heteroscope_paths.h>
#include <thread>

namespace heteroscope {

TEST(SelfTest, TakesLessThanTenSecondsOnTwoCores) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(NDEBUG)
    SKIP_WITHOUT("release-build", "times mean nothing here: not a release build without sanitizers");
#endif
    if (std::thread::hardware_concurrency() < 2)
        SKIP_WITHOUT("quiet-machine", "times mean nothing here: one processor");
    constexpr double kMostSelfTestSeconds = 10.0, kMostByOthers = 0.15;
    const timing::MachineUse before = timing::machineUse();
    const int status = std::system(HETEROSCOPE_BINARY_DIR "/heteroscope-cli self-test > /dev/null");
    const timing::MachineUse used = timing::machineUse() - before;
    std::printf("self-test: %.2f s, others used %.0f %%\n", used.seconds, 100 * used.byOthers());
    EXPECT_EQ(status, 0);
    if (used.seconds >= kMostSelfTestSeconds && used.byOthers() > kMostByOthers)
        SKIP_WITHOUT("quiet-machine", "times mean nothing here: other programs used the machine");
    EXPECT_LT(used.seconds, kMostSelfTestSeconds);
}

} // namespace heteroscope
