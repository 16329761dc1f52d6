// SPDX-License-Identifier: Apache-2.0
// Every key and column that the statistics of a recording are written with is in the dictionary of figures.
#include "app/cli/trace_info.h"
#include "app/cli/trace_layers.h"
#include "app/cli/trace_roofline.h"
#include "profiling/stream/stream_reader.h"
#include "tests/support/unexplained_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <heteroscope_paths.h>

namespace heteroscope::cli {
namespace figure_keys_test {
namespace {

using profiling::test::unexplained;
using profiling::test::unexplainedColumns;
using ::testing::IsEmpty;

TEST(FigureKeys, OfLayersAndSpansAreExplained) {
    const auto file = profiling::readRunFile(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h100.hscope");
    ASSERT_TRUE(file);
    const profiling::Trace& trace = *file->trace;
    const auto layers = profiling::layerTimes(trace, file->study, profiling::deviceWork(trace));
    ASSERT_FALSE(layers.empty());
    EXPECT_THAT(unexplainedColumns(layerTimesCsv(layers), "layers"), IsEmpty());
    EXPECT_THAT(unexplained(layerTimesJson(layers), "layers"), IsEmpty());
    const profiling::NsRange whole{trace.startNs(), trace.endNs()};
    EXPECT_THAT(unexplainedColumns(spanStatisticsCsv(trace, whole), "spans"), IsEmpty());
    Json statistics = spanStatistics(trace, whole);
    putState(statistics, *file);
    EXPECT_THAT(unexplained(statistics, "stats"), IsEmpty());
}

TEST(FigureKeys, OfCountersAreExplained) {
    const auto file =
        profiling::readRunFile(HETEROSCOPE_SOURCE_DIR "/resources/recorded/matmul_ladder_h100.hscope");
    ASSERT_TRUE(file);
    const Json counters = countersJson(file->study);
    ASSERT_FALSE(counters.empty());
    EXPECT_THAT(unexplained({{"counters", counters}}, "stats"), IsEmpty());
}

} // namespace
} // namespace figure_keys_test
} // namespace heteroscope::cli
