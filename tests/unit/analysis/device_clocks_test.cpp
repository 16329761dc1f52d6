// SPDX-License-Identifier: Apache-2.0
// Clocks of a GPU over the samples as a note, in the JSON results and in the CSV.
#include "profiling/analysis/device_clocks.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/study_notes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace device_clocks_test {

using ::testing::Contains;
using ::testing::HasSubstr;

Study studyWith(const std::vector<std::optional<DeviceClocks>>& clocks) {
    Study study;
    StudyRun& run = study.runs.emplace_back();
    run.target = "cuda:0/cuda?graph=off";
    run.status = StudyRunStatus::Ok;
    for (const auto& each : clocks) {
        StudySample& sample = run.samples.emplace_back();
        sample.sample = static_cast<int>(run.samples.size()) - 1;
        sample.wallMs = 1;
        sample.clocks = each;
    }
    return study;
}

TEST(DeviceClocks, ThatStayAreOneNumber) {
    const Study study = studyWith({DeviceClocks{1980, 2619, "", false}, DeviceClocks{1980, 2619, "", false}});
    EXPECT_EQ(deviceClockNote(study), "GPU clocks after each sample: cuda:0 1980 MHz, memory 2619 MHz");
    EXPECT_THAT(studyNotes(study), Contains(deviceClockNote(study).text()));
}

TEST(DeviceClocks, ThatChangeOrAreHeldBackAreTold) {
    const Study study =
        studyWith({DeviceClocks{1980, 2619, "", false}, DeviceClocks{1410, 2619, "heat", false},
                   DeviceClocks{345, {}, "", true}, std::nullopt});
    EXPECT_EQ(
        deviceClockNote(study),
        "GPU clocks after each sample: cuda:0 345 to 1980 MHz (they changed: look at the samples' clocks "
        "in the CSV), memory 2619 MHz, held back in 1 of 3 samples (heat), still called idle in 1 of 3 "
        "samples");
    const Json json = deviceClocksJson(sampledClocks(study.runs[0]));
    EXPECT_EQ(json.at("sm_mhz"), Json::array({345, 1980}));
    EXPECT_EQ(json.at("held_back_samples"), 1);
    EXPECT_EQ(json.at("idle_samples"), 1);
    EXPECT_EQ(json.at("samples"), 3);
}

TEST(DeviceClocks, OfOtherSamplesDoNotCount) {
    Study study = studyWith({DeviceClocks{345, 2619, "", true}, DeviceClocks{600, 2619, "", true}});
    study.runs[0].samples[0].warmup = true;
    study.runs[0].samples[1].traced = true;
    EXPECT_EQ(deviceClockNote(study), "");
    EXPECT_TRUE(deviceClocksJson(sampledClocks(study.runs[0])).is_null());
}

TEST(DeviceClocks, StandInEveryRowOfTheCsv) {
    const Study study = studyWith({DeviceClocks{1980, {}, "power limit, heat", true}, std::nullopt});
    const std::string csv = resultsToCsv(study);
    EXPECT_THAT(csv, HasSubstr(",sm_mhz,memory_mhz,clocks_held_back_by,clocks_idle,work_per_repetition,"
                               "warmup_stable\n"));
    EXPECT_THAT(csv, HasSubstr(",1980,,\"power limit, heat\",1,,\n"));
    EXPECT_THAT(csv, HasSubstr(",,,,,\n"));
}

} // namespace device_clocks_test
} // namespace heteroscope::profiling
