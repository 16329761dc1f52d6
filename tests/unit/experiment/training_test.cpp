// SPDX-License-Identifier: Apache-2.0
// Training on a dataset through the runner: one sample an epoch, figures that get better, the same ones
// again.
#include "compute/backends/builtin.h"
#include "compute/base/stop_rule.h"
#include "compute/exec/checkpoint_manifest.h"
#include "compute/exec/trainer.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/idx_files.h"
#include "tests/unit/experiment/recording_observer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace heteroscope::compute {
namespace {

class Training : public testing::Test {
  protected:
    RecordingObserver run(const Json& experiment, const RunOptions& options = {}) {
        const auto spec = specFromJson(experiment);
        EXPECT_TRUE(spec.ok()) << spec.error().sentence();
        const BackendRegistry registry = makeBuiltinRegistry();
        RecordingObserver observer;
        m_status = runStudy(*spec, registry, options, observer);
        return observer;
    }

    TemporaryIdx m_files;
    Status m_status;
};

TEST_F(Training, TakesOneSampleAnEpochAndLearns) {
    const RecordingObserver seen =
        run(m_files.trainingExperiment(203, 52)); // neither is a multiple of the batch
    ASSERT_TRUE(m_status) << m_status.error().sentence();
    ASSERT_EQ(seen.outcomes.size(), 1u);
    const Json& metrics = seen.outcomes[0].metrics;
    int timed = 0, warmups = 0;
    for (const SampleRecord& sample : seen.samples) {
        timed += !sample.warmup && !sample.traced ? 1 : 0;
        warmups += sample.warmup ? 1 : 0;
    }
    EXPECT_EQ(timed, 4);
    EXPECT_EQ(warmups, 0);
    EXPECT_EQ(metrics.at("steps_per_epoch"), 36); // 183 images for training
    ASSERT_EQ(metrics.at("training_loss").size(), 4u);
    ASSERT_EQ(metrics.at("validation_accuracy").size(), 4u);
    EXPECT_LT(metrics.at("training_loss")[3], metrics.at("training_loss")[0]);
    EXPECT_GE(metrics.at("test_accuracy"), 0.95);
    EXPECT_EQ(seen.outcomes[0].maxAbsError, 0.0);
}

TEST_F(Training, IsTheSameAgainFromTheSameSeed) {
    Json experiment = m_files.trainingExperiment(60, 10);
    const Json first = run(experiment).outcomes.at(0).metrics;
    const Json again = run(experiment).outcomes.at(0).metrics;
    EXPECT_EQ(first.at("training_loss"), again.at("training_loss"));
    experiment["training"]["seed"] = 2;
    EXPECT_NE(first.at("training_loss"), run(experiment).outcomes.at(0).metrics.at("training_loss"));
}

TEST_F(Training, EndsWithASentenceWhenTheLossIsNoNumber) {
    Json experiment = m_files.trainingExperiment(60, 10);
    experiment["training"]["optimizer"] = {{"type", "sgd"}, {"learning_rate", 1000}};
    experiment["training"]["epochs"] = 50;
    experiment["network"]["layers"].erase(1); // a ReLU could end at zero for ever
    const RecordingObserver seen = run(experiment);
    ASSERT_EQ(seen.outcomes.size(), 1u);
    EXPECT_EQ(seen.outcomes[0].status, RunStatus::Failed);
    EXPECT_NE(seen.outcomes[0].reason.find("no finite number"), std::string::npos) << seen.outcomes[0].reason;
    EXPECT_NE(seen.outcomes[0].reason.find("learning_rate"), std::string::npos) << seen.outcomes[0].reason;
    EXPECT_NE(seen.outcomes[0].reason.find("at the learning rate 1e+03"), std::string::npos)
        << seen.outcomes[0].reason;
}

TEST_F(Training, ResetGoesBackToTheInitialWeights) {
    const auto spec = specFromJson(m_files.trainingExperiment(60, 11));
    const auto dataset = loadDataset(spec->network, {});
    ASSERT_TRUE(dataset.ok());
    const auto session = std::move(makeBuiltinRegistry().open({"cpu", "sequential", {}})).value();
    Trainer trainer(spec->network, *dataset, *session);
    ASSERT_TRUE(trainer.prepare().ok());
    const auto before = trainer.measure(dataset->test, nullptr);
    ASSERT_TRUE(trainer.train(1000, nullptr, nullptr).ok());
    EXPECT_EQ(trainer.epoch(), 1);
    const auto trained = trainer.measure(dataset->test, nullptr);
    ASSERT_TRUE(trainer.reset().ok());
    const auto after = trainer.measure(dataset->test, nullptr);
    EXPECT_EQ(before->images, 11);
    EXPECT_NE(before->loss, trained->loss);
    EXPECT_EQ(before->loss, after->loss);
    ASSERT_TRUE(trainer.train(1000, nullptr, nullptr).ok());
    EXPECT_EQ(trainer.measure(dataset->test, nullptr)->loss, trained->loss);
}

TEST_F(Training, ResumedEqualsUninterrupted) {
    for (const char* optimizer : {"adam", "sgd"}) {
        Json experiment = m_files.trainingExperiment(60, 10);
        experiment["training"]["optimizer"] = {{"type", optimizer}, {"learning_rate", 0.01}};
        if (std::string(optimizer) == "sgd")
            experiment["training"]["optimizer"]["momentum"] = 0.9;
        Json& layers = experiment["network"]["layers"];
        layers.insert(layers.begin() + 1, Json::object({{"type", "batchnorm"}}));
        layers.insert(layers.begin() + 3, Json::object({{"type", "dropout"}}));
        const Json whole = run(experiment).outcomes.at(0).metrics;
        RunOptions options;
        options.checkpoints = m_files.folder();
        Json half = experiment;
        half["training"]["epochs"] = 2;
        run(half, options);
        options.resume = true;
        const RecordingObserver seen = run(experiment, options);
        const Json& resumed = seen.outcomes.at(0).metrics;
        EXPECT_EQ(resumed.at("resumed_from_epoch"), 2);
        EXPECT_EQ(seen.count(0, false, false), 2);
        for (const char* name :
             {"training_loss", "validation_loss", "validation_accuracy", "test_loss", "best_epoch"})
            EXPECT_EQ(resumed.at(name), whole.at(name)) << optimizer << " " << name;
        const auto manifest = m_files.folder() / "run_0.checkpoint.json";
        const auto kept = readCheckpointManifest(manifest);
        ASSERT_TRUE(kept.ok() && kept->best) << manifest;
        EXPECT_EQ(kept->latest.epoch, 4);
        EXPECT_EQ(kept->best->epoch, whole.at("best_epoch"));
        std::filesystem::remove(manifest);
    }
}

TEST_F(Training, ResumingAFinishedOneGivesItsFiguresAgain) {
    const Json experiment = m_files.trainingExperiment(60, 10);
    RunOptions options;
    options.checkpoints = m_files.folder();
    const Json whole = run(experiment, options).outcomes.at(0).metrics;
    options.resume = true;
    const RecordingObserver seen = run(experiment, options);
    ASSERT_TRUE(m_status) << m_status.error().sentence();
    EXPECT_EQ(seen.count(0, false, false), 0);
    for (const char* name : {"training_loss", "validation_loss", "test_loss", "test_accuracy", "best_epoch"})
        EXPECT_EQ(seen.outcomes.at(0).metrics.at(name), whole.at(name)) << name;
    EXPECT_EQ(stopPhrase(seen.outcomes.at(0).stoppedBy), "all 4 epochs");
}

/// Asks for the end when the third epoch has begun.
class StopInThirdEpoch : public RecordingObserver {
  public:
    explicit StopInThirdEpoch(std::atomic<bool>& stop) : m_stop(stop) {}
    void sampleBegin(int, int sample, bool, bool) override { m_stop = sample == 2; }

