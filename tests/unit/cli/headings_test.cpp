// SPDX-License-Identifier: Apache-2.0
// Headings of tables on the terminal are names of the dictionary of figures.
#include "app/cli/figure_table.h"
#include "app/cli/trace_device.h"
#include "app/cli/trace_info.h"
#include "app/cli/trace_layers.h"
#include "app/cli/trace_roofline.h"
#include "profiling/stream/stream_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <heteroscope_paths.h>
#include <sstream>

namespace heteroscope::cli {
namespace headings_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool isName(const std::string& text) {
    for (const profiling::FigureChapter& chapter : profiling::kFigureChapters)
        for (const profiling::Figure& one : chapter.figures)
            if (one.name == text)
                return true;
    return false;
}

/// Cells of a row of a text table, which lie two blanks apart, that are no name of a figure.
std::vector<std::string> unknownHeadings(const std::string& row) {
    std::vector<std::string> unknown;
    for (std::size_t at = 0; at < row.size();) {
        const std::size_t end = std::min(row.find("  ", at), row.size());
        const std::string cell = row.substr(at, end - at);
        if (!isName(cell))
            unknown.push_back(cell);
        at = std::min(row.find_first_not_of(' ', end), row.size());
    }
    return unknown;
}

/// The line that begins with a heading.
std::string lineOf(const std::string& text, const std::string& begin) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(begin + "  "))
            return line;
    return {};
}

TEST(Headings, ThatTheDictionaryDoesNotHaveAreNoticed) {
    EXPECT_THAT(unknownHeadings("target  median  95 % interval  middle"), ElementsAre("middle"));
    EXPECT_THAT(headings({"target", "study_ratio"}), ElementsAre("target", "A / B"));
}

TEST(Headings, OfTablesAboutRecordingsAreInTheDictionary) {
    int tables = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/recorded")) {
        if (entry.path().extension() != ".hscope")
            continue;
        SCOPED_TRACE(entry.path().filename());
        const auto file = profiling::readRunFile(entry.path().string());
        ASSERT_TRUE(file);
        const profiling::Trace& trace = *file->trace;
        const auto report = profiling::deviceReport(trace, file->study);
        const std::string spans = spanStatisticsText(trace, {trace.startNs(), trace.endNs()}),
                          roofline = rooflineText(profiling::roofline(trace, file->study, report.work)),
                          layers = layerTimesText(profiling::layerTimes(trace, file->study, report.work)),
                          counters = countersText(file->study), device = deviceReportText(trace, report);
        for (const std::string& line :
             {lineOf(spans, "track"), lineOf(spans, "name"), lineOf(roofline, "target"),
              lineOf(layers, "layer"), lineOf(counters, "target"), lineOf(device, "direction"),
              lineOf(device, "run")}) {
            tables += line.empty() ? 0 : 1;
            EXPECT_THAT(unknownHeadings(line), IsEmpty()) << line;
        }
    }
    EXPECT_GT(tables, 20);
}

} // namespace
} // namespace headings_test
} // namespace heteroscope::cli
