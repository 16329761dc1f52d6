// SPDX-License-Identifier: Apache-2.0
// Red zones around device memory: what a report says, that a write beside an allocation ends the process with
// it, and that one within does not.
#include "compute/backends/nvidia/device/guarded_memory.h"
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <vector>

namespace heteroscope::compute::nvidia {
namespace {

using testing::HasSubstr;

using Zone = std::vector<std::uint8_t>;

Zone zone() {
    return Zone(kRedZoneBytes, kRedZonePattern);
}

TEST(RedZones, ThatAreWholeSayNothing) {
    EXPECT_EQ(redZoneReport(zone(), zone(), 100, "a tensor"), "");
}

TEST(RedZones, NameSizePurposeAndOffsets) {
    Zone before = zone(), after = zone();
    after[0] = after[7] = 0;
    EXPECT_EQ(
        redZoneReport(zone(), after, 100, "a tensor"),
        "device memory was written beside its bounds: an allocation of 100 bytes for a tensor, 2 bytes from "
        "offset 100 to 107 (its own are 0 to 99)");
    before[kRedZoneBytes - 4] = 1;
    EXPECT_THAT(redZoneReport(before, zone(), 100, "a tensor"), HasSubstr("1 bytes from offset -4 to -4 ("));
    EXPECT_THAT(redZoneReport(before, after, 100, "x"),
                HasSubstr("from offset -4 to -4 and 2 bytes from offset 100"));
    before[0] = after[kRedZoneBytes - 1] = 0;
    EXPECT_THAT(redZoneReport(before, after, 1, "x"),
                HasSubstr("-4096 to -4 and 3 bytes from offset 1 to 4096 "));
}

TEST(RedZones, AreAskedForWithOneWord) {
    ASSERT_EQ(::setenv("HETEROSCOPE_GUARD", "yes", 1), 0);
    EXPECT_THAT(memoryIsGuarded().error().sentence(), HasSubstr("HETEROSCOPE_GUARD"));
    ASSERT_EQ(::setenv("HETEROSCOPE_GUARD", "0", 1), 0);
    EXPECT_FALSE(*memoryIsGuarded());
    ASSERT_EQ(::setenv("HETEROSCOPE_GUARD", "1", 1), 0);
    EXPECT_TRUE(*memoryIsGuarded());
    ::unsetenv("HETEROSCOPE_GUARD");
    EXPECT_FALSE(*memoryIsGuarded());
}

/// The process of a death test starts anew, so that the driver is not carried over a fork.
class GuardedMemory : public testing::Test {
  protected:
    void SetUp() override {
        testing::FLAGS_gtest_death_test_style = "threadsafe";
        ASSERT_EQ(::setenv("HETEROSCOPE_GUARD", "1", 1), 0);
        auto session = openTarget("cuda:0/cuda");
        if (!session)
            SKIP_WITHOUT("gpu,cuda", session.error().sentence());
        m_session = std::move(*session);
    }
    void TearDown() override { ::unsetenv("HETEROSCOPE_GUARD"); }

    /// Writes one byte at an offset of an allocation of 1000 bytes and frees it.
    void writeAt(std::ptrdiff_t offset) {
        auto buffer = m_session->allocate(1000);
        ASSERT_TRUE(buffer.ok()) << buffer.error().sentence();
        auto* const memory = static_cast<char*>((*buffer)->devicePointer());
        ASSERT_EQ(cudaMemset(memory + offset, 7, 1), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    }

    std::unique_ptr<Session> m_session;
};

TEST_F(GuardedMemory, WithinItsBoundsMayBeWritten) {
    writeAt(0);
    writeAt(999);
}

TEST_F(GuardedMemory, AfterItsBoundsEndsTheProcess) {
    EXPECT_DEATH(writeAt(1000), "HETEROSCOPE_GUARD: .*1000 bytes for a tensor.*offset 1000 to 1000");
}

TEST_F(GuardedMemory, BeforeItsBoundsEndsTheProcess) {
    EXPECT_DEATH(writeAt(-1), "1000 bytes for a tensor.*offset -1 to -1");
}

TEST_F(GuardedMemory, IsAlignedAndNoNumberUntilItIsWritten) {
    auto buffer = m_session->allocate(1024);
    ASSERT_TRUE(buffer.ok());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>((*buffer)->devicePointer()) % 256, 0u);
    std::vector<float> values(256, 1.0F);
    ASSERT_TRUE(m_session->download(values.data(), **buffer, 1024, nullptr));
    for (const float value : values)
        EXPECT_TRUE(std::isnan(value));
}

} // namespace
} // namespace heteroscope::compute::nvidia
