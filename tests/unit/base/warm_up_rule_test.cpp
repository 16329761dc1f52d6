// SPDX-License-Identifier: Apache-2.0
#include "compute/base/warm_up_rule.h"

#include <gtest/gtest.h>

namespace heteroscope {
namespace warm_up_rule_test {

TEST(WarmUpRule, EndsWhenThreeTimesAgree) {
    WarmUpRule rule(10);
    for (const double ms : {2.0, 1.5, 1.02})
        rule.add(ms, {});
    EXPECT_FALSE(rule.isOver(0.1));
    rule.add(1.0, {});
    EXPECT_FALSE(rule.isStable()) << "1.5 is among the last three";
    rule.add(1.04, {});
    EXPECT_TRUE(rule.isStable());
    EXPECT_TRUE(rule.isOver(0.1));
}

TEST(WarmUpRule, WaitsForTheClockOfTheGpu) {
    WarmUpRule rule(10);
    for (const double mhz : {345.0, 1200.0, 1755.0})
        rule.add(1.0, mhz);
    EXPECT_FALSE(rule.isStable()) << "times agree, clocks do not";
    rule.add(1.0, 1755.0);
    rule.add(1.0, 1770.0);
    EXPECT_TRUE(rule.isStable());
}

TEST(WarmUpRule, ClocksThatAreNotReadDecideNothing) {
    WarmUpRule rule(10);
    rule.add(1.0, 1755.0);
    rule.add(1.0, {});
    rule.add(1.0, {});
    EXPECT_TRUE(rule.isStable());
}

TEST(WarmUpRule, EndsAtItsTimeLimitWithoutBeingStable) {
    WarmUpRule rule(1);
    EXPECT_FALSE(rule.isOver(5)) << "nothing has been long enough yet";
    rule.add(1.0, {});
    EXPECT_FALSE(rule.isOver(0.5));
    EXPECT_TRUE(rule.isOver(1.0));
    EXPECT_FALSE(rule.isStable());
}

TEST(WarmUpRule, WithoutTimeEndsWithTheFirst) {
    WarmUpRule rule(0);
    rule.add(1.0, {});
    EXPECT_TRUE(rule.isOver(0));
}

} // namespace warm_up_rule_test
} // namespace heteroscope
