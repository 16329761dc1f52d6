// SPDX-License-Identifier: Apache-2.0
// Classes, probabilities and errors against values worked out by hand.
#include "compute/exec/prediction.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::compute {

TEST(Prediction, ProbabilitiesOfSeveralAndOfOneOutput) {
    const float outputs[] = {0, std::log(3.0F)};
    const auto both = classProbabilities(outputs);
    EXPECT_NEAR(both[0], 0.25, 1e-7);
    EXPECT_NEAR(both[1], 0.75, 1e-7);
    EXPECT_EQ(predictedClass(outputs), 1u);
    const float yes[] = {std::log(4.0F)}, no[] = {-1};
    EXPECT_NEAR(classProbabilities(yes)[1], 0.8, 1e-7);
    EXPECT_EQ(predictedClass(yes), 1u);
    EXPECT_EQ(predictedClass(no), 0u);
    const float huge[] = {1000, 999, 1000};
    EXPECT_EQ(predictedClass(huge), 0u); // the first of equal ones
    EXPECT_TRUE(std::isfinite(classProbabilities(huge)[0]));
}

TEST(Prediction, AccuracyIsTheShareOfHits) {
    const float outputs[] = {1, 0, 0, 1, 3, 2, 2, 3}, targets[] = {0, 1, 1, 1};
    EXPECT_EQ(accuracyOf(outputs, 2, targets), 0.75);
}

/// Errors 1, -1, 0: mean squares 2/3; the targets 1, 3, 2 have a spread of 2.
TEST(Prediction, RegressionFigures) {
    const float predicted[] = {2, 2, 2}, actual[] = {1, 3, 2};
    const RegressionFigures figures = regressionFigures(predicted, actual);
    EXPECT_NEAR(figures.meanSquaredError, 2.0 / 3, 1e-12);
    EXPECT_NEAR(figures.meanAbsoluteError, 2.0 / 3, 1e-12);
    ASSERT_TRUE(figures.r2);
    EXPECT_NEAR(*figures.r2, 0, 1e-12); // no better than the mean
    EXPECT_NEAR(*regressionFigures(actual, actual).r2, 1, 1e-12);
    const float same[] = {5, 5, 5};
    EXPECT_FALSE(regressionFigures(predicted, same).r2);
}

} // namespace heteroscope::compute
