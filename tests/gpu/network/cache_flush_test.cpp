// SPDX-License-Identifier: Apache-2.0
// A flush of the L2 cache: an operation that reads little enough to stay in it takes longer afterwards.
#include "tests/gpu/network/gpu_target_test.h"
#include "tests/support/require/skip.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kFlushSide = 2048; ///< 16 MiB of input: a third of the L2 of an H100
constexpr int kFlushRounds = 31;

class CacheFlushTest : public GpuTargetTest {
  protected:
    void prepare() {
        PoolParams params;
        params.kernel = params.stride = {2, 2};
        const Op op = PoolForward{params, {1, 1, kFlushSide, kFlushSide}};
        auto src = m_session->allocate(kFlushSide * kFlushSide * sizeof(float));
        auto dst = m_session->allocate(kFlushSide * kFlushSide / 4 * sizeof(float));
        auto prepared = m_session->prepare(op);
        ASSERT_TRUE(src && dst && prepared);
        m_src = std::move(*src);
        m_dst = std::move(*dst);
        m_op = std::move(*prepared);
        const std::vector<float> values(kFlushSide * kFlushSide, 1.0F);
        ASSERT_TRUE(m_session->upload(*m_src, values.data(), m_src->bytes()));
    }

    /// On the device's clock.
    double runMs() {
        DeviceBuffer* src = m_src.get();
        DeviceBuffer* dst = m_dst.get();
        EXPECT_TRUE(m_session->startDeviceTimer());
        EXPECT_TRUE(m_op->run({&src, 1}, {&dst, 1}, nullptr));
        const auto ms = m_session->stopDeviceTimerMs();
        EXPECT_TRUE(ms && *ms);
        return ms && *ms ? **ms : 0;
    }

    std::unique_ptr<DeviceBuffer> m_src, m_dst;
    std::unique_ptr<PreparedOp> m_op;
};

TEST_P(CacheFlushTest, MakesWhatFitsIntoTheL2Slower) {
    const char* const tool = std::getenv("SANITIZE_TOOL"); // of tests/gpu/sanitize.sh
    if (tool != nullptr && std::string_view(tool) != "guard")
        SKIP_WITHOUT("quiet-machine", "compute-sanitizer makes a launch take longer than the memory");
    ASSERT_NO_FATAL_FAILURE(prepare());
    auto flush = m_session->makeCacheFlush();
    ASSERT_TRUE(flush) << flush.error().sentence();
    EXPECT_EQ((*flush)->bytes(), m_session->cacheFlushBytes());
    EXPECT_GT((*flush)->bytes(), m_session->device().properties.at("l2_bytes").get<std::size_t>());
    double warm = 1e9, cold = 1e9; // the fastest: launches only add
    for (int round = 0; round < kFlushRounds; ++round) {
        runMs();
        warm = std::min(warm, runMs());
        ASSERT_TRUE((*flush)->run());
        cold = std::min(cold, runMs());
    }
    RecordProperty("warm_us", std::to_string(warm * 1e3));
    RecordProperty("cold_us", std::to_string(cold * 1e3));
    EXPECT_GT(cold, 1.15 * warm) << "warm " << warm * 1e3 << " us, cold " << cold * 1e3 << " us";
}

TEST_P(CacheFlushTest, LeavesOperandsAsTheyAre) {
    ASSERT_NO_FATAL_FAILURE(prepare());
    auto flush = m_session->makeCacheFlush();
    ASSERT_TRUE(flush) << flush.error().sentence();
    ASSERT_TRUE((*flush)->run());
    runMs();
    std::vector<float> result(kFlushSide * kFlushSide / 4);
    ASSERT_TRUE(m_session->download(result.data(), *m_dst, m_dst->bytes()));
    EXPECT_EQ(std::count(result.begin(), result.end(), 1.0F), kFlushSide * kFlushSide / 4);
}

/// cuDNN's pooling is bound by its instructions, not by what it reads.
INSTANTIATE_TEST_SUITE_P(Targets, CacheFlushTest, testing::Values("cuda:0/cuda", "cuda:0/cublas"),
                         [](const auto& one) { return one.param.substr(one.param.find('/') + 1); });

} // namespace
} // namespace heteroscope::compute
