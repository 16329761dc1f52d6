// SPDX-License-Identifier: Apache-2.0
// The search for a learning rate on losses that are known, and the checks of schedules.
#include "compute/exec/rate_search.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/idx_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace heteroscope::compute {
namespace {

TEST(RateSearch, RatesGrowByOneFactorFromTheFirstToTheLast) {
    EXPECT_DOUBLE_EQ(RateSearch::rateAt(0), 1e-7);
    EXPECT_NEAR(RateSearch::rateAt(99), 10.0, 1e-12);
    const double factor = RateSearch::rateAt(1) / RateSearch::rateAt(0);
    for (int step = 1; step < 99; ++step)
        EXPECT_NEAR(RateSearch::rateAt(step + 1) / RateSearch::rateAt(step), factor, 1e-12);
}

TEST(RateSearch, SmoothsWithoutTheBiasOfTheBeginning) {
    RateSearch search;
    search.add(0.1, 3.0);
    search.add(0.2, 1.0);
    EXPECT_DOUBLE_EQ(search.smoothed()[0], 3.0);
    EXPECT_NEAR(search.smoothed()[1], (0.98 * 0.02 * 3.0 + 0.02 * 1.0) / (1.0 - 0.98 * 0.98), 1e-12);
}

TEST(RateSearch, SuggestsTheSteepestDescent) {
    RateSearch search;
    for (int step = 0; step < 100; ++step)
        search.add(RateSearch::rateAt(step), step < 60 ? 2.0 : step < 70 ? 2.0 - 0.15 * (step - 59) : 0.5);
    ASSERT_TRUE(search.over());
    EXPECT_FALSE(search.diverged());
    ASSERT_TRUE(search.suggestion());
    EXPECT_GE(*search.suggestion(), RateSearch::rateAt(66));
    EXPECT_LE(*search.suggestion(), RateSearch::rateAt(71));
}

TEST(RateSearch, SuggestsNothingWhereTheLossOnlyGrows) {
    RateSearch search;
    for (int step = 0; step < 100; ++step)
        search.add(RateSearch::rateAt(step), 1.0 + 0.01 * step);
    EXPECT_FALSE(search.suggestion());
    EXPECT_FALSE(RateSearch().suggestion());
}

TEST(RateSearch, EndsWhenTheLossGrowsOutOfBounds) {
    RateSearch growing;
    for (int step = 0; step < 50; ++step)
        growing.add(RateSearch::rateAt(step), 1.0);
    for (int step = 50; step < 100 && !growing.over(); ++step)
        growing.add(RateSearch::rateAt(step), 100.0);
    EXPECT_TRUE(growing.diverged());
    EXPECT_LT(growing.rates().size(), 60u);
    const std::size_t kept = growing.rates().size();
    growing.add(1.0, 1.0);
    EXPECT_EQ(growing.rates().size(), kept);
    RateSearch infinite;
    infinite.add(1e-7, 1.0);
    infinite.add(1e-6, std::numeric_limits<double>::quiet_NaN());
    EXPECT_TRUE(infinite.over());
    EXPECT_EQ(infinite.losses().size(), 1u);
}

TEST(Schedule, MistakesAreNamedByTheirPointer) {
    TemporaryIdx files;
    const auto errorOf = [&](const Json& schedule, double validationShare = 0.1) {
        Json experiment = files.trainingExperiment(60, 10);
        experiment["training"]["schedule"] = schedule;
        experiment["data"]["validation_share"] = validationShare;
        const auto spec = specFromJson(experiment);
        return spec ? std::string("none") : spec.error().sentence();
    };
    using testing::HasSubstr;
    EXPECT_EQ(errorOf({{"type", "cosine"}, {"warmup_steps", 3}, {"minimum", 0.001}}), "none");
    EXPECT_THAT(errorOf({{"type", "cosin"}}), HasSubstr("/training/schedule/type"));
    EXPECT_THAT(errorOf({{"type", "step"}, {"every", 0}}), HasSubstr("/training/schedule/every"));
    EXPECT_THAT(errorOf({{"type", "step"}, {"gama", 0.1}}), HasSubstr("/training/schedule/gama"));
    EXPECT_THAT(errorOf({{"type", "exponential"}, {"gamma", 2}}), HasSubstr("/training/schedule/gamma"));
    EXPECT_THAT(errorOf({{"type", "plateau"}}, 0.0), HasSubstr("/training/schedule/type"));
    EXPECT_THAT(errorOf({{"type", "cosine"}, {"minimum", 1}}), HasSubstr("/training/schedule/minimum"));
}

TEST(Schedule, ComesBackFromJson) {
    TemporaryIdx files;
    for (const Json& schedule :
         {Json({{"type", "constant"}}), Json({{"type", "step"}, {"gamma", 0.25}, {"every", 3}}),
          Json({{"type", "exponential"}, {"gamma", 0.875}}),
          Json({{"type", "cosine"}, {"warmup_steps", 7}, {"minimum", 0.0078125}}),
          Json({{"type", "one_cycle"}, {"rising", 0.25}}),
          Json({{"type", "plateau"}, {"gamma", 0.5}, {"minimum", 0}, {"patience", 4}})}) {
        Json experiment = files.trainingExperiment(60, 10);
        experiment["training"]["schedule"] = schedule;
        const auto spec = specFromJson(experiment);
        ASSERT_TRUE(spec) << spec.error().sentence();
        EXPECT_EQ(specToJson(*spec).at("training").at("schedule"), schedule);
    }
}

} // namespace
} // namespace heteroscope::compute
