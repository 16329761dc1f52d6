// SPDX-License-Identifier: Apache-2.0
// The advice for unclear comparisons fits their numbers of samples.
#include "profiling/analysis/unclear.h"

#include <gmock/gmock.h>

#include <vector>

namespace heteroscope::profiling {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Comparison unclear(Interval interval) {
    return {1.1, interval, Verdict::Unclear, true};
}

TEST(Unclear, NamesTheRuleThatLeftItOpen) {
    EXPECT_EQ(doubtOf({1.1, {1.1, 1.1}, Verdict::Unclear, false}, 4), Doubt::NoInterval);
    EXPECT_EQ(doubtOf(unclear({0.9, 1.2}), 29), Doubt::FewSamples);
    EXPECT_EQ(doubtOf(unclear({0.9, 1.2}), 88), Doubt::HoldsEquality);
    EXPECT_EQ(doubtOf(unclear({1.05, 1.2}), 178), Doubt::RangesMeet);
    EXPECT_EQ(doubtOf(unclear({0.8, 0.9}), 178), Doubt::RangesMeet);
    EXPECT_EQ(doubtOf({1.1, {1.05, 1.2}, Verdict::Faster, true}, 88), Doubt::None);
    EXPECT_EQ(doubtOf({1.1, {1.05, 1.2}, Verdict::Unclear, true, true}, 88), Doubt::OneProcess);
    EXPECT_EQ(doubtOf({1.1, {0.9, 1.2}, Verdict::Unclear, true, false, true}, 30), Doubt::Processes);
    EXPECT_THAT(unclearAdvice(std::vector<Doubt>{Doubt::OneProcess, Doubt::Processes}),
                testing::AllOf(HasSubstr("Of 1: two studies of fewer than 3 processes each"),
                               HasSubstr("3 fresh processes"),
                               HasSubstr("Of 1: over processes the 98 % interval")));
}

TEST(Unclear, AsksForThirtySamplesOnlyWhereThereAreFewer) {
    const std::vector<Doubt> enough{Doubt::None, Doubt::RangesMeet, Doubt::HoldsEquality};
    EXPECT_THAT(unclearAdvice(enough), HasSubstr("UNCLEAR comparisons: 2. Of 1: the ranges"));
    EXPECT_THAT(unclearAdvice(enough), Not(HasSubstr("30 samples")));
    const std::vector<Doubt> few{Doubt::FewSamples};
    EXPECT_EQ(unclearAdvice(few),
              "UNCLEAR comparisons: 1. Of 1: fewer than 30 samples; repeat both sides with "
              "30 samples (preset thesis).");
    EXPECT_EQ(unclearAdvice(std::vector<Doubt>{Doubt::None}), "");
    EXPECT_EQ(doubtText(Doubt::None) + doubtAdvice(Doubt::None), "");
    EXPECT_EQ(unclearAdvice(few), "UNCLEAR comparisons: 1. Of 1: " + doubtText(Doubt::FewSamples) + "; " +
                                      doubtAdvice(Doubt::FewSamples) + ".");
}

} // namespace
} // namespace heteroscope::profiling
