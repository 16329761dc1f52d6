// SPDX-License-Identifier: Apache-2.0
// The advice for unclear comparisons fits what they lack.
#include "profiling/analysis/unclear.h"

#include <gmock/gmock.h>

#include <vector>

namespace heteroscope::profiling {
namespace {

using ::testing::HasSubstr;

TEST(Unclear, NamesTheRuleThatLeftItOpen) {
    EXPECT_EQ(doubtOf({1.1, {1.1, 1.1}, Verdict::Unclear, false}), Doubt::NoInterval);
    EXPECT_EQ(doubtOf({1.1, {1.05, 1.2}, Verdict::Faster, true}), Doubt::None);
    EXPECT_EQ(doubtOf({1.1, {1.05, 1.2}, Verdict::Unclear, true, true}), Doubt::OneProcess);
    EXPECT_EQ(doubtOf({1.1, {0.9, 1.2}, Verdict::Unclear, true, false, true}), Doubt::Processes);
    Comparison disturbed{1.1, {1.05, 1.2}, Verdict::Unclear, true, false, true};
    disturbed.disturbed = true;
    EXPECT_EQ(doubtOf(disturbed), Doubt::Disturbed);
    Comparison little{1.05, {1.03, 1.07}, Verdict::Unclear, true, false, true};
    little.belowDisturbance = true;
    EXPECT_EQ(doubtOf(little), Doubt::DisturbedStudy);
    Comparison moment{1.5, {1.4, 1.6}, Verdict::Unclear, true, false, true};
    moment.oneMoment = true;
    EXPECT_EQ(doubtOf(moment), Doubt::OneMoment);
    Comparison pairs{1.1, {0.9, 1.2}, Verdict::Unclear, true};
    pairs.overPairs = true;
    EXPECT_EQ(doubtOf(pairs), Doubt::Pairs);
    EXPECT_THAT(unclearAdvice(std::vector<Doubt>{Doubt::OneProcess, Doubt::None, Doubt::Processes}),
                testing::AllOf(HasSubstr("UNCLEAR comparisons: 2. Of 1: fewer than 3 processes a side"),
                               HasSubstr("repeat in 3 fresh processes (preset standard)"),
                               HasSubstr("Of 1: over processes the 98 % interval")));
}

TEST(Unclear, SaysNothingWithoutDoubt) {
    EXPECT_EQ(unclearAdvice(std::vector<Doubt>{Doubt::None}), "");
    EXPECT_EQ(doubtText(Doubt::None) + doubtAdvice(Doubt::None), "");
    EXPECT_EQ(unclearAdvice(std::vector<Doubt>{Doubt::NoInterval}),
              "UNCLEAR comparisons: 1. Of 1: " + doubtText(Doubt::NoInterval) + "; " +
                  doubtAdvice(Doubt::NoInterval) + ".");
}

} // namespace
} // namespace heteroscope::profiling
