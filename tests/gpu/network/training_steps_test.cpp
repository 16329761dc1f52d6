// SPDX-License-Identifier: Apache-2.0
// A training whose steps the device makes by itself, recorded or not, with data resident or streamed, is the
// training of the plain loops.
#include "compute/exec/trainer.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/modules/gpu_targets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kExamples = 50, kSteps = 18; // three epochs of six batches of eight

NetworkExperiment experiment(const char* optimizer) {
    const Json conv = {{"type", "conv2d"}, {"filters", 8}, {"padding", 1}};
    const Json layers = {conv,
                         {{"type", "relu"}},
                         {{"type", "maxpool2d"}},
                         conv,
                         {{"type", "relu"}},
                         {{"type", "flatten"}},
                         {{"type", "dropout"}, {"rate", 0.25}},
                         {{"type", "dense"}, {"units", 20}},
                         {{"type", "relu"}},
                         {{"type", "dense"}, {"units", 4}}};
    const auto spec = specFromJson(
        {{"heteroscope", 1},
         {"kind", "network"},
         {"name", "test"},
         {"task", "train"},
         {"network", {{"input", {{"shape", {2, 13, 14}}}}, {"layers", layers}}},
         {"training", {{"batch", 8}, {"optimizer", {{"type", optimizer}, {"learning_rate", 0.01}}}}},
         {"targets", {"cpu/sequential"}}});
    EXPECT_TRUE(spec.ok()) << spec.error().sentence();
    return spec->network;
}

Dataset dataset() {
    Dataset data;
    data.image = {1, 2, 13, 14};
    std::mt19937 draw(35);
    for (Examples* part : {&data.training, &data.test}) {
        part->count = kExamples;
        for (std::int64_t i = 0; i < kExamples * 2 * 13 * 14; ++i)
            part->images.push_back(static_cast<float>(draw() % 256) / 255.0F);
        for (std::int64_t i = 0; i < kExamples; ++i)
            part->targets.push_back(static_cast<float>(draw() % 4));
    }
    return data;
}

class Figures final : public StepListener {
  public:
    void stepDone(const TrainedStep& step) override {
        losses.push_back(step.loss);
        if (step.gradientNorm)
            norms.push_back(*step.gradientNorm);
    }
    std::vector<double> losses, norms;
};

struct Trained {
    std::vector<double> losses, norms; ///< losses: also that of the test images
    std::string implementation;
};

void train(const std::string& target, const char* optimizer, Trained& into, bool norm = false) {
    auto session = openTarget(target);
    if (!session)
        GTEST_SKIP() << session.error().sentence();
    NetworkExperiment spec = experiment(optimizer);
    spec.data.source = DataSource::Npy;
    spec.training.gradientNorm = norm;
    const Dataset data = dataset();
    Trainer trainer(spec, data, **session);
    Status status = trainer.prepare();
    ASSERT_TRUE(status) << status.error().sentence();
    Figures figures;
    trainer.listen(&figures);
    for (std::int64_t done = 0; done < kSteps; done += trainer.stepsPerEpoch()) {
        status = trainer.train(trainer.stepsPerEpoch(), nullptr, nullptr);
        ASSERT_TRUE(status) << status.error().sentence();
    }
    const auto measured = trainer.measure(data.test, nullptr);
    ASSERT_TRUE(measured.ok()) << measured.error().sentence();
    figures.losses.push_back(measured->loss);
    into = {figures.losses, figures.norms, trainer.implementation()};
}

class TrainingSteps : public testing::TestWithParam<const char*> {};

TEST_P(TrainingSteps, AreThoseOfThePlainLoops) {
    Trained plain;
    train("cpu/sequential", GetParam(), plain);
    ASSERT_EQ(plain.losses.size(), static_cast<std::size_t>(kSteps) + 1);
    for (const char* target : {"cuda:0/cuda", "cuda:0/cuda?fuse=off", "cuda:0/cublas", "cuda:0/cudnn"}) {
        SCOPED_TRACE(target);
        Trained here;
        train(target, GetParam(), here);
        if (IsSkipped() || HasFatalFailure())
            return;
        ASSERT_EQ(here.losses.size(), plain.losses.size());
        for (std::size_t i = 0; i < plain.losses.size(); ++i)
            EXPECT_NEAR(here.losses[i], plain.losses[i], 1e-4 * std::abs(plain.losses[i])) << "step " << i;
    }
}

TEST_P(TrainingSteps, AreTheSameBitsHoweverTheyAreGiven) {
    Trained first;
    train("cuda:0/cuda", GetParam(), first);
    if (IsSkipped() || HasFatalFailure())
        return;
    EXPECT_NE(first.implementation.find("steps:graph, data:resident"), std::string::npos)
        << first.implementation;
    for (const char* target :
         {"cuda:0/cuda", "cuda:0/cuda?graph=off", "cuda:0/cuda?data=streamed", "cuda:0/cuda?host=pinned"}) {
        SCOPED_TRACE(target);
        Trained here;
        train(target, GetParam(), here);
        EXPECT_EQ(here.losses, first.losses);
    }
}

TEST_P(TrainingSteps, GiveTheNormOfTheGradientHoweverTheyAreGiven) {
    Trained plain, silent;
    train("cpu/sequential", GetParam(), plain, true);
    train("cuda:0/cuda", GetParam(), silent);
    if (IsSkipped() || HasFatalFailure())
        return;
    ASSERT_EQ(plain.norms.size(), static_cast<std::size_t>(kSteps));
    EXPECT_TRUE(silent.norms.empty());
    std::vector<double> first;
    for (const char* target : {"cuda:0/cuda", "cuda:0/cuda?graph=off", "cuda:0/cuda?data=streamed",
                               "cuda:0/cuda?fuse=off", "cuda:0/cublas", "cuda:0/cudnn"}) {
        SCOPED_TRACE(target);
        Trained here;
        train(target, GetParam(), here, true);
        ASSERT_FALSE(HasFatalFailure());
        ASSERT_EQ(here.norms.size(), plain.norms.size());
        for (std::size_t i = 0; i < plain.norms.size(); ++i)
            EXPECT_NEAR(here.norms[i], plain.norms[i], 1e-3 * plain.norms[i]) << "step " << i;
        if (first.empty()) {
            first = here.norms;
            EXPECT_EQ(here.losses, silent.losses) << "the training is the same";
            EXPECT_NE(here.implementation.find("steps:graph, data:resident"), std::string::npos)
                << here.implementation;
        } else if (std::string(target).find("graph=") != std::string::npos ||
                   std::string(target).find("data=") != std::string::npos) {
            EXPECT_EQ(here.norms, first) << "the same operations";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Gpu, TrainingSteps, testing::Values("sgd", "adam"));

} // namespace
} // namespace heteroscope::compute
