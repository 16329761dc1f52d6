// SPDX-License-Identifier: Apache-2.0
// The processor's description, from recorded proc and sys files and from this machine.
#include "compute/core/backend_registry.h"
#include "compute/core/cpu.h"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

namespace fs = std::filesystem;

class FakeMachine : public testing::Test {
  protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        m_root = fs::path(testing::TempDir()) /
                 ("heteroscope_cpu_" + std::to_string(::getpid()) + "_" + info->name());
        fs::remove_all(m_root);
    }
    void TearDown() override { fs::remove_all(m_root); }

    void write(const std::string& path, const std::string& text) {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << text;
    }

    fs::path m_root;
};

TEST_F(FakeMachine, CachesAreRead) {
    const std::string base = "sys/devices/system/cpu/cpu0/cache/index";
    write(base + "0/level", "1\n");
    write(base + "0/type", "Data\n");
    write(base + "0/size", "48K\n");
    write(base + "0/shared_cpu_list", "0\n");
    write(base + "3/level", "3\n");
    write(base + "3/type", "Unified\n");
    write(base + "3/size", "32M\n");
    write(base + "3/shared_cpu_list", "0-3,8,10-11\n");
    const auto caches = readCaches(m_root);
    ASSERT_EQ(caches.size(), 2U);
    EXPECT_EQ(caches[0].bytes, 48 * 1024);
    EXPECT_EQ(caches[0].type, "Data");
    EXPECT_EQ(caches[1].bytes, 32 * 1024 * 1024);
    EXPECT_EQ(caches[1].sharedBy, 7);
}

TEST_F(FakeMachine, NameIsRead) {
    EXPECT_EQ(readCpuName(m_root), "CPU");
    write("proc/cpuinfo", "processor\t: 0\nmodel name\t: Some Maker 9000\n");
    EXPECT_EQ(readCpuName(m_root), "Some Maker 9000");
}

TEST(Cpu, ThisMachineIsDescribed) {
    const DeviceInfo cpu = describeCpu();
    EXPECT_EQ(cpu.id, "cpu");
    EXPECT_FALSE(cpu.name.empty());
    EXPECT_GT(cpu.memoryTotalBytes, 0);
    EXPECT_GT(cpu.memoryFreeBytes, 0);
    EXPECT_LE(cpu.memoryFreeBytes, cpu.memoryTotalBytes);
    EXPECT_GE(cpu.properties.at("cores").get<int>(), 1);
    EXPECT_EQ(cpu.properties.at("simd").get<std::string>(), simdName(detectSimd()));
}

} // namespace
} // namespace heteroscope::compute
