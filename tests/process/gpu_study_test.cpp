// SPDX-License-Identifier: Apache-2.0
// Studies on a GPU through the program, from the experiment to the run file: results as the plain loops',
// every kernel with the call that launched it, copies with their bytes, parts of the wall time that add up.
// Without a GPU these tests say why they are skipped.
#include "profiling/analysis/advice.h"
#include "tests/process/experiments.h"
#include "tests/process/gpu_modules.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace heteroscope::process_test {
namespace {

using profiling::CopyRoute;
using profiling::StudyRun;
using profiling::StudyRunStatus;
using testing::Contains;
using testing::HasSubstr;

constexpr int kStudySamples = 3;
constexpr std::int64_t kStudySize = 512, kStudyProduct = 192;

/// One study: what runs where, what its operations are called, and how near results must be.
struct GpuStudyCase {
    const char* name;
    std::vector<std::string> targets; ///< the first one is the reference
    Json body;                        ///< the experiment's own group
    std::vector<std::string> ops;     ///< beginnings of names that kernels must carry
    double relativeError;
    std::int64_t bytesIn, bytesOut; ///< of one run at least
};

void PrintTo(const GpuStudyCase& one, std::ostream* out) {
    *out << one.name;
}

Json smallNetwork() {
    return {{"kind", "network"},
            {"task", "train"},
            {"network",
             {{"input", {{"shape", {2, 14, 14}}}},
              {"layers",
               {{{"name", "conv"}, {"type", "conv2d"}, {"filters", 6}, {"padding", 1}},
                {{"name", "relu"}, {"type", "relu"}},
                {{"name", "pool"}, {"type", "maxpool2d"}},
                {{"name", "flatten"}, {"type", "flatten"}},
                {{"name", "dense"}, {"type", "dense"}, {"units", 5}}}}}},
            {"training", {{"batch", 16}, {"optimizer", {{"type", "sgd"}, {"learning_rate", 0.01}}}}}};
}

std::vector<GpuStudyCase> gpuStudies() {
    const Json pooling{{"kind", "pooling"},
                       {"pooling",
                        {{"mode", "max"},
                         {"kernel", 3},
                         {"stride", 2},
                         {"padding", 1},
                         {"input", {{"source", "random"}, {"size", kStudySize}, {"seed", 35}}}}}};
    const Json matmul{{"kind", "matmul"},
                      {"matmul",
                       {{"m", kStudyProduct},
                        {"n", kStudyProduct},
                        {"k", kStudyProduct},
                        {"right", "random"},
                        {"seed", 35}}}};
    const std::int64_t image = kStudySize * kStudySize * 4, product = kStudyProduct * kStudyProduct * 4;
    return {{"pooling",
             {"cpu/sequential", "cuda:0/cuda", "cuda:0/cuda?host=pinned", "cuda:0/cudnn",
              "cuda:0/cuda?graph=on", "cuda:0/cudnn?graph=on"},
             pooling,
             {"maxpool"},
             0,
             image,
             image / 4},
            {"matmul",
             {"cpu/sequential", "cuda:0/cuda", "cuda:0/cublas", "cuda:0/cuda?host=pinned",
              "cuda:0/cuda?graph=on", "cuda:0/cublas?graph=on"},
             matmul,
             {"gemm"},
             1e-4,
             2 * product,
             product},
            {"network",
             {"cpu/sequential", "cuda:0/cuda", "cuda:0/cublas", "cuda:0/cudnn", "cuda:0/cuda?graph=off"},
             smallNetwork(),
             {},
             1e-3,
             16 * 2 * 14 * 14 * 4,
             4}};
}

class GpuStudy : public testing::TestWithParam<GpuStudyCase> {
  protected:
    void SetUp() override {
        if (const std::string reason = gpuReason(); !reason.empty())
            SKIP_WITHOUT("gpu", reason);
        Json experiment = GetParam().body;
        experiment["heteroscope"] = 1;
        experiment["name"] = GetParam().name;
        experiment["targets"] = GetParam().targets;
        experiment["sampling"] = {{"preset", "quick"}, {"samples", kStudySamples}, {"time_limit_s", 600}};
        const std::string file = m_folder.file("run.hscope");
        const Finished done = runCli({"run", "-", "--out", file}, experiment.dump());
        ASSERT_EQ(done.exitCode, 0) << done.err;
        auto read = profiling::readRunFile(file);
        ASSERT_TRUE(read.ok()) << read.error().sentence();
        ASSERT_FALSE(read->damage) << read->damage->sentence();
        m_file = std::move(*read);
        m_report = profiling::deviceReport(*m_file.trace, m_file.study);
        ASSERT_EQ(m_file.study.runs.size(), GetParam().targets.size());
    }

