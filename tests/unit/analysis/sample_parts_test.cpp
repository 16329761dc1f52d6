// SPDX-License-Identifier: Apache-2.0
// Whether the rest of a sample holds operations without spans is a count in the file; only of files that do
// not count them a note's text says it.
#include "profiling/analysis/sample_parts.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace heteroscope::profiling {
namespace sample_parts_test {
namespace {

const std::string kNote =
    "run 0 (cpu/openmp): 512 windows of a sample lie beyond the first 16 of a repetition";

SampleParts partsWith(std::optional<std::int64_t> first, std::optional<std::int64_t> second,
                      const std::string& note) {
    Trace trace;
    DataQuality quality;
    quality.notes = {note};
    trace.setQuality(quality);
    trace.publish();
    Study study;
    StudyRun run;
    run.target = "cpu/openmp";
    for (const auto& leftOut : {first, second}) {
        StudySample sample;
        sample.traced = true;
        sample.sample = static_cast<int>(run.samples.size());
        sample.startNs = 1000000 * sample.sample;
        sample.wallMs = 0.5;
        sample.leftOut = leftOut;
        run.samples.push_back(sample);
    }
    study.runs.push_back(run);
    const auto all = sampleParts(trace, study);
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? SampleParts() : all.front();
}

TEST(SampleParts, WhatWasLeftOutIsTheSumOfTheSamples) {
    const SampleParts parts = partsWith(3, 4, "");
    EXPECT_TRUE(parts.spansLeftOut);
    EXPECT_EQ(parts.leftOut, 7);
}

TEST(SampleParts, ANoteDoesNotOverruleTheCount) {
    const SampleParts parts = partsWith(0, 0, kNote);
    EXPECT_FALSE(parts.spansLeftOut);
    EXPECT_EQ(parts.leftOut, 0);
}

TEST(SampleParts, OfEarlierFilesANoteSaysIt) {
    const SampleParts parts = partsWith(std::nullopt, std::nullopt, kNote);
    EXPECT_TRUE(parts.spansLeftOut);
    EXPECT_FALSE(parts.leftOut);
    EXPECT_FALSE(partsWith(std::nullopt, std::nullopt, "run 1" + kNote.substr(5)).spansLeftOut);
}

} // namespace
} // namespace sample_parts_test
} // namespace heteroscope::profiling
