// SPDX-License-Identifier: Apache-2.0
// Every kind of work, recorded: what divides work by time counts all of the work that the time holds, and the
// parts of a sample add up to its time.
#include "profiling/analysis/run_time.h"
#include "profiling/analysis/sample_parts.h"
#include "profiling/stream/stream_reader.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/idx_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

namespace heteroscope::process_test {
namespace rates_test {
namespace {

using profiling::StudyRun;
using profiling::StudySample;

constexpr int kTraining = 83, kLongTraining = 203, kTest = 21, kBatch = 5;

Json windows(int size, int kernel) {
    Json document = poolingExperiment(size, 3);
    document["pooling"]["strategy"] = "window";
    document["pooling"]["kernel"] = document["pooling"]["stride"] = kernel;
    return document;
}

/// The part of a window's work that is an operation, the product with the identity; the host looks for the
/// maximum of the product, with no operation of its own.
constexpr double productShare(double kernel) {
    const double product = 2 * kernel * kernel * kernel;
    return product / (product + kernel * kernel - 1);
}

Json matmul() {
    return {{"heteroscope", 1},
            {"kind", "matmul"},
            {"name", "rates"},
            {"matmul", {{"m", 48}, {"n", 40}, {"k", 56}}}};
}

Json steps(const char* task) {
    return {
        {"heteroscope", 1},
        {"kind", "network"},
        {"name", "rates"},
        {"task", task},
        {"network",
         {{"input", {{"batch", 4}, {"shape", {1, 12, 12}}}},
          {"layers",
           {{{"type", "conv2d"}, {"filters", 3}}, {{"type", "relu"}}, {{"type", "dense"}, {"units", 2}}}}}}};
}

struct Case {
    const char* name;
    double work; ///< of a timed repetition, in batches
    std::function<Json(compute::TemporaryIdx&)> make;
    double operationsShare = 1; ///< of the work: what operations declare
};

Json inference(compute::TemporaryIdx& files) {
    Json document = files.trainingExperiment(kTraining, kTest);
    document["task"] = "infer";
    document.erase("training");
    document["network"]["input"]["batch"] = 4;
    return document;
}

Json search(compute::TemporaryIdx& files) {
    Json document = files.trainingExperiment(kTraining, kTest);
    document["training"]["find_learning_rate"] = true;
    return document;
}

class Rates : public testing::TestWithParam<Case> {
  protected:
    void SetUp() override {
        Json document = GetParam().make(m_files);
        document["targets"] = {"cpu/sequential", "cpu/openmp", "cpu/openmp?threads=2", "cpu/onednn"};
        document["sampling"] = {{"preset", "quick"}, {"samples", 3}, {"warmup_limit_s", 0}};
        const std::string file = m_folder.file("r.hscope");
        const Finished done =
            runCli({"run", "-", "--out", file, "--json", m_folder.file("r.json")}, document.dump());
        ASSERT_EQ(done.exitCode, 0) << done.err;
        auto read = profiling::readRunFile(file);
        ASSERT_TRUE(read);
        m_file.emplace(std::move(*read));
    }

    /// Values of the counter by the time from which on they hold.
    std::map<std::int64_t, double> bandwidth() const {
        std::map<std::int64_t, double> values;
        const profiling::Trace& trace = *m_file->trace;
        trace.forEachCounter([&](profiling::TrackId track, const profiling::CounterPoint& point) {
            if (trace.string(trace.track(track).name) == "achieved bandwidth" && point.value > 0)
                values[point.timeNs] = point.value;
            return true;
        });
        return values;
    }

    std::int64_t leftOut(int run) const {
        std::int64_t all = 0;
        for (const StudySample& sample : m_file->study.runs[static_cast<std::size_t>(run)].samples)
            all += sample.traced && !sample.warmup ? sample.leftOut.value_or(-1) : 0;
        return all;
    }

    bool spansLeftOut(int run) const {
        for (const auto& parts : profiling::sampleParts(*m_file->trace, m_file->study))
            if (parts.run == run)
                return parts.spansLeftOut;
        return false;
    }

    void checkRates() const;
    void checkSpansLeftOut() const;
    void checkWorkOfOperations() const;
    void checkParts() const;

