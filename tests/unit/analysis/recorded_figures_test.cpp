// SPDX-License-Identifier: Apache-2.0
// What the recorded runs say in tables, JSON and advice agrees, and the parts of their time add up.
#include "compute/base/units.h"
#include "profiling/analysis/device_json.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/figures.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/sample_parts.h"
#include "profiling/analysis/study_notes.h"
#include "profiling/stream/stream_reader.h"
#include "tests/unit/analysis/gpu_trace_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <heteroscope_paths.h>
#include <map>
#include <regex>
#include <set>

namespace heteroscope::profiling {
namespace recorded_figures_test {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> everyRecording() {
    std::vector<std::string> files;
    std::error_code none; // without the folder there is no case, and the test fails for that
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/recorded", none))
        if (entry.path().extension() == ".hscope")
            files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

class RecordedFigures : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        auto file = readRunFile(GetParam());
        ASSERT_TRUE(file);
        m_file.emplace(std::move(*file));
        m_report = deviceReport(*m_file->trace, m_file->study);
        m_results = resultsToJson(m_file->study, summarizeStudy(m_file->study), &m_report);
        ASSERT_FALSE(m_report.figures.empty());
    }

    /// Of the run in the statistics (trace stats --json).
    Json timeOf(std::size_t i) const { return deviceTimeJson(m_report.times[i].total); }
    /// Of the run in the results JSON.
    const Json& resultOf(std::size_t i) const {
        const auto& runs = m_file->study.runs;
        const auto at = std::find_if(runs.begin(), runs.end(),
                                     [&](const StudyRun& run) { return &run == m_report.times[i].run; });
        return m_results.at("runs").at(static_cast<std::size_t>(at - runs.begin()));
    }
    const Advice* adviceOf(std::size_t i, const std::string& rule) const {
        for (const Advice& advice : m_report.advice)
            if (advice.rule == rule && advice.run == m_report.figures[i].run)
                return &advice;
        return nullptr;
    }