    bool isGpu(const StudyRun& run) const { return run.target.starts_with("cuda"); }
    const profiling::RunFigures& figuresOf(const StudyRun& run) const {
        const auto found = std::find_if(m_report.figures.begin(), m_report.figures.end(),
                                        [&](const auto& figures) { return figures.run == run.run; });
        EXPECT_NE(found, m_report.figures.end()) << run.target << " was not recorded";
        static const profiling::RunFigures kNone;
        return found == m_report.figures.end() ? kNone : *found;
    }
    /// Whether it began in a traced sample.
    bool isSampled(const profiling::NsRange& time) const {
        for (const StudyRun& run : m_file.study.runs)
            for (const auto& sample : run.samples) {
                const profiling::NsRange range = profiling::sampleRange(sample);
                if (sample.traced && !sample.warmup && time.startNs >= range.startNs &&
                    time.startNs < range.endNs)
                    return true;
            }
        return false;
    }
    static std::int64_t bytesOf(const profiling::TransferBreakdown& transfers, CopyRoute route) {
        std::int64_t bytes = 0;
        for (const auto& group : transfers.groups)
            bytes += group.route == route ? group.bytes : 0;
        return bytes;
    }

    /// By more than the microseconds to which the clocks of device and host are joined. The call may return
    /// after its kernel, on a machine that is busy.
    bool startsBeforeItsCall(const profiling::DeviceKernel& kernel) const {
        constexpr std::int64_t kClockSlackNs = 1'000'000;
        for (const profiling::Flow& flow : m_file.trace->flowsOf(kernel.span)) {
            const auto call = m_file.trace->span(flow.from);
            if (flow.to == kernel.span && call && kernel.time.startNs + kClockSlackNs < call->startNs)
                return true;
        }
        return false;
    }

