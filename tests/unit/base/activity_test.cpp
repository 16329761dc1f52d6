// SPDX-License-Identifier: Apache-2.0
// What is computed at the moment, as a signal handler reads it.
#include "compute/base/activity.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heteroscope {
namespace {

TEST(Activity, IsTheRunAndTheStepWithinIt) {
    setActivity("run 3");
    EXPECT_STREQ(activity(), "run 3");
    EXPECT_STREQ(activityStep(), "");
    setActivityStep("layer \"conv1\"");
    setActivityStep("fc");
    EXPECT_STREQ(activity(), "run 3");
    EXPECT_STREQ(activityStep(), "fc");
    setActivity("run 4");
    EXPECT_STREQ(activityStep(), "") << "a run begins without a step";
    setActivity({});
    EXPECT_STREQ(activity(), "");
}

TEST(Activity, EachNewStepIsToldBeforeItBegins) {
    std::vector<std::string> told;
    setActivity("run 3");
    setActivityStep("before");
    {
        const ActivityTold scope([&](std::string_view step) {
            EXPECT_EQ(step, activityStep()) << "last words would say the same";
            told.emplace_back(step);
        });
        setActivityStep("conv1");
        setActivityStep("conv1");
        setActivityStep("fc");
    }
    setActivityStep("after");
    EXPECT_EQ(told, (std::vector<std::string>{"conv1", "fc"}));
    setActivity({});
}

TEST(Activity, IsCutAfter255Characters) {
    const std::string most(255, 'r');
    setActivity(most);
    setActivityStep(most + "s");
    EXPECT_EQ(activity(), most);
    EXPECT_EQ(activityStep(), most);
    setActivity({});
}

} // namespace
} // namespace heteroscope
