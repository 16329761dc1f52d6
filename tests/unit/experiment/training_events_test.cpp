// SPDX-License-Identifier: Apache-2.0
// What a training tells its observer: every step once and in order, epochs, what was predicted; nothing of
// first uses and traced steps.
#include "compute/backends/builtin.h"
#include "compute/exec/evaluation.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/idx_files.h"
#include "tests/unit/experiment/recording_observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace heteroscope::compute {
namespace {

using testing::ElementsAre;

class TrainingObserver : public RecordingObserver {
  public:
    std::vector<TrainingSteps> steps;
    std::vector<TrainingEpoch> epochs;
    std::vector<TrainingEvaluation> evaluations;

    void trainingSteps(const TrainingSteps& batch) override { steps.push_back(batch); }
    void trainingEpoch(const TrainingEpoch& epoch) override {
        if (!steps.empty()) { // else the epoch was before the state that was kept
            EXPECT_EQ(endOfSteps(), epoch.epoch * steps.back().stepsPerEpoch) << "all steps before";
        }
        epochs.push_back(epoch);
    }
    void trainingEvaluation(const TrainingEvaluation& evaluation) override {
        evaluations.push_back(evaluation);
    }

    std::int64_t endOfSteps() const {
        return steps.empty() ? 0
                             : steps.back().firstStep + static_cast<std::int64_t>(steps.back().loss.size());
    }
};

TrainingObserver observe(const Json& experiment, const RunOptions& options = {}) {
    TrainingObserver seen;
    const Status status = runStudy(*specFromJson(experiment), makeBuiltinRegistry(), options, seen);
    EXPECT_TRUE(status) << status.error().sentence();
    return seen;
}

TEST(TrainingEvents, EveryStepOnceAndInOrder) {
    TemporaryIdx files;
    const TrainingObserver seen = observe(files.trainingExperiment(203, 52));
    std::int64_t next = 0;
    for (const TrainingSteps& steps : seen.steps) {
        EXPECT_EQ(steps.firstStep, next);
        EXPECT_EQ(steps.stepsPerEpoch, 36);
        EXPECT_EQ(steps.epochs, 4);
        for (const auto* column : {&steps.accuracy, &steps.learningRate, &steps.stepMs})
            EXPECT_EQ(column->size(), steps.loss.size());
        next = steps.firstStep + static_cast<std::int64_t>(steps.loss.size());
    }
    EXPECT_EQ(next, 4 * 36);
    EXPECT_LE(seen.steps.size(), 40u) << "steps that take no time come together";
}

TEST(TrainingEvents, EpochsAreThoseOfTheMetrics) {
    TemporaryIdx files;
    const TrainingObserver seen = observe(files.trainingExperiment(203, 52));
    const Json& metrics = seen.outcomes.at(0).metrics;
    ASSERT_EQ(seen.epochs.size(), 4u);
    double best = 1e9;
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(seen.epochs[i].epoch, static_cast<std::int64_t>(i) + 1);
        EXPECT_EQ(seen.epochs[i].trainingLoss, metrics.at("training_loss")[i]);
        EXPECT_EQ(seen.epochs[i].validationLoss, metrics.at("validation_loss")[i]);
        EXPECT_EQ(seen.epochs[i].validationAccuracy, metrics.at("validation_accuracy")[i]);
        EXPECT_EQ(seen.epochs[i].best, *seen.epochs[i].validationLoss < best);
        best = std::min(best, *seen.epochs[i].validationLoss);
        EXPECT_GT(seen.epochs[i].seconds, 0.0);
    }
    const TrainingSteps& first = seen.steps.front();
    ASSERT_GE(first.loss.size(), 36u) << "an epoch takes no time";
    const double mean = std::accumulate(first.loss.begin(), first.loss.begin() + 36, 0.0) / 36;
    EXPECT_NEAR(seen.epochs[0].trainingLoss, mean, 1e-9);
}

TEST(TrainingEvents, EvaluationsCountEveryExample) {
    TemporaryIdx files;
    const TrainingObserver seen = observe(files.trainingExperiment(203, 52));
    ASSERT_EQ(seen.evaluations.size(), 5u);
    for (const TrainingEvaluation& evaluation : seen.evaluations) {
        const bool test = evaluation.part == "test";
        EXPECT_EQ(evaluation.examples, test ? 52 : 20);
        ASSERT_EQ(evaluation.counts.size(), 4u);
        EXPECT_EQ(std::accumulate(evaluation.counts.begin(), evaluation.counts.end(), std::int64_t{0}),
                  evaluation.examples);
        const auto hits = static_cast<double>(evaluation.counts[0] + evaluation.counts[3]);
        EXPECT_NEAR(hits / static_cast<double>(evaluation.examples), evaluation.accuracy, 1e-9);
        EXPECT_EQ(evaluation.samples.size(), test ? 52u : 20u);
        EXPECT_EQ(evaluation.samples.back().example, evaluation.examples - 1);
    }
    EXPECT_EQ(seen.evaluations.back().part, "test");
    EXPECT_EQ(seen.evaluations.back().accuracy, seen.outcomes.at(0).metrics.at("test_accuracy"));
}