    TemporaryFolder m_folder;
    profiling::RunFile m_file;
    profiling::DeviceReport m_report;
};

TEST_P(GpuStudy, ComputesWhatThePlainLoopsDo) {
    EXPECT_TRUE(m_file.study.ended);
    EXPECT_EQ(m_file.study.endStatus, "done");
    for (const StudyRun& run : m_file.study.runs) {
        SCOPED_TRACE(run.target + ": " + run.reason);
        EXPECT_EQ(run.status, StudyRunStatus::Ok);
        EXPECT_EQ(run.timesMs().size(), static_cast<std::size_t>(kStudySamples));
        ASSERT_TRUE(run.maxRelError.has_value()) << "results are compared with cpu/sequential";
        EXPECT_LE(*run.maxRelError, GetParam().relativeError);
        if (!isGpu(run))
            continue;
        EXPECT_TRUE(run.metrics.contains("tracing_overhead_percent")) << run.metrics;
        EXPECT_TRUE(
            std::any_of(run.samples.begin(), run.samples.end(), [](const auto& one) { return one.traced; }));
    }
}

TEST_P(GpuStudy, RecordsEveryKernelWithItsCallAndOperation) {
    const auto& work = m_report.work;
    ASSERT_FALSE(work.kernels.empty());
    EXPECT_EQ(work.withoutLaunch, 0u);
    EXPECT_GE(m_file.trace->flowCount(), work.kernels.size() + work.copies.size());
    std::set<std::string> ops;
    std::size_t withoutOp = 0, backwards = 0, beforeCall = 0;
    for (const auto& kernel : work.kernels) {
        withoutOp += kernel.op == 0 && isSampled(kernel.time); // warm-ups are not told apart
        ops.insert(work.ops[kernel.op]);
        backwards += kernel.time.endNs <= kernel.time.startNs;
        beforeCall += startsBeforeItsCall(kernel);
    }
    EXPECT_EQ(backwards, 0u);
    EXPECT_EQ(beforeCall, 0u);
    if (std::string(GetParam().name) != "network") { // the kernels of a graph belong to its launch
        EXPECT_EQ(withoutOp, 0u);
    }
    for (const std::string& beginning : GetParam().ops)
        EXPECT_THAT(ops, Contains(testing::StartsWith(beginning)));
    const profiling::DataQuality quality = m_file.trace->quality();
    EXPECT_EQ(quality.droppedEvents, 0u);
    EXPECT_EQ(quality.zeroTimestamps, 0u);
    EXPECT_GT(quality.causalPairs, work.kernels.size());
    EXPECT_LE(quality.causalViolations, quality.causalPairs / 10000);
}

TEST_P(GpuStudy, CountsCopiesWithTheirBytesAndMemory) {
    const GpuStudyCase& expected = GetParam();
    EXPECT_GE(bytesOf(m_report.transfers, CopyRoute::HostToDevice), expected.bytesIn);
    EXPECT_GE(bytesOf(m_report.transfers, CopyRoute::DeviceToHost), expected.bytesOut);
    std::set<std::string> memories;
    for (const auto& group : m_report.transfers.groups)
        if (group.count > 0 && !group.memory.empty())
            memories.insert(group.memory);
    EXPECT_THAT(memories, Contains("pageable"));
    const bool pinned =
        std::any_of(expected.targets.begin(), expected.targets.end(),
                    [](const std::string& target) { return target.find("pinned") != std::string::npos; });
    EXPECT_EQ(memories.contains("pinned"), pinned);
    EXPECT_TRUE(std::any_of(m_report.work.copies.begin(), m_report.work.copies.end(), [](const auto& copy) {
        return copy.phase != 0;
    })) << "copies carry the phase they are for";
}

TEST_P(GpuStudy, SplitsTheWallTimeIntoPartsThatAddUp) {
    for (const StudyRun& run : m_file.study.runs) {
        if (!isGpu(run))
            continue;
        SCOPED_TRACE(run.target);
        const auto& figures = figuresOf(run);
        const auto& parts = figures.time.partNs;
        EXPECT_GT(figures.time.wallNs, 0);
        EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), figures.time.wallNs);
        EXPECT_GT(figures.time[profiling::TimePart::Execute], 0);
        EXPECT_GT(figures.time.kernels, 0u);
        EXPECT_EQ(figures.time.withoutLaunch, 0u);
        double sampledNs = 0;
        for (const auto& sample : run.samples)
            if (sample.traced && !sample.warmup)
                sampledNs += sample.wallMs * sample.repetitions * 1e6;
        EXPECT_NEAR(static_cast<double>(figures.time.wallNs), sampledNs, 0.01 * sampledNs + 1e5);
        ASSERT_FALSE(figures.kernels.empty());
        EXPECT_GT(figures.kernels.front().shape.registersPerThread, 0);
        EXPECT_GT(figures.kernels.front().shape.threadsPerBlock(), 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Kinds, GpuStudy, testing::ValuesIn(gpuStudies()),
                         [](const testing::TestParamInfo<GpuStudyCase>& one) {
                             return std::string(one.param.name);
                         });

} // namespace
} // namespace heteroscope::process_test
