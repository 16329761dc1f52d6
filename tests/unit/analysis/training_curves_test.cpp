// SPDX-License-Identifier: Apache-2.0
// Smoothing, thinning and the state of a training, against values worked out by hand.
#include "profiling/analysis/training_curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscope::profiling {
namespace {

TEST(TrainingCurves, SmoothingCorrectsTheBiasOfItsStart) {
    const std::vector<double> values{4, 2, 1};
    const auto curve = smoothed(values, 0.5);
    EXPECT_DOUBLE_EQ(curve[0], 4.0);         // 2 / (1 - 1/2)
    EXPECT_DOUBLE_EQ(curve[1], 2.0 / 0.75);  // (1 + 1) / (1 - 1/4)
    EXPECT_DOUBLE_EQ(curve[2], 1.5 / 0.875); // (1 + 1/2) / (1 - 1/8)
    EXPECT_EQ(smoothed(values, 0), values);
    const std::vector<double> flat(1000, 0.7);
    for (const double value : smoothed(flat, 0.99))
        EXPECT_NEAR(value, 0.7, 1e-12);
}

TEST(TrainingCurves, SmoothingIsNotSpoiledByWhatIsNoNumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto curve = smoothed(std::vector<double>{3, nan, 3}, 0.9);
    EXPECT_TRUE(std::isnan(curve[1]));
    EXPECT_DOUBLE_EQ(curve[2], 3.0);
}

TEST(TrainingCurves, ThinningKeepsEveryPeakAndTheOrder) {
    std::vector<double> values(100000, 1.0);
    values[77777] = 50;
    values[12345] = -3;
    values[500] = std::numeric_limits<double>::infinity();
    const auto points = thinned(values, 10, 300);
    EXPECT_LE(points.size(), 600u);
    EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                               [](const StepValue& a, const StepValue& b) { return a.x < b.x; }));
    const auto has = [&](double x, double y) {
        return std::any_of(points.begin(), points.end(),
                           [&](const StepValue& point) { return point.x == x && point.y == y; });
    };
    EXPECT_TRUE(has(77787, 50));
    EXPECT_TRUE(has(12355, -3));
    for (const StepValue& point : points)
        EXPECT_TRUE(std::isfinite(point.y));
}

TEST(TrainingCurves, ShortOnesAreKeptWhole) {
    const auto points = thinned(std::vector<double>{5, 4, 6}, 0, 100);
    ASSERT_EQ(points.size(), 3u);
    EXPECT_EQ(points[1].x, 1);
    EXPECT_EQ(points[1].y, 4);
    EXPECT_TRUE(thinned(std::vector<double>{}, 0, 100).empty());
}

TEST(TrainingCurves, WhereATrainingStands) {
    TrainingRecord record;
    EXPECT_EQ(trainingNow(record, 32).epoch, 0);
    TrainingSteps steps;
    steps.stepsPerEpoch = 4;
    steps.epochs = 3;
    steps.firstStep = 0;
    steps.loss = {2, 1.5, 1.2, 1.1, 1.0, 0.9};
    steps.accuracy = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    steps.learningRate = std::vector<double>(6, 0.01);
    steps.stepMs = {100, 10, 10, 10, 10, 10};
    ASSERT_TRUE(record.add(steps));
    const TrainingNow now = trainingNow(record, 32);
    EXPECT_EQ(now.epoch, 2);
    EXPECT_EQ(now.epochs, 3);
    EXPECT_EQ(now.step, 6);
    EXPECT_EQ(now.steps, 12);
    EXPECT_DOUBLE_EQ(now.loss, 0.9);
    EXPECT_DOUBLE_EQ(now.stepMs, 10);
    EXPECT_DOUBLE_EQ(now.examplesPerS.value(), 3200);
    EXPECT_DOUBLE_EQ(now.remainingS, 0.06);
    EXPECT_FALSE(now.gradientNorm.has_value());
    EXPECT_FALSE(trainingNow(record, 0).examplesPerS.has_value());
}

TrainingSteps stepsOf(std::vector<double> stepMs) {
    TrainingSteps steps;
    steps.stepsPerEpoch = 2;
    steps.epochs = 3;
    steps.firstStep = 0;
    steps.loss = steps.accuracy = steps.learningRate = std::vector<double>(stepMs.size(), 0.5);
    steps.stepMs = std::move(stepMs);
    return steps;
}

TEST(TrainingCurves, TimeOfAStepIsTheMedianOfTheLast) {
    TrainingRecord record;
    ASSERT_TRUE(record.add(stepsOf({9, 1, 4})));
    TrainingNow now = trainingNow(record, 8);
    EXPECT_DOUBLE_EQ(now.stepMs, 4);
    EXPECT_DOUBLE_EQ(now.examplesPerS.value(), 2000);
    EXPECT_DOUBLE_EQ(now.remainingS, 0.012);
    EXPECT_EQ(now.epoch, 2);
    EXPECT_EQ(now.step, 3);
    EXPECT_EQ(now.steps, 6);
    EXPECT_DOUBLE_EQ(now.loss, 0.5);
    EXPECT_DOUBLE_EQ(now.accuracy, 0.5);
    EXPECT_DOUBLE_EQ(now.learningRate, 0.5);
    EXPECT_TRUE(trainingNow(record, 1).examplesPerS);
    TrainingRecord old;
    std::vector<double> times(kRecentSteps + 1, 1);
    times[0] = 100; // no longer among the last
    for (std::size_t i = 1; i < times.size(); i += 2)
        times[i] = 3;
    ASSERT_TRUE(old.add(stepsOf(times)));
    EXPECT_DOUBLE_EQ(trainingNow(old, 8).stepMs, 2); // as many of 1 as of 3
}

TEST(TrainingCurves, EpochsEndWithTheirLastStep) {
    for (const auto& [steps, epoch] : {std::pair(1, 1), {2, 1}, {3, 2}, {4, 2}, {6, 3}}) {
        TrainingRecord record;
        ASSERT_TRUE(record.add(stepsOf(std::vector<double>(static_cast<std::size_t>(steps), 1))));
        EXPECT_EQ(trainingNow(record, 1).epoch, epoch) << steps;
    }
    TrainingRecord whole;
    ASSERT_TRUE(whole.add(stepsOf(std::vector<double>(8, 1)))); // more than planned
    EXPECT_EQ(trainingNow(whole, 1).remainingS, 0);
}

TEST(TrainingCurves, ThinningKeepsTheExtremesOfEachPart) {
    const std::vector<double> values{3, 1, 2, 9, 7, 8, 5, 5};
    std::vector<std::pair<double, double>> points;
    for (const StepValue& point : thinned(values, 100, 3)) // of 2, 3 and 3 steps
        points.emplace_back(point.x, point.y);
    EXPECT_EQ(points, (std::vector<std::pair<double, double>>{
                          {100, 3}, {101, 1}, {102, 2}, {103, 9}, {105, 8}, {106, 5}}));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(thinned(std::vector<double>{nan, nan, 4, nan}, 0, 2).size(), 1u);
    EXPECT_EQ(thinned(values, 0, 0).size(), 2u) << "one part at least";
}

} // namespace
} // namespace heteroscope::profiling