    compute::TemporaryIdx m_files;
    TemporaryFolder m_folder;
    std::optional<profiling::RunFile> m_file;
};

/// Rates count all work of the time that they divide by.
void Rates::checkRates() const {
    const auto values = bandwidth();
    const Json results = Json::parse(readText(m_folder.file("r.json"))).at("runs");
    for (const StudyRun& run : m_file->study.runs) {
        if (run.status == profiling::StudyRunStatus::Skipped)
            continue; // a build without oneDNN
        SCOPED_TRACE(run.target);
        ASSERT_GT(run.minimumBytes, 0);
        EXPECT_DOUBLE_EQ(*profiling::workPerRepetition(run), GetParam().work);
        for (const StudySample& sample : run.samples) {
            const double work = sample.workPerRepetition.value_or(0);
            if (!sample.traced) {
                EXPECT_DOUBLE_EQ(work, GetParam().work);
            }
            ASSERT_TRUE(values.contains(sample.startNs));
            EXPECT_NEAR(values.at(sample.startNs) * sample.wallMs * 1e-3 / (work * run.minimumBytes), 1,
                        1e-6);
        }
        const Json& metrics = results.at(static_cast<std::size_t>(run.run)).at("metrics");
        const double seconds = profiling::runTimeMs(run) * 1e-3;
        EXPECT_NEAR(metrics.at("bandwidth_gb_s").get<double>() * 1e9 * seconds /
                        (GetParam().work * run.minimumBytes),
                    1, 1e-9);
    }
}

/// Of samples with more operations than are kept the rest says so, and no other.
void Rates::checkSpansLeftOut() const {
    for (const StudyRun& run : m_file->study.runs)
        if (run.status == profiling::StudyRunStatus::Ok) {
            EXPECT_EQ(spansLeftOut(run.run), std::string(GetParam().name) == "windows") << run.target;
            EXPECT_EQ(leftOut(run.run) > 0, spansLeftOut(run.run)) << run.target;
            EXPECT_GE(leftOut(run.run), 0) << "every traced sample counts them";
        }
}

/// What operations declare on the timeline is the work that samples and run declare, but for the host's.
void Rates::checkWorkOfOperations() const {
    const profiling::Trace& trace = *m_file->trace;
    for (const StudyRun& run : m_file->study.runs)
        for (const StudySample& sample : run.samples) {
            if (!sample.traced || run.target != "cpu/sequential" || spansLeftOut(run.run))
                continue; // which joins no operations
            const std::int64_t end = sample.startNs + std::llround(sample.wallMs * 1e6 * sample.repetitions);
            double flops = 0;
            trace.forEachSpan([&](profiling::SpanRef, const profiling::Span& span) {
                if (trace.string(span.category) != "op" || span.startNs < sample.startNs ||
                    span.startNs > end)
                    return true;
                for (const auto& [key, value] : trace.args(span.args))
                    if (key == "operations") {
                        std::string digits;
                        for (const char c : value)
                            digits += c >= '0' && c <= '9' ? std::string(1, c) : "";
                        flops += std::stod(digits);
                    }
                return true;
            });
            EXPECT_NEAR(flops / (run.flops * *sample.workPerRepetition * sample.repetitions),
                        GetParam().operationsShare, 1e-3)
                << sample.repetitions << " repetitions of " << *sample.workPerRepetition;
        }
}

/// The parts of a sample add up to its time.
void Rates::checkParts() const {
    const auto all = profiling::sampleParts(*m_file->trace, m_file->study);
    ASSERT_GE(all.size(), 3u);
    for (const profiling::SampleParts& parts : all) {
        SCOPED_TRACE(parts.target);
        const StudyRun& run = m_file->study.runs[static_cast<std::size_t>(parts.run)];
        double wallNs = 0;
        for (const StudySample& sample : run.samples)
            wallNs += sample.traced ? sample.wallMs * 1e6 * sample.repetitions : 0;
        EXPECT_NEAR(static_cast<double>(parts.operationsNs + parts.copiesNs + parts.restNs) / wallNs, 1,
                    0.01);
        EXPECT_GT(parts.operationsNs, 0);
        EXPECT_GE(parts.restNs, 0);
        EXPECT_NE(parts.sentence().find("untraced"), std::string::npos) << parts.sentence();
    }
}

/// One test, so that each study is run once.
TEST_P(Rates, WorkAndPartsAreThoseOfWhatWasDone) {
    checkRates();
    checkSpansLeftOut();
    checkWorkOfOperations();
    checkParts();
}

INSTANTIATE_TEST_SUITE_P(
    Each, Rates,
    testing::Values(Case{"pooling", 1, [](auto&) { return poolingExperiment(64, 3); }},
                    // more operations in one repetition than spans are kept of a sample
                    Case{"windows", 1, [](auto&) { return windows(288, 2); }, productShare(2)},
                    // long enough that all operations of a sample have a span
                    Case{"large_windows", 1, [](auto&) { return windows(48, 24); }, productShare(24)},
                    Case{"matmul", 1, [](auto&) { return matmul(); }},
                    Case{"inference", 1, [](auto&) { return steps("infer"); }},
                    Case{"step", 1, [](auto&) { return steps("train"); }},
                    Case{"epochs", (kTraining - kTraining / 10) / kBatch, // a tenth is for validation
                         [](auto& files) { return files.trainingExperiment(kTraining, kTest); }},
                    Case{"long_epochs", (kLongTraining - kLongTraining / 10) / kBatch,
                         [](auto& files) { return files.trainingExperiment(kLongTraining, kTest); }},
                    Case{"search", 100, [](auto& files) { return search(files); }},
                    Case{"examples", kTest / 4.0, [](auto& files) { return inference(files); }}),
    [](const auto& each) { return std::string(each.param.name); });

} // namespace
} // namespace rates_test
} // namespace heteroscope::process_test