    std::optional<RunFile> m_file;
    DeviceReport m_report;
    Json m_results;
};

std::string shareOf(const Json& time, const char* key) {
    return shareText(time.at(key).get<double>() / time.at("wall_ns").get<double>());
}

double number(const std::string& share) {
    return std::stod(share); // "12.3 %"
}

/// On a GPU by the parts of device_time.h, on processors by those of sample_parts.h.
TEST_P(RecordedFigures, PartsOfTracedSamplesAddUpToTheirTime) {
    std::map<int, double> partsNs;
    for (const RunDeviceTime& time : m_report.times)
        for (const std::int64_t part : time.total.partNs)
            partsNs[time.run->run] += static_cast<double>(part);
    for (const SampleParts& parts : sampleParts(*m_file->trace, m_file->study)) {
        partsNs[parts.run] = static_cast<double>(parts.operationsNs + parts.copiesNs + parts.restNs);
        EXPECT_THAT(parts.sentence(), HasSubstr("; median untraced ")) << "both times are said";
        EXPECT_GE(std::min({parts.operationsNs, parts.copiesNs, parts.restNs}), 0);
    }
    int traced = 0;
    for (const StudyRun& run : m_file->study.runs) {
        double wallNs = 0;
        for (const StudySample& sample : run.samples)
            wallNs += sample.traced && !sample.warmup ? sample.wallMs * 1e6 * sample.repetitions : 0;
        if (wallNs == 0)
            continue;
        ++traced;
        ASSERT_TRUE(partsNs.contains(run.run)) << run.target;
        EXPECT_NEAR(partsNs[run.run] / wallNs, 1, 0.01) << run.target;
    }
    EXPECT_GT(traced, 0);
}

TEST_P(RecordedFigures, AdviceOnTransfersIsTheTablesCopyAndItsLaunchesOfCopies) {
    static const std::regex form("transfers take ([0-9.]+ %) of the wall time of the traced samples: copies "
                                 "([0-9.]+ %) and the host's calls for them ([0-9.]+ %) ");
    for (std::size_t i = 0; i < m_report.figures.size(); ++i) {
        const Json time = timeOf(i);
        const Advice* const advice = adviceOf(i, "transfers-dominate");
        const double cost = time.at("copy_ns").get<double>() + time.at("launch_of_copies_ns").get<double>();
        EXPECT_EQ(advice != nullptr, cost >= kTransferShare * time.at("wall_ns").get<double>());
        if (!advice)
            continue;
        std::smatch parts;
        const std::string text = advice->sentences.text();
        ASSERT_TRUE(std::regex_search(text, parts, form)) << text;
        EXPECT_EQ(parts[2], shareOf(time, "copy_ns"));
        EXPECT_EQ(parts[3], shareOf(time, "launch_of_copies_ns"));
        EXPECT_NEAR(number(parts[1]), number(parts[2]) + number(parts[3]), 0.1001) << "but for rounding";
        EXPECT_EQ(parts[1], shareText(adviceJson(*advice).at("share").get<double>()));
    }
}

TEST_P(RecordedFigures, AdviceOnLaunchesAndGapsIsTheTablesParts) {
    static const std::regex launches("for ([0-9.]+ %) of the wall time of the traced samples \\(launch: "
                                     "([0-9.]+ %)\\)");
    static const std::regex gaps(
        "for ([0-9.]+ %) of the wall time of the traced samples the device has nothing "
        "to do and the host launches nothing: synchronise (.+ %) and other (.+ %);");
    for (std::size_t i = 0; i < m_report.figures.size(); ++i) {
        const Json time = timeOf(i);
        std::smatch parts;
        if (const Advice* const advice = adviceOf(i, "launches-dominate")) {
            const std::string text = advice->sentences.text();
            ASSERT_TRUE(std::regex_search(text, parts, launches)) << text;
            EXPECT_EQ(parts[2], shareOf(time, "launch_ns"));
            EXPECT_LE(number(parts[1]), number(parts[2]));
        }
        if (const Advice* const advice = adviceOf(i, "idle-gaps")) {
            const std::string text = advice->sentences.text();
            ASSERT_TRUE(std::regex_search(text, parts, gaps)) << text;
            EXPECT_EQ(parts[2], shareOf(time, "synchronise_ns"));
            EXPECT_EQ(parts[3], shareOf(time, "other_ns"));
        }
    }
}

/// Whatever sentence gives a share "of the wall time of the traced samples", it is one of the run's figures.
TEST_P(RecordedFigures, EveryShareInAnAdviceIsAFigureOfItsRun) {
    static const std::regex form("([0-9.]+ %) of the wall time of the traced samples");
    std::size_t seen = 0;
    for (std::size_t i = 0; i < m_report.figures.size(); ++i) {
        const RunFigures& run = m_report.figures[i];
        std::set<std::string> known{shareText(run.share(run.transferCostNs())),
                                    shareText(run.share(run.launchCostNs())),
                                    shareText(run.share(run.idleNs())), shareText(run.share(run.overheadNs))};
        for (const TransferGroup& group : run.transfers.groups)
            known.insert(shareText(group.shareOf(run.time.wallNs)));
        const std::set<std::string> ofClocks{"throttling", "power-limit", "idle-clocks"};
        for (const Advice& advice : m_report.advice) {
            if (advice.run != run.run || ofClocks.count(advice.rule) > 0)
                continue;
            const std::string text = advice.sentences.text();
            for (auto at = std::sregex_iterator(text.begin(), text.end(), form); at != std::sregex_iterator();
                 ++at, ++seen)
                EXPECT_EQ(known.count((*at)[1]), 1u) << text;
        }
    }
    EXPECT_GT(seen, 0u);
}

TEST_P(RecordedFigures, ResultsAndStatisticsHaveTheSameParts) {
    for (std::size_t i = 0; i < m_report.figures.size(); ++i) {
        const Json time = timeOf(i);
        const Json& ofRepetition = resultOf(i).at("device_time");
        for (const char* part :
             {"execute", "copy", "launch", "launch_of_copies", "queue", "synchronise", "other"}) {
            const double share =
                time.at(std::string(part) + "_ns").get<double>() / time.at("wall_ns").get<double>();
            EXPECT_NEAR(ofRepetition.at(std::string(part) + "_ms").get<double>() /
                            ofRepetition.at("wall_ms").get<double>(),
                        share, 1e-9)
                << part;
        }
    }
}

TEST_P(RecordedFigures, SharesOfTransfersAreOfTheTimeBesideThem) {
    for (std::size_t i = 0; i < m_report.figures.size(); ++i) {
        const Json& result = resultOf(i);
        double sum = 0;
        for (const char* direction : {"h2d", "d2h", "d2d"}) {
            const Json& transfer = result.at("transfers").at(direction);
            EXPECT_EQ(transfer.at("source"), "device records");
            EXPECT_EQ(transfer.at("wall_ms"), result.at("device_time").at("wall_ms"));
            EXPECT_DOUBLE_EQ(transfer.at("share_of_wall").get<double>(),
                             transfer.at("ms").get<double>() / transfer.at("wall_ms").get<double>());
            sum += transfer.at("ms").get<double>();
        }
        const TransferBreakdown& transfers = m_report.figures[i].transfers;
        const double wallNs = static_cast<double>(transfers.wallNs);
        EXPECT_NEAR(sum / result.at("device_time").at("wall_ms").get<double>(),
                    static_cast<double>(transfers.busyNs) / wallNs, 1e-3)
            << "copies that run at the same time count once";
    }
}

TEST_P(RecordedFigures, PartsAddUpToTheSamplesTimeOrTheTextSaysBothTimes) {
    for (std::size_t i = 0; i < m_report.figures.size(); ++i) {
        const Json& time = resultOf(i).at("device_time");
        double sum = 0;
        for (const char* part :
             {"execute_ms", "copy_ms", "launch_ms", "queue_ms", "synchronise_ms", "other_ms"})
            sum += time.at(part).get<double>();
        EXPECT_NEAR(sum, time.at("wall_ms").get<double>(), 0.01 * time.at("wall_ms").get<double>());
        EXPECT_LE(time.at("launch_of_copies_ms").get<double>(), time.at("launch_ms").get<double>());
        const RunFigures& run = m_report.figures[i];
        const double untraced = resultOf(i).at("median_ms").get<double>();
        EXPECT_DOUBLE_EQ(run.untracedMs, untraced) << run.name.text();
        EXPECT_NEAR(run.tracedMs, sum, 1e-4 * sum) << run.name.text() << ": but for whole ns";
        const std::string text = run.sampleTimesText().text();
        if (std::abs(sum / untraced - 1) <= kSameTime)
            continue;
        EXPECT_THAT(text, ::testing::StartsWith("recorded ")) << run.name.text();
        EXPECT_THAT(text, HasSubstr(formatDurationNs(untraced * 1e6))) << run.name.text();
        EXPECT_THAT(text, HasSubstr(formatDurationNs(run.tracedMs * 1e6))) << run.name.text();
    }
}

TEST_P(RecordedFigures, StepsAddUpToARepetitionOrTheTextSaysBothTimes) {
    const std::string note = stepTimesNote(m_file->study).text();
    const std::string table = resultsToTable(m_file->study, summarizeStudy(m_file->study));
    for (const Json& run : m_results.at("runs")) {
        double sum = 0;
        for (const auto& [name, value] : run.at("metrics").items())
            if (name == "forward_ms" || name == "loss_ms" || name == "backward_ms" || name == "update_ms")
                sum += value.get<double>();
        if (sum == 0)
            continue;
        const double median = run.at("median_ms").get<double>();
        const auto& runs = m_file->study.runs;
        const auto own = std::find_if(runs.begin(), runs.end(), [&](const StudyRun& one) {
            return one.target == run.at("target") && one.point == run.at("point");
        });
        ASSERT_NE(own, runs.end());
        const std::string text = stepTimesText(*own).text();
        if (std::abs(sum / median - 1) <= kSameSum) {
            EXPECT_EQ(text, "");
            continue;
        }
        EXPECT_THAT(text, HasSubstr(formatDurationNs(sum * 1e6) + " for " + formatDurationNs(median * 1e6)));
        EXPECT_NE(note, "");
        EXPECT_THAT(table, HasSubstr(note));
    }
}

INSTANTIATE_TEST_SUITE_P(Files, RecordedFigures, testing::ValuesIn(everyRecording()),
                         [](const auto& one) { return std::filesystem::path(one.param).stem().string(); });

TEST(SampleTimes, AreSaidWhereTheyDiffer) {
    RunFigures run;
    EXPECT_EQ(run.sampleTimesText(), "") << "nothing was measured";
    run.tracedMs = 0.1005;
    run.untracedMs = 0.1;
    EXPECT_EQ(run.sampleTimesText(), "") << "within 1 %";
    run.tracedMs = 0.087;
    run.untracedMs = 0.068;
    EXPECT_EQ(run.sampleTimesText(), "recorded sample: 87.0 \u00b5s, untraced 68.0 \u00b5s");
    run.launchedMs = 0.08;
    EXPECT_EQ(run.sampleTimesText(),
              "recorded sample: 87.0 \u00b5s, untraced 68.0 \u00b5s from a CUDA graph, "
              "80.0 \u00b5s launched one by one");
    run.launchedMs.reset();
    run.untracedMs = 1.0;
    run.tracedMs = 0.5;
    run.recordedShare = 0.4;
    EXPECT_EQ(run.sampleTimesText(),
              "recorded part of a repetition: 500 \u00b5s, 40.0 % of it; untraced repetition: 1.00 ms");
}

TEST(SampleTimes, OfAPartOfARepetitionAreToldByTheRunsOwnMeasureOfTheOverhead) {
    test::GpuTraceMaker maker;
    maker.kernel(0, 100);
    Study study;
    study.runs.resize(1);
    StudyRun& run = study.runs[0];
    run.target = "cuda:0/cuda";
    for (const bool traced : {false, true}) {
        StudySample sample;
        sample.traced = traced;
        sample.wallMs = traced ? 500e-6 : 1000e-6;
        run.samples.push_back(sample);
    }
    run.metrics["tracing_overhead_percent"] = 25; // 1250 ns were expected: 40 % of a repetition was recorded
    const DeviceReport report = deviceReport(maker.trace(), study);
    ASSERT_EQ(report.figures.size(), 1u);
    EXPECT_NEAR(report.figures[0].recordedShare, 0.4, 1e-12);
    run.metrics["launched_ms"] = 400e-6; // of which 500 ns are 25 % more
    EXPECT_EQ(deviceReport(maker.trace(), study).figures[0].recordedShare, 1);
}

TEST(ShareText, HasOneDecimalAndNoZeroForWhatIsThere) {
    EXPECT_EQ(shareText(0), "0.0 %");
    EXPECT_EQ(shareText(0.0004), "< 0.1 %");
    EXPECT_EQ(shareText(0.0005), "0.1 %");
    EXPECT_EQ(shareText(0.1234), "12.3 %");
    EXPECT_EQ(shareText(1), "100.0 %");
    EXPECT_EQ(shareText(-0.0004), "> -0.1 %");
    EXPECT_EQ(shareText(-0.0234), "-2.3 %");
    EXPECT_EQ(shareText(12.34), "1234 %") << "four significant digits";
    EXPECT_EQ(shareText(std::nan("")), "unknown");
}

TEST(SignificantText, HasThreeDigitsFourFromAThousandOnAndGroups) {
    EXPECT_EQ(significantText(0), "0");
    EXPECT_EQ(significantText(0.00012345), "0.000123");
    EXPECT_EQ(significantText(0.000012345), "1.23e-05");
    EXPECT_EQ(significantText(0.0123), "0.0123");
    EXPECT_EQ(significantText(1.005e2), "100");
    EXPECT_EQ(significantText(9.999), "10.0");
    EXPECT_EQ(significantText(-12.34), "-12.3");
    EXPECT_EQ(significantText(1234.6), "1\u00a0235");
    EXPECT_EQ(significantText(12345), "12\u00a0350") << "no more digits than are known";
    EXPECT_EQ(significantText(12345678), "1.23e+07");
    EXPECT_EQ(significantText(0.123456, 4), "0.1235");
    EXPECT_EQ(significantText(23.456, 2), "23");
    EXPECT_EQ(significantText(std::nan("")), "unknown");
}

} // namespace
} // namespace recorded_figures_test
} // namespace heteroscope::profiling
