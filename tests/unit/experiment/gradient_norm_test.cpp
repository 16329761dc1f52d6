// SPDX-License-Identifier: Apache-2.0
// The norm of the gradient of each training step: its value, that implementations agree, where it runs, and
// that a training is the same without it.
#include "compute/backends/builtin.h"
#include "compute/exec/network_work.h"
#include "compute/exec/trainer.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/idx_files.h"
#include "tests/unit/experiment/recording_observer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {
namespace {

constexpr const char* kKey = "gradient_norm";

/// Parameters whose sizes leave gaps in their block.
Json experimentOn(TemporaryIdx& files) {
    Json experiment = files.trainingExperiment(60, 10);
    Json& layers = experiment["network"]["layers"];
    layers.insert(layers.begin() + 1, Json::object({{"type", "batchnorm"}}));
    experiment["training"][kKey] = true;
    return experiment;
}

/// The processor's, as far as this build has them.
std::vector<const char*> implementations() {
    std::vector<const char*> names{"sequential", "openmp"};
    if (makeBuiltinRegistry().open({"cpu", "onednn", {}}).ok())
        names.push_back("onednn");
    return names;
}

class Norms final : public StepListener {
  public:
    void stepDone(const TrainedStep& step) override {
        ASSERT_TRUE(step.gradientNorm.has_value());
        values.push_back(*step.gradientNorm);
    }
    std::vector<double> values;
};

/// Of the gradients as outputs() has them, added up in double precision.
double normOfGradients(NetworkExecutor& executor) {
    const auto outputs = trainingOutputs(executor);
    EXPECT_TRUE(outputs.ok()) << outputs.error().sentence();
    double sum = 0;
    for (const float value : outputs->at(1).values)
        sum += static_cast<double>(value) * static_cast<double>(value);
    EXPECT_EQ(outputs->at(1).name, "gradients");
    return std::sqrt(sum);
}

/// The norms of two epochs; each is compared with the gradients that its step left. The sum of squares is
/// rounded to fp32 once, which is half as much of its root: 3e-8. The vector loops add up in double.
std::vector<double> trainedNorms(const NetworkExperiment& experiment, const char* implementation) {
    const auto dataset = loadDataset(experiment, {});
    const auto session = std::move(makeBuiltinRegistry().open({"cpu", implementation, {}})).value();
    Trainer trainer(experiment, *dataset, *session);
    Norms norms;
    trainer.listen(&norms);
    const Status prepared = trainer.prepare();
    EXPECT_TRUE(prepared) << prepared.error().sentence();
    for (std::int64_t step = 0; step < 2 * trainer.stepsPerEpoch(); ++step) {
        EXPECT_TRUE(trainer.train(1, nullptr, nullptr).ok());
        const double expected = normOfGradients(trainer.executor());
        EXPECT_GT(expected, 0.0);
        EXPECT_NEAR(norms.values.back(), expected, 1e-7 * expected) << implementation << " step " << step;
    }
    return norms.values;
}

TEST(GradientNorm, IsThatOfAllGradientsOnEveryImplementation) {
    TemporaryIdx files;
    const auto spec = specFromJson(experimentOn(files));
    ASSERT_TRUE(spec.ok()) << spec.error().sentence();
    const std::vector<double> plain = trainedNorms(spec->network, "sequential");
    ASSERT_EQ(plain.size(), 20u);
    for (const char* implementation : implementations()) {
        const std::vector<double> here = trainedNorms(spec->network, implementation);
        ASSERT_EQ(here.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i)
            EXPECT_NEAR(here[i], plain[i], 1e-4 * plain[i]) << implementation << " step " << i;
    }
}

TEST(GradientNorm, LeavesOutWeightDecay) {
    TemporaryIdx files;
    Json experiment = experimentOn(files);
    experiment["training"]["optimizer"] = {{"type", "sgd"}, {"learning_rate", 0}};
    const auto norms = trainedNorms(specFromJson(experiment)->network, "sequential");
    experiment["training"]["optimizer"]["weight_decay"] = 1;
    EXPECT_EQ(trainedNorms(specFromJson(experiment)->network, "sequential"), norms);
}

class StepsObserver : public RecordingObserver {
  public:
    std::vector<double> losses, norms;
    void trainingSteps(const TrainingSteps& steps) override {
        losses.insert(losses.end(), steps.loss.begin(), steps.loss.end());
        norms.insert(norms.end(), steps.gradientNorm.begin(), steps.gradientNorm.end());
    }
};

StepsObserver observeSteps(const Json& experiment, const RunOptions& options = {}) {
    StepsObserver seen;
    const Status status = runStudy(*specFromJson(experiment), makeBuiltinRegistry(), options, seen);
    EXPECT_TRUE(status) << status.error().sentence();
    EXPECT_EQ(seen.outcome(0).status, RunStatus::Ok) << seen.outcome(0).reason;
    return seen;
}

TEST(GradientNorm, IsToldOfEveryStepWhereAskedAndChangesNothing) {
    TemporaryIdx files;
    Json experiment = experimentOn(files);
    const StepsObserver with = observeSteps(experiment);
    experiment["training"].erase(kKey);
    const StepsObserver without = observeSteps(experiment);
    EXPECT_EQ(with.norms.size(), 4u * 10);
    EXPECT_TRUE(without.norms.empty());
    EXPECT_EQ(with.losses, without.losses);
}

TEST(GradientNorm, OfAResumedTrainingIsThatOfAnUninterruptedOne) {
    TemporaryIdx files;
    Json experiment = experimentOn(files);
    const StepsObserver whole = observeSteps(experiment);
    RunOptions options;
    options.checkpoints = files.folder();
    experiment["training"]["epochs"] = 2;
    std::vector<double> joined = observeSteps(experiment, options).norms;
    ASSERT_EQ(joined.size(), 2u * 10);
    experiment["training"]["epochs"] = 4;
    options.resume = true;
    const StepsObserver rest = observeSteps(experiment, options);
    joined.insert(joined.end(), rest.norms.begin(), rest.norms.end());
    EXPECT_EQ(joined, whole.norms);
}

TEST(GradientNorm, IsToldWhileALearningRateIsSearched) {
    TemporaryIdx files;
    Json experiment = experimentOn(files);
    experiment["training"]["find_learning_rate"] = true;
    const StepsObserver seen = observeSteps(experiment);
    EXPECT_GT(seen.norms.size(), 10u);
    EXPECT_EQ(seen.norms.size(), seen.losses.size());
}

/// What a step did: layers as "name direction", operations outside of layers by their names.
class StepOrder final : public OpObserver {
  public:
    void layerBegin(std::string_view layer, std::string_view phase) override {
        did.push_back(std::string(layer) + " " + std::string(phase));
        m_inLayer = true;
    }
    void layerEnd() override { m_inLayer = false; }
    void opBegin(const OpEvent& event) override {
        if (!m_inLayer)
            did.emplace_back(event.op);
    }
    std::vector<std::string> did;