TEST(TrainingEvents, AResumedTrainingTellsItsEarlierEpochs) {
    TemporaryIdx files;
    Json experiment = files.trainingExperiment(60, 10);
    const TrainingObserver whole = observe(experiment);
    RunOptions options;
    options.checkpoints = files.folder();
    experiment["training"]["epochs"] = 2;
    (void)observe(experiment, options);
    experiment["training"]["epochs"] = 4;
    options.resume = true;
    TrainingObserver seen;
    ASSERT_TRUE(runStudy(*specFromJson(experiment), makeBuiltinRegistry(), options, seen));
    ASSERT_EQ(seen.epochs.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_EQ(seen.epochs[i].validationLoss, whole.epochs[i].validationLoss) << i;
    EXPECT_EQ(seen.steps.front().firstStep, 2 * seen.steps.front().stepsPerEpoch);
}

TEST(Evaluation, ClassesAreTheLargestOutputAndItsProbability) {
    Evaluation evaluation(LossKind::SoftmaxCrossEntropy, 3, classNames(LossKind::SoftmaxCrossEntropy, 3));
    const std::vector<float> outputs{0, 0, 0, 1, 3, 2, 1000, -1000, 0}, targets{0, 2, 0};
    evaluation.add(outputs, targets);
    const TrainingEvaluation result = evaluation.take();
    EXPECT_THAT(result.classes, ElementsAre("0", "1", "2"));
    EXPECT_THAT(result.counts, ElementsAre(2, 0, 0, 0, 0, 0, 0, 1, 0));
    EXPECT_NEAR(result.samples[0].probability, 1.0 / 3.0, 1e-12); // the first of equal ones
    EXPECT_NEAR(result.samples[1].probability, 1.0 / (1.0 + std::exp(-2.0) + std::exp(-1.0)), 1e-12);
    EXPECT_EQ(result.samples[2].probability, 1.0);
}

TEST(Evaluation, EachPairOfClassesHasExamples) {
    Evaluation evaluation(LossKind::SoftmaxCrossEntropy, 2, classNames(LossKind::SoftmaxCrossEntropy, 2));
    std::vector<float> outputs, targets;
    for (int i = 0; i < 1000; ++i) { // right, but for the last ten
        outputs.insert(outputs.end(), {1, 0});
        targets.push_back(i < 990 ? 0 : 1);
    }
    evaluation.add(outputs, targets);
    const TrainingEvaluation result = evaluation.take();
    ASSERT_EQ(result.samples.size(), kFirstPredictionSamples + std::size_t{kPredictionSamplesOfPair});
    EXPECT_EQ(result.samples[kFirstPredictionSamples - 1].example, 63);
    EXPECT_EQ(result.samples[kFirstPredictionSamples].example, 990);
    EXPECT_EQ(result.samples.back().actual, 1);
}

TEST(Evaluation, ManyPairsOfClassesKeepABoundedNumberOfExamples) {
    constexpr std::size_t kClasses = 40;
    Evaluation evaluation(LossKind::SoftmaxCrossEntropy, kClasses,
                          classNames(LossKind::SoftmaxCrossEntropy, kClasses));
    std::vector<float> outputs(kClasses * kClasses * kClasses, 0), targets;
    for (std::size_t i = 0; i < kClasses * kClasses; ++i) {
        outputs[i * kClasses + i % kClasses] = 1;
        targets.push_back(static_cast<float>(i / kClasses));
    }
    evaluation.add(outputs, targets);
    EXPECT_EQ(evaluation.take().samples.size(), kMostPredictionSamples);
}

TEST(Evaluation, OneOutputWithBinaryLossTellsTwoClassesApart) {
    Evaluation evaluation(LossKind::BinaryCrossEntropy, 1, classNames(LossKind::BinaryCrossEntropy, 1));
    const std::vector<float> outputs{0.0F, 2.0F, -2.0F}, targets{0, 1, 1};
    evaluation.add(outputs, targets);
    const TrainingEvaluation result = evaluation.take();
    EXPECT_THAT(result.counts, ElementsAre(1, 0, 1, 1));
    EXPECT_NEAR(result.samples[2].probability, 1.0 / (1.0 + std::exp(-2.0)), 1e-7);
}

TEST(Evaluation, NumbersAreKeptAsPairsUpToALimit) {
    EXPECT_TRUE(classNames(LossKind::MeanSquaredError, 1).empty());
    EXPECT_TRUE(classNames(LossKind::BinaryCrossEntropy, 4).empty());
    EXPECT_TRUE(classNames(LossKind::SoftmaxCrossEntropy, 1001).empty());
    Evaluation evaluation(LossKind::MeanSquaredError, 1, {});
    const std::vector<float> outputs(4999, 1.0F), targets(4999, 2.0F);
    evaluation.add(outputs, targets);
    evaluation.add(outputs, targets);
    const TrainingEvaluation result = evaluation.take();
    EXPECT_EQ(result.predicted.size(), 5000u);
    EXPECT_EQ(result.target.size(), 5000u);
    EXPECT_EQ(result.examples, 9998);
}

} // namespace
} // namespace heteroscope::compute
