// SPDX-License-Identifier: Apache-2.0
#include "compute/base/run_note.h"
#include "compute/base/stop_rule.h"
#include "compute/experiment/equal_work.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/sampling_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace heteroscope::compute {
namespace sampling_rule_test {

TEST(SamplingRule, QuickTakesFive) {
    SamplingSpec sampling;
    sampling.preset = Preset::Quick;
    SamplingRule rule(SamplingPlan::of(sampling, 0));
    for (int i = 0; i < 5; ++i) {
        EXPECT_FALSE(rule.done());
        rule.add(1.0, 0.01);
    }
    EXPECT_EQ(stopPhrase(rule.stoppedBy()), "5 samples");
}

TEST(SamplingRule, StandardStopsAtANarrowIntervalButNotBeforeTen) {
    SamplingRule rule(SamplingPlan::of(SamplingSpec{}, 0));
    int taken = 0;
    while (!rule.done()) {
        rule.add(1.0 + 0.001 * (taken % 3), 0.01);
        ++taken;
    }
    EXPECT_EQ(taken, 10);
    EXPECT_EQ(stopPhrase(rule.stoppedBy()), "95 % interval within 1 % after 10 samples");
}

TEST(SamplingRule, StandardGoesOnUntilTheTimeLimit) {
    SamplingSpec sampling;
    sampling.timeLimitS = 1.0;
    SamplingRule rule(SamplingPlan::of(sampling, 0));
    int taken = 0;
    while (!rule.done()) {
        rule.add(taken % 2 == 0 ? 1.0 : 3.0, 0.03);
        ++taken;
    }
    EXPECT_EQ(taken, 34);
    EXPECT_EQ(stopPhrase(rule.stoppedBy()), "time limit 1 s after 34 samples");
    SamplingPlan counted;
    counted.most = counted.fewest = 50, counted.timeLimitS = 1;
    SamplingRule ended(counted);
    while (!ended.done())
        ended.add(1, 0.3);
    EXPECT_EQ(stopPhrase(ended.stoppedBy()), "time limit 1 s after 4 of 50 samples");
}

TEST(SamplingRule, ANumberAskedForOverridesThePreset) {
    SamplingSpec sampling;
    sampling.samples = 3;
    EXPECT_EQ(SamplingPlan::of(sampling, 0).most, 3);
    EXPECT_EQ(SamplingPlan::of(sampling, 7).most, 7);
    sampling.preset = Preset::Thesis;
    EXPECT_EQ(SamplingPlan::of(sampling, 0, {2, 3}).most, 1);
    sampling.samples.reset();
    EXPECT_EQ(SamplingPlan::of(sampling, 0, {2, 3}).most, 10);
    EXPECT_EQ(SamplingPlan::of(sampling, 0, {2, 3}).before, 20);
}

TEST(SamplingRule, ProcessesTakeExactlyTheSamplesAskedForTogether) {
    for (const int samples : {3, 4, 5, 6, 31}) {
        SamplingSpec sampling;
        sampling.samples = samples;
        int taken = 0;
        for (const int index : {0, 1, 2}) {
            const SamplingPlan plan = SamplingPlan::of(sampling, 0, {index, 3});
            EXPECT_EQ(plan.before, taken);
            EXPECT_GE(plan.most, samples / 3);
            taken += plan.most;
        }
        EXPECT_EQ(taken, samples);
    }
}

TEST(SamplingRule, ProcessesShareTheTimeLimitAndTheWidthOfTheInterval) {
    const SamplingPlan whole = SamplingPlan::of(SamplingSpec{}, 0);
    const SamplingPlan share = SamplingPlan::of(SamplingSpec{}, 0, {1, 3});
    EXPECT_DOUBLE_EQ(share.timeLimitS, whole.timeLimitS / 3);
    EXPECT_DOUBLE_EQ(share.warmupLimitS, whole.warmupLimitS) << "each warms up";
    EXPECT_DOUBLE_EQ(share.narrow * share.narrow, 3 * whole.narrow * whole.narrow);
    EXPECT_EQ(share.fewest, 5) << "the fewest that give an interval";
    SamplingSpec sampling;
    sampling.timeLimitS = 1;
    SamplingRule rule(SamplingPlan::of(sampling, 0, {1, 3}));
    for (int i = 0; !rule.done(); ++i)
        rule.add(i % 2 == 0 ? 1 : 3, 0.1);
    EXPECT_EQ(stopPhrase(rule.stoppedBy()), "time limit 0.33 s of 1 s after 4 samples");
}

ExperimentSpec specWith(Preset preset, bool trains = false) {
    ExperimentSpec spec;
    spec.sampling.preset = preset;
    if (trains) {
        spec.kind = ExperimentKind::Network;
        spec.network.task = Task::Train;
        spec.network.data.source = DataSource::Shapes;
    }
    return spec;
}

TEST(FreshProcesses, AreThreeWhereAVerdictIsWanted) {
    for (const Preset preset : {Preset::Standard, Preset::Thesis}) {
        EXPECT_EQ(freshProcesses(specWith(preset)).count, 3);
        EXPECT_EQ(freshProcesses(specWith(preset)).whyFewer, "");
    }
    EXPECT_EQ(freshProcesses(specWith(Preset::Quick)).count, 1);
    EXPECT_EQ(freshProcesses(specWith(Preset::Quick)).whyFewer, few_processes::kPresetQuick);
}

TEST(FreshProcesses, AreAsManyAsTheExperimentSays) {
    for (const Preset preset : {Preset::Quick, Preset::Standard, Preset::Thesis})
        for (const bool trains : {false, true}) {
            ExperimentSpec spec = specWith(preset, trains);
            spec.sampling.processes = 7;
            EXPECT_EQ(freshProcesses(spec).count, 7);
            EXPECT_EQ(freshProcesses(spec).whyFewer, "");
            spec.sampling.processes = 2;
            EXPECT_EQ(freshProcesses(spec).count, 2);
            EXPECT_EQ(freshProcesses(spec).whyFewer, few_processes::kProcessesAsked);
        }
}

TEST(FreshProcesses, OfATrainingAreOneAtPresetStandardAndSaySo) {
    const FreshProcesses processes = freshProcesses(specWith(Preset::Standard, true));
    EXPECT_EQ(processes.count, 1);
    EXPECT_EQ(processes.whyFewer, few_processes::kTrainedOnce);
    EXPECT_EQ(freshProcesses(specWith(Preset::Thesis, true)).count, 3);
}

TEST(FreshProcesses, AreNeverMoreThanSamples) {
    ExperimentSpec spec = specWith(Preset::Standard);
    spec.sampling.samples = 2;
    EXPECT_EQ(freshProcesses(spec).count, 2);
    EXPECT_EQ(freshProcesses(spec).whyFewer, few_processes::kSamplesAsked);
    spec.sampling.samples = 4;
    spec.sampling.processes = 9;
    EXPECT_EQ(freshProcesses(spec).count, 4);
    EXPECT_EQ(freshProcesses(spec).whyFewer, "");
}

TEST(EqualWork, ErrorsOfSmallSumsAreRelativeToAShareOfTheLargest) {
    const Shape4 shape{1, 2, 1, 1};
    const std::vector<OutputTensor> reference{{"gradients", shape, {100.0F, 1e-6F}}};
    std::vector<OutputTensor> outputs{{"gradients", shape, {100.0F, 3e-6F}}};
    EXPECT_NEAR(outputError(outputs, reference).maxRel, 2.0, 1e-6);
    outputs[0].errorFloor = 1.0;
    EXPECT_NEAR(outputError(outputs, reference).maxRel, 2e-8, 1e-12);
    outputs[0].errorFloor = 0.01;
    EXPECT_NEAR(outputError(outputs, reference).maxRel, 2e-6, 1e-10);
    outputs[0].values[0] = 101.0F;
    EXPECT_NEAR(outputError(outputs, reference).maxRel, 0.01, 1e-6);
}

TEST(EqualWork, AnInfinityInTheReferenceHidesNoError) {
    const Shape4 shape{1, 2, 1, 1};
    const float inf = std::numeric_limits<float>::infinity();
    const std::vector<OutputTensor> reference{{"output", shape, {inf, 1.0F}}};
    const std::vector<OutputTensor> outputs{{"output", shape, {inf, 2.0F}, 1.0}};
    EXPECT_EQ(outputError(outputs, reference).maxRel, 1.0);
}

TEST(EqualWork, ErrorsAndSpecialValues) {
    const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
    const std::vector<float> reference{1, 2, nan, inf, -4};
    EXPECT_EQ(outputError(reference, reference).maxAbs, 0.0);
    const OutputError error = outputError(std::vector<float>{1, 2.5, nan, inf, -4}, reference);
    EXPECT_EQ(error.maxAbs, 0.5);
    EXPECT_EQ(error.maxRel, 0.25);
    EXPECT_TRUE(std::isinf(outputError(std::vector<float>{nan, 2, nan, inf, -4}, reference).maxAbs));
    EXPECT_TRUE(std::isinf(outputError(std::vector<float>{1}, reference).maxAbs));
}

TEST(EqualWork, DigestSeesValuesAndShapeButNotTheSignOfZero) {
    const std::vector<OutputTensor> a{{"output", {1, 1, 2, 2}, {0.0f, 1, 2, 3}}};
    std::vector<OutputTensor> b = a;
    b[0].values[0] = -0.0f;
    EXPECT_EQ(outputDigest(a), outputDigest(b));
    b[0].values[1] = 1.5f;
    EXPECT_NE(outputDigest(a), outputDigest(b));
    b = a;
    b[0].shape = {1, 1, 4, 1};
    EXPECT_NE(outputDigest(a), outputDigest(b));
    EXPECT_EQ(outputDigest(a).size(), 16u);
}

} // namespace sampling_rule_test
} // namespace heteroscope::compute
