// SPDX-License-Identifier: Apache-2.0
// Numbers in the texts about every recording: digits, groups and prefixes.
#include "app/cli/trace_device.h"
#include "app/cli/trace_info.h"
#include "app/cli/trace_layers.h"
#include "app/cli/trace_roofline.h"
#include "profiling/analysis/headline.h"
#include "profiling/analysis/results.h"
#include "profiling/stream/stream_reader.h"
#include "tests/support/number_style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <heteroscope_paths.h>

namespace heteroscope::cli {
namespace number_style_test {
namespace {

using number_style::badNumbers;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(NumberStyle, WhatIsWrongIsNoticed) {
    EXPECT_THAT(badNumbers("takes 12345.6 ms"), SizeIs(2)) << "with a unit, and with decimals";
    EXPECT_THAT(badNumbers("1023.9 KiB"), SizeIs(2));
    EXPECT_THAT(badNumbers("12345\u00d7"), SizeIs(1));
    EXPECT_THAT(badNumbers("12.3x faster"), SizeIs(1)) << "a letter for the sign";
    EXPECT_THAT(badNumbers("12.3 \u00d7"), SizeIs(1)) << "a gap before the sign";
    EXPECT_THAT(badNumbers("341.333 of"), SizeIs(1));
    EXPECT_THAT(badNumbers("1,024 kernels"), SizeIs(1));
    EXPECT_THAT(badNumbers("1.98 kMHz"), SizeIs(1));
    EXPECT_THAT(
        badNumbers("1.98 GHz, 0.0123\u00d7, 100.0 %, 5\u00a0120 kernels, 128x1x1, sm80.12345, 0.12.12345, "
                   "2026-11-21, size=16384, 1980 MHz"),
        IsEmpty());
}

TEST(NumberStyle, HoldsInEveryTextAboutEveryRecording) {
    std::size_t files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/recorded")) {
        if (entry.path().extension() != ".hscope")
            continue;
        ++files;
        SCOPED_TRACE(entry.path().filename());
        const auto file = profiling::readRunFile(entry.path().string());
        ASSERT_TRUE(file);
        const profiling::Trace& trace = *file->trace;
        const auto report = profiling::deviceReport(trace, file->study);
        EXPECT_THAT(badNumbers(resultsToTable(file->study, profiling::summarizeStudy(file->study))),
                    IsEmpty());
        EXPECT_THAT(badNumbers(runFileInfoText(*file)), IsEmpty());
        EXPECT_THAT(badNumbers(spanStatisticsText(trace, {trace.startNs(), trace.endNs()})), IsEmpty());
        EXPECT_THAT(badNumbers(deviceReportText(trace, report)), IsEmpty());
        EXPECT_THAT(badNumbers(rooflineText(profiling::roofline(trace, file->study, report.work))),
                    IsEmpty());
        EXPECT_THAT(badNumbers(countersText(file->study)), IsEmpty());
        EXPECT_THAT(badNumbers(layerTimesText(profiling::layerTimes(trace, file->study, report.work))),
                    IsEmpty());
    }
    EXPECT_GT(files, 0u);
}

} // namespace
} // namespace number_style_test
} // namespace heteroscope::cli
