// SPDX-License-Identifier: Apache-2.0
// Learning rates against what PyTorch's schedules gave (schedules/generate.py, versions.json).
#include "compute/experiment/spec/spec_json.h"
#include "compute/model/learning_rate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <heteroscope_paths.h>

namespace heteroscope::compute {
namespace {

Json recordedCases() {
    std::ifstream stream(HETEROSCOPE_SOURCE_DIR "/tests/golden/torch/schedules/rates.json");
    return Json::parse(stream);
}

/// The schedule as an experiment file gives it.
ScheduleSpec scheduleOf(const Json& schedule) {
    Json experiment = Json::parse(R"({
        "heteroscope": 1, "kind": "network", "targets": ["cpu/sequential"],
        "network": {"input": {"shape": [4]}, "layers": [{"type": "dense", "units": 2}]},
        "data": {"source": "idx", "images": "i", "labels": "l", "test_images": "ti", "test_labels": "tl"}})");
    experiment["training"]["schedule"] = schedule;
    const auto spec = specFromJson(experiment);
    EXPECT_TRUE(spec.ok()) << spec.error().sentence();
    return spec->network.training.schedule;
}

TEST(Schedules, GiveTheRatesOfPyTorch) {
    const Json cases = recordedCases();
    ASSERT_EQ(cases.size(), 10u);
    for (const Json& one : cases) {
        const ScheduleSpec schedule = scheduleOf(one.at("schedule"));
        const auto losses = one.at("validation_losses").get<std::vector<double>>();
        const double base = one.at("learning_rate");
        ScheduleTime time{0, one.at("steps_per_epoch"), one.at("epochs")};
        for (const double expected : one.at("rates")) {
            const auto ended =
                std::min(static_cast<std::size_t>(time.step / time.stepsPerEpoch), losses.size());
            const double rate = scheduledRate(schedule, base, time, std::span(losses).first(ended));
            ASSERT_NEAR(rate, expected, 1e-9 * base) << one.at("schedule").dump() << ", step " << time.step;
            ++time.step;
        }
        EXPECT_EQ(time.step, time.stepsPerEpoch * time.epochs);
    }
}

TEST(Schedules, StayFiniteAndPositiveInTheSmallestTrainings) {
    for (int kind = 0; kind < 6; ++kind)
        for (const std::int64_t epochs : {1, 2, 3})
            for (std::int64_t step = 0; step < epochs + 3; ++step) {
                ScheduleSpec schedule;
                schedule.kind = static_cast<ScheduleSpec::Kind>(kind);
                const double rate = scheduledRate(schedule, 0.1, {step, 1, epochs}, {});
                EXPECT_GT(rate, 0.0) << kind << " " << epochs << " " << step;
                EXPECT_LE(rate, 0.1 * (1 + 1e-12)) << kind << " " << epochs << " " << step;
            }
}

} // namespace
} // namespace heteroscope::compute
