// SPDX-License-Identifier: Apache-2.0
// The processor's description, from recorded proc and sys files and from this machine.
#include "compute/core/backend_registry.h"
#include "compute/core/cpu.h"

#include <gtest/gtest.h>

#include <fstream>

namespace heteroscope::compute {
namespace {

namespace fs = std::filesystem;

class FakeMachine : public testing::Test {
  protected:
    void SetUp() override {
        const auto* info = testing::UnitTest::GetInstance()->current_test_info();
        m_root = fs::path(testing::TempDir()) / (std::string("heteroscope_cpu_") + info->name());
        fs::remove_all(m_root);
        write("proc/meminfo", "MemTotal:       1000 kB\nMemFree:  100 kB\nMemAvailable:    600 kB\n");
    }
    void TearDown() override { fs::remove_all(m_root); }

    void write(const std::string& path, const std::string& text) {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << text;
    }

    fs::path m_root;
};

TEST_F(FakeMachine, MemoryIsReadInBytes) {
    const MemoryInfo memory = readMemory(m_root);
    EXPECT_EQ(memory.totalBytes, 1000 * 1024);
    EXPECT_EQ(memory.freeBytes, 600 * 1024);
    EXPECT_EQ(memory.cgroupLimitBytes, 0);
}

TEST_F(FakeMachine, MemoryIsAskedForWhereNoFileSaysIt) {
    fs::remove(m_root / "proc/meminfo");
    const MemoryInfo memory = readMemory(m_root);
    EXPECT_GT(memory.freeBytes, std::int64_t{16} << 20);
    EXPECT_GE(memory.totalBytes, memory.freeBytes);
}

TEST_F(FakeMachine, ControlGroupVersion2Limits) {
    write("proc/self/cgroup", "0::/user/job\n");
    write("sys/fs/cgroup/user/job/memory.max", "204800\n");
    write("sys/fs/cgroup/user/job/memory.current", "4800\n");
    const MemoryInfo memory = readMemory(m_root);
    EXPECT_EQ(memory.totalBytes, 204800);
    EXPECT_EQ(memory.freeBytes, 200000);
    EXPECT_EQ(memory.cgroupLimitBytes, 204800);
}

TEST_F(FakeMachine, ControlGroupVersion1Limits) {
    write("proc/self/cgroup", "5:cpu:/\n4:memory:/box\n");
    write("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "102400\n");
    write("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "400\n");
    EXPECT_EQ(readMemory(m_root).freeBytes, 102000);
}

TEST_F(FakeMachine, UnlimitedControlGroupChangesNothing) {
    write("proc/self/cgroup", "0::/\n");
    write("sys/fs/cgroup/memory.max", "max\n");
    EXPECT_EQ(readMemory(m_root).totalBytes, 1000 * 1024);
    write("sys/fs/cgroup/memory.max", "9223372036854771712\n");
    EXPECT_EQ(readMemory(m_root).cgroupLimitBytes, 0);
}

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
