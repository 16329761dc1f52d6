// SPDX-License-Identifier: Apache-2.0
// A kernel that breaks on the device, in the place of ours: what is said, what is kept, and that the next run
// works. Without a GPU these tests say why they are skipped.
#include "tests/process/experiments.h"
#include "tests/process/gpu_modules.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heteroscope::process_test {
namespace {

using profiling::StudyRun;
using profiling::StudyRunStatus;
using testing::HasSubstr;

constexpr int kSamples = 3;
/// Above kLargestGoodRows of tests/gpu/broken_module, where the kernel breaks.
constexpr int kBreaking = 256;

Json products(const std::string& fault, const std::vector<int>& rows) {
    return {{"heteroscope", 1},
            {"kind", "matmul"},
            {"name", "a kernel that breaks"},
            {"matmul", {{"m", 16}, {"n", 48}, {"k", 32}, {"seed", 35}}},
            {"targets", {"cpu/sequential", "cuda:0/cuda?fault=" + fault}},
            {"axes", {{"/matmul/m", rows}}},
            {"sampling", {{"preset", "quick"}, {"samples", kSamples}, {"time_limit_s", 600}}}};
}

class GpuFaults : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const std::string broken = libraryFolder("test_modules") + "/broken/cuda.so";
        if (!std::filesystem::exists(broken))
            SKIP_WITHOUT("cuda,gpu", "this build has no CUDA modules");
        link(broken, m_folder, "cuda.so");
        link(libraryFolder("heteroscope") + "/cupti.so", m_folder, "cupti.so");
        if (const std::string reason = gpuReason(modulesIn(m_folder)); !reason.empty())
            SKIP_WITHOUT("gpu", reason);
    }

    Finished run(const Json& experiment, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"run", "-", "--out", m_folder.file("run.hscope")};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words, experiment.dump(), modulesIn(m_folder));
    }
    profiling::Study study() const { return studyFromBytes(readText(m_folder.file("run.hscope"))); }

    /// What was measured before the fault, and on other devices after it, is whole; the rest has its reason.
    void expectKept(const profiling::Study& kept, const std::vector<int>& rows, const std::string& what) {
        ASSERT_EQ(kept.runs.size(), 2 * rows.size());
        bool broken = false;
        for (const StudyRun& run : kept.runs) {
            const bool onGpu = run.target != "cpu/sequential";
            const int size = run.point.at("/matmul/m");
            SCOPED_TRACE(run.target + " " + std::to_string(size) + ": " + run.reason);
            broken = broken || size == kBreaking;
            if (!onGpu || !broken) {
                EXPECT_EQ(run.status, StudyRunStatus::Ok);
                EXPECT_EQ(run.timesMs().size(), static_cast<std::size_t>(kSamples));
                EXPECT_LT(run.maxRelError.value_or(1.0), 1e-4);
                continue;
            }
            EXPECT_EQ(run.status, StudyRunStatus::Failed);
            EXPECT_THAT(run.reason, HasSubstr(what));
            EXPECT_THAT(run.reason, HasSubstr("cuda:0"));
            EXPECT_THAT(run.reason, HasSubstr("start the run again"));
            if (size == kBreaking) {
                EXPECT_THAT(run.reason, HasSubstr("gemm m256 n48 k32"));
            }
        }
        EXPECT_TRUE(kept.ended);
    }

    static std::string wordsOf(const std::string& fault) {
        return fault == "trap" ? "cudaErrorLaunchFailure" : "cudaErrorIllegalAddress";
    }

    TemporaryFolder m_folder;
};

TEST_P(GpuFaults, AreToldWithTheirPlaceAndCostNothingThatWasMeasured) {
    const std::vector<int> rows{16, 64, kBreaking, 32};
    const Finished done = run(products(GetParam(), rows), {"--no-trace"});
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_EQ(done.signal, 0);
    EXPECT_THAT(done.err, HasSubstr(wordsOf(GetParam())));
    expectKept(study(), rows, wordsOf(GetParam()));
    const Finished next = run(products(GetParam(), {32, 64}), {"--no-trace"});
    EXPECT_EQ(next.exitCode, 0) << next.err;
}

TEST_P(GpuFaults, ThroughRecordedWorkersToo) {
    const std::vector<int> rows{16, kBreaking};
    const Finished done = run(products(GetParam(), rows));
    EXPECT_EQ(done.exitCode, 1) << done.err;
    expectKept(study(), rows, wordsOf(GetParam()));
    const Finished next = run(products(GetParam(), {32}));
    EXPECT_EQ(next.exitCode, 0) << next.err;
}

INSTANTIATE_TEST_SUITE_P(Kinds, GpuFaults, testing::Values("write", "trap"),
                         [](const testing::TestParamInfo<const char*>& kind) {
                             return std::string(kind.param);
                         });

} // namespace
} // namespace heteroscope::process_test
