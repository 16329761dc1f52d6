// SPDX-License-Identifier: Apache-2.0
// A training is that of the plain loops, step by step: the losses tell whether weights went the same way, and
// what an implementation keeps from one step to the next has to be as new as they are.
#include "compute/backends/builtin.h"
#include "tests/support/training/short_training.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::compute {
namespace {

Json normalised() {
    const Json conv = {{"type", "conv2d"}, {"filters", 16}, {"padding", 1}, {"bias", false}};
    return {conv,
            {{"type", "batchnorm"}},
            {{"name", "r"}, {"type", "relu"}},
            conv,
            {{"name", "n"}, {"type", "batchnorm"}},
            {{"type", "add"}, {"inputs", {"n", "r"}}},
            {{"type", "relu"}},
            {{"type", "maxpool2d"}},
            {{"type", "global_avgpool2d"}},
            {{"type", "dense"}, {"units", 4}}};
}

struct Trained {
    const char* name;
    Json layers;
};

void PrintTo(const Trained& one, std::ostream* out) {
    *out << one.name;
}

class TrainingSteps : public testing::TestWithParam<std::tuple<Trained, const char*>> {
  protected:
    static Result<ShortTraining> train(const std::string& target) {
        const auto& [network, optimizer] = GetParam();
        auto session = makeBuiltinRegistry().open(*parseTarget(target));
        if (!session)
            return session.error();
        return trainShortly(**session, network.layers, optimizer);
    }
};

TEST_P(TrainingSteps, AreThoseOfThePlainLoops) {
    const auto plain = train("cpu/sequential");
    ASSERT_TRUE(plain.ok()) << plain.error().sentence();
    ASSERT_EQ(plain->losses.size(), static_cast<std::size_t>(kShortSteps) + 1);
    for (const char* target : {"cpu/openmp", "cpu/onednn", "cpu/onednn?threads=1"}) {
        if (!makeBuiltinRegistry().open(*parseTarget(target)))
            continue; // built without the library
        SCOPED_TRACE(target);
        const auto here = train(target);
        ASSERT_TRUE(here.ok()) << here.error().sentence();
        ASSERT_EQ(here->losses.size(), plain->losses.size());
        // Rounding differs in each step and adds up: 18 steps leave a thousandth of what is bounded here.
        for (std::size_t i = 0; i < plain->losses.size(); ++i)
            EXPECT_NEAR(here->losses[i], plain->losses[i], 1e-4 * std::abs(plain->losses[i])) << "step " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Cpu, TrainingSteps,
                         testing::Combine(testing::Values(Trained{"blocks", shortNetwork(16)},
                                                          Trained{"odd channels", shortNetwork(8)},
                                                          Trained{"normalised", normalised()},
                                                          Trained{"excited", excitedNetwork()}),
                                          testing::Values("sgd", "adam")));

} // namespace
} // namespace heteroscope::compute