  private:
    std::atomic<bool>& m_stop;
};

TEST_F(Training, AStudyThatWasStoppedGoesOnToTheSameEnd) {
    Json experiment = m_files.trainingExperiment(60, 10);
    experiment["training"]["schedule"] = {{"type", "plateau"}, {"patience", 0}, {"gamma", 0.7}};
    const Json whole = run(experiment).outcomes.at(0).metrics;
    std::atomic<bool> stop{false};
    RunOptions options;
    options.checkpoints = m_files.folder();
    options.stop = &stop;
    StopInThirdEpoch stopping(stop);
    EXPECT_EQ(runStudy(*specFromJson(experiment), makeBuiltinRegistry(), options, stopping).error().code,
              ErrorCode::Cancelled);
    stop = false;
    options.resume = true;
    const Json resumed = run(experiment, options).outcomes.at(0).metrics;
    EXPECT_EQ(resumed.at("resumed_from_epoch"), 2);
    for (const char* name : {"training_loss", "validation_loss", "validation_accuracy", "test_loss"})
        EXPECT_EQ(resumed.at(name), whole.at(name)) << name;
}

TEST_F(Training, ScheduleSetsTheRateOfEveryStep) {
    Json experiment = m_files.trainingExperiment(60, 10);
    experiment["training"]["schedule"] = {{"type", "step"}, {"gamma", 0.1}, {"every", 2}};
    const Json falling = run(experiment).outcomes.at(0).metrics.at("training_loss");
    experiment["training"].erase("schedule");
    const Json constant = run(experiment).outcomes.at(0).metrics.at("training_loss");
    EXPECT_EQ(falling[0], constant[0]);
    EXPECT_EQ(falling[1], constant[1]);
    EXPECT_NE(falling[2], constant[2]);
}

TEST_F(Training, TracingAfterwardsDoesNotGoOnTraining) {
    Json experiment = m_files.trainingExperiment(60, 10);
    experiment["network"]["layers"].erase(1);
    bool found = false; // a rate at which one epoch ends well and six do not
    for (double rate = 1; rate < 1e6 && !found; rate *= 1.5) {
        experiment["training"]["optimizer"] = {{"type", "sgd"}, {"learning_rate", rate}};
        experiment["training"]["epochs"] = 6;
        if (run(experiment).outcomes.at(0).status == RunStatus::Ok)
            continue;
        experiment["training"]["epochs"] = 1;
        const RecordingObserver seen = run(experiment);
        found = seen.outcomes.at(0).status == RunStatus::Ok;
        EXPECT_EQ(seen.count(0, false, true) > 0, found);
    }
    EXPECT_TRUE(found);
}

TEST_F(Training, FindsALearningRate) {
    Json experiment = m_files.trainingExperiment(203, 10);
    experiment["training"]["find_learning_rate"] = true;
    const RecordingObserver seen = run(experiment);
    ASSERT_TRUE(m_status) << m_status.error().sentence();
    const Json& metrics = seen.outcomes.at(0).metrics;
    EXPECT_EQ(seen.count(0, false, false), 1);
    EXPECT_EQ(metrics.at("finder_rates")[0], 1e-7);
    EXPECT_EQ(metrics.at("finder_rates").size(), metrics.at("finder_losses").size());
    EXPECT_EQ(metrics.at("finder_rates").size(), metrics.at("finder_smoothed_losses").size());
    EXPECT_GT(metrics.at("suggested_learning_rate"), 1e-5);
    EXPECT_LT(metrics.at("suggested_learning_rate"), 5);
    EXPECT_FALSE(metrics.contains("test_loss"));
    ASSERT_FALSE(seen.logs.empty());
    EXPECT_NE(seen.logs.back().find("falls most steeply"), std::string::npos) << seen.logs.back();
}

TEST_F(Training, RefusesTheStateOfAnotherNetwork) {
    Json experiment = m_files.trainingExperiment(60, 10);
    RunOptions options;
    options.checkpoints = m_files.folder();
    run(experiment, options);
    experiment["network"]["layers"][0]["filters"] = 4;
    options.resume = true;
    const RecordingObserver refused = run(experiment, options);
    EXPECT_EQ(refused.outcomes.at(0).status, RunStatus::Failed);
    EXPECT_NE(refused.outcomes.at(0).reason.find("/network/layers/0 differs"), std::string::npos)
        << refused.outcomes.at(0).reason;
    const auto file = m_files.folder() / "run_0.checkpoint.json";
    auto kept = readCheckpointManifest(file);
    ASSERT_TRUE(kept.ok());
    kept->run = nullptr; // where that is forced, the tensors themselves have to fit
    std::ofstream(file) << manifestText(*kept);
    options.replaceStates = true;
    const RecordingObserver seen = run(experiment, options);
    EXPECT_EQ(seen.outcomes.at(0).status, RunStatus::Failed);
    EXPECT_NE(seen.outcomes.at(0).reason.find("run_0.4.npz"), std::string::npos)
        << seen.outcomes.at(0).reason;
    EXPECT_NE(seen.outcomes.at(0).reason.find("conv2d1.weight"), std::string::npos)
        << seen.outcomes.at(0).reason;
}

TEST_F(Training, EndsEarlyWhenValidationGetsNoBetter) {
    Json experiment = m_files.trainingExperiment(60, 10);
    experiment["training"]["epochs"] = 40;
    experiment["training"]["patience"] = 3;
    experiment["training"]["optimizer"]["learning_rate"] = 0; // nothing changes
    const RecordingObserver seen = run(experiment);
    EXPECT_EQ(seen.count(0, false, false), 4); // the first is the best, three are no better
    EXPECT_EQ(stopPhrase(seen.outcomes.at(0).stoppedBy), "validation loss no better for 3 epochs");
}

/// Asks for the end after the first epoch.
class StoppingObserver : public RecordingObserver {
  public:
    explicit StoppingObserver(std::atomic<bool>& stop) : m_stop(stop) {}
    void sampleEnd(const SampleRecord& record) override {
        RecordingObserver::sampleEnd(record);
        m_stop = true;
    }

