// SPDX-License-Identifier: Apache-2.0
// A training whose steps the device makes by itself, recorded or not, with data resident or streamed, is the
// training of the plain loops.
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/require/skip.h"
#include "tests/support/training/short_training.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::compute {
namespace {

void train(const std::string& target, const char* optimizer, ShortTraining& into, bool norm = false,
           const Json& network = shortNetwork(8)) {
    auto session = openTarget(target);
    if (!session)
        SKIP_WITHOUT(gpuWords(target), session.error().sentence());
    auto trained = trainShortly(**session, network, optimizer, norm);
    ASSERT_TRUE(trained.ok()) << trained.error().sentence();
    into = std::move(*trained);
}

class TrainingSteps : public testing::TestWithParam<const char*> {};

TEST_P(TrainingSteps, AreThoseOfThePlainLoops) {
    ShortTraining plain;
    train("cpu/sequential", GetParam(), plain);
    ASSERT_EQ(plain.losses.size(), static_cast<std::size_t>(kShortSteps) + 1);
    for (const char* target : {"cuda:0/cuda", "cuda:0/cuda?fuse=off", "cuda:0/cublas", "cuda:0/cudnn"}) {
        SCOPED_TRACE(target);
        ShortTraining here;
        train(target, GetParam(), here);
        if (IsSkipped() || HasFatalFailure())
            return;
        ASSERT_EQ(here.losses.size(), plain.losses.size());
        for (std::size_t i = 0; i < plain.losses.size(); ++i)
            EXPECT_NEAR(here.losses[i], plain.losses[i], 1e-4 * std::abs(plain.losses[i])) << "step " << i;
    }
}

TEST_P(TrainingSteps, AreTheSameBitsHoweverTheyAreGiven) {
    ShortTraining first;
    train("cuda:0/cuda", GetParam(), first);
    if (IsSkipped() || HasFatalFailure())
        return;
    EXPECT_NE(first.implementation.find("steps:graph, data:resident"), std::string::npos)
        << first.implementation;
    for (const char* target :
         {"cuda:0/cuda", "cuda:0/cuda?graph=off", "cuda:0/cuda?data=streamed", "cuda:0/cuda?host=pinned"}) {
        SCOPED_TRACE(target);
        ShortTraining here;
        train(target, GetParam(), here);
        EXPECT_EQ(here.losses, first.losses);
    }
}

/// Recorded or not: the same bits, and on every implementation the training of the plain loops.
TEST_P(TrainingSteps, OfSqueezeAndExcitationAreThoseOfThePlainLoops) {
    ShortTraining plain, recorded;
    train("cpu/sequential", GetParam(), plain, false, excitedNetwork());
    train("cuda:0/cuda", GetParam(), recorded, false, excitedNetwork());
    for (const char* target :
         {"cuda:0/cuda", "cuda:0/cuda?graph=off", "cuda:0/cuda?fuse=off", "cuda:0/cublas", "cuda:0/cudnn"}) {
        SCOPED_TRACE(target);
        ShortTraining here;
        train(target, GetParam(), here, false, excitedNetwork());
        if (IsSkipped() || HasFatalFailure())
            return;
        ASSERT_EQ(here.losses.size(), plain.losses.size());
        for (std::size_t i = 0; i < plain.losses.size(); ++i)
            EXPECT_NEAR(here.losses[i], plain.losses[i], 1e-4 * std::abs(plain.losses[i])) << "step " << i;
        if (std::string(target).find("graph=") != std::string::npos) {
            EXPECT_EQ(here.losses, recorded.losses);
        }
    }
}

TEST_P(TrainingSteps, GiveTheNormOfTheGradientHoweverTheyAreGiven) {
    ShortTraining plain, silent;
    train("cpu/sequential", GetParam(), plain, true);
    train("cuda:0/cuda", GetParam(), silent);
    if (IsSkipped() || HasFatalFailure())
        return;
    ASSERT_EQ(plain.norms.size(), static_cast<std::size_t>(kShortSteps));
    EXPECT_TRUE(silent.norms.empty());
    std::vector<double> first;
    for (const char* target : {"cuda:0/cuda", "cuda:0/cuda?graph=off", "cuda:0/cuda?data=streamed",
                               "cuda:0/cuda?fuse=off", "cuda:0/cublas", "cuda:0/cudnn"}) {
        SCOPED_TRACE(target);
        ShortTraining here;
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