  private:
    bool m_inLayer = false;
};

TEST(GradientNorm, IsAnOperationOfNoLayerBetweenBackwardAndUpdate) {
    TemporaryIdx files;
    const auto spec = specFromJson(experimentOn(files));
    const auto dataset = loadDataset(spec->network, {});
    for (const char* implementation : implementations()) {
        const auto session = std::move(makeBuiltinRegistry().open({"cpu", implementation, {}})).value();
        Trainer trainer(spec->network, *dataset, *session);
        ASSERT_TRUE(trainer.prepare().ok());
        StepOrder order;
        ASSERT_TRUE(trainer.train(1, &order, nullptr).ok());
        ASSERT_GE(order.did.size(), 3u);
        const std::vector<std::string> last(order.did.end() - 3, order.did.end());
        EXPECT_EQ(last, (std::vector<std::string>{"conv2d1 backward", "gradient norm", "adam"}))
            << implementation;
        EXPECT_EQ(std::count(order.did.begin(), order.did.end(), "gradient norm"), 1);
    }
}

TEST(GradientNorm, IsReadAndWrittenAndWantsADataset) {
    TemporaryIdx files;
    Json experiment = experimentOn(files);
    const auto spec = specFromJson(experiment);
    ASSERT_TRUE(spec.ok()) << spec.error().sentence();
    EXPECT_TRUE(spec->network.training.gradientNorm);
    EXPECT_TRUE(specFromJson(specToJson(*spec))->network.training.gradientNorm);
    experiment["training"].erase(kKey);
    EXPECT_FALSE(specFromJson(experiment)->network.training.gradientNorm) << "unless it is asked for";

    experiment["training"][kKey] = "yes";
    const auto wrong = specFromJson(experiment);
    ASSERT_FALSE(wrong.ok());
    EXPECT_NE(wrong.error().where.find("/training/gradient_norm"), std::string::npos) << wrong.error().where;

    experiment["training"][kKey] = true;
    experiment.erase("data");
    const auto findings = checkExperiment(experiment);
    EXPECT_TRUE(std::any_of(findings.begin(), findings.end(), [](const Diagnostic& finding) {
        return finding.severity == Diagnostic::Severity::Warning &&
               finding.pointer == "/training/gradient_norm";
    }));
    EXPECT_FALSE(planOptions(specFromJson(experiment)->network).gradientNorm);
}

TEST(GradientNorm, IsPartOfTheEstimate) {
    TemporaryIdx files;
    auto spec = *specFromJson(experimentOn(files));
    const auto with = estimatePoint(spec);
    spec.network.training.gradientNorm = false;
    const auto without = estimatePoint(spec);
    ASSERT_TRUE(with.ok() && without.ok());
    EXPECT_EQ(with->deviceBytes, without->deviceBytes + 4 * kTensorAlignment);
    EXPECT_GT(with->flops, without->flops);
}

} // namespace
} // namespace heteroscope::compute