  private:
    std::atomic<bool>& m_stop;
};

TEST_F(Training, StopsAfterTheEpochInWhichItWasAsked) {
    std::atomic<bool> stop{false};
    RunOptions options;
    options.stop = &stop;
    StoppingObserver seen(stop);
    const auto spec = specFromJson(m_files.trainingExperiment(60, 10));
    ASSERT_TRUE(spec.ok());
    EXPECT_EQ(runStudy(*spec, makeBuiltinRegistry(), options, seen).error().code, ErrorCode::Cancelled);
    ASSERT_EQ(seen.outcomes.size(), 1u);
    EXPECT_EQ(seen.outcomes[0].status, RunStatus::Cancelled);
    EXPECT_EQ(seen.samples.size(), 1u);
}

TEST_F(Training, StopsBetweenSteps) {
    const auto spec = specFromJson(m_files.trainingExperiment(60, 10));
    const auto dataset = loadDataset(spec->network, {});
    const auto session = std::move(makeBuiltinRegistry().open({"cpu", "sequential", {}})).value();
    Trainer trainer(spec->network, *dataset, *session);
    ASSERT_TRUE(trainer.prepare().ok());
    std::atomic<bool> stop{false};
    ASSERT_TRUE(trainer.train(2, nullptr, &stop).ok());
    stop = true;
    EXPECT_EQ(trainer.train(1000, nullptr, &stop).error().code, ErrorCode::Cancelled);
    EXPECT_EQ(trainer.step(), 2);
}

} // namespace
} // namespace heteroscope::compute
