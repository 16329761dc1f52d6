// SPDX-License-Identifier: Apache-2.0
#include "compute/base/warm_up_rule.h"

#include <gtest/gtest.h>

namespace heteroscope {
namespace warm_up_rule_test {

TEST(WarmUpRule, EndsWhenThreeTimesHaveNotFallen) {
    WarmUpRule rule(10);
    for (const double ms : {2.0, 1.5, 1.02, 1.0, 1.04})
        rule.add(ms, {});
    EXPECT_FALSE(rule.isStable()) << "1.0 is far below 1.5";
    rule.add(0.99, {});
    EXPECT_TRUE(rule.isStable()) << "none is 5 % below 1.02";
    EXPECT_TRUE(rule.isOver(0.1));
}

/// Another program at work: times scatter for ever.
TEST(WarmUpRule, TimesThatScatterAreWarmWhenTheyDoNotFall) {
    WarmUpRule rule(10);
    for (const double ms : {1.0, 3.0, 1.2, 5.0})
        rule.add(ms, {});
    EXPECT_TRUE(rule.isStable());
}

TEST(WarmUpRule, WaitsForTheClockOfTheGpu) {
    WarmUpRule rule(10);
    for (const double mhz : {345.0, 700.0, 1200.0, 1755.0})
        rule.add(1.0, mhz);
    EXPECT_FALSE(rule.isStable()) << "times agree, clocks do not";
    rule.add(1.0, 1755.0);
    rule.add(1.0, 1770.0);
    EXPECT_TRUE(rule.isStable());
}

TEST(WarmUpRule, ClocksThatAreNotReadDecideNothing) {
    WarmUpRule rule(10);
    rule.add(1.0, 1755.0);
    for (int i = 0; i < 3; ++i)
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
