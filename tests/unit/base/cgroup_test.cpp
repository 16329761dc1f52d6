// SPDX-License-Identifier: Apache-2.0
// What control groups allow, from recorded proc and sys files.
#include "compute/base/cgroup.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace heteroscope {
namespace {

namespace fs = std::filesystem;

class CpuQuota : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "heteroscope-cgroup-XXXXXX";
        m_root = ::mkdtemp(pattern.data());
    }
    void TearDown() override { fs::remove_all(m_root); }

    void put(const std::string& path, const std::string& text) {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << text;
    }

    fs::path m_root;
};

TEST_F(CpuQuota, IsNothingWhereNobodySetsOne) {
    EXPECT_FALSE(cpuQuota(m_root));
    put("proc/self/cgroup", "0::/user.slice\n");
    put("sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
    EXPECT_FALSE(cpuQuota(m_root));
}

TEST_F(CpuQuota, IsTheLeastOfTheGroupAndThoseAround) {
    put("proc/self/cgroup", "0::/a/b\n");
    put("sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
    EXPECT_EQ(cpuQuota(m_root), 4.0);
    put("sys/fs/cgroup/a/cpu.max", "125000 50000\n");
    EXPECT_EQ(cpuQuota(m_root), 2.5);
    put("sys/fs/cgroup/c/cpu.max", "1000 50000\n");
    EXPECT_EQ(cpuQuota(m_root), 2.5) << "another group's is not ours";
}

TEST_F(CpuQuota, IsReadOfAContainerThatSeesItsGroupAsTheRoot) {
    put("proc/self/cgroup", "0::/\n");
    put("sys/fs/cgroup/cpu.max", "300000 100000\n");
    EXPECT_EQ(cpuQuota(m_root), 3.0);
}

TEST_F(CpuQuota, OfVersionOneHasAFileForEachNumber) {
    put("proc/self/cgroup", "12:memory:/x\n4:cpu,cpuacct:/docker/7\n3:cpuset:/y\n");
    put("sys/fs/cgroup/cpu/docker/7/cpu.cfs_quota_us", "-1\n");
    put("sys/fs/cgroup/cpu/docker/7/cpu.cfs_period_us", "100000\n");
    EXPECT_FALSE(cpuQuota(m_root));
    put("sys/fs/cgroup/cpu/docker/7/cpu.cfs_quota_us", "150000\n");
    EXPECT_EQ(cpuQuota(m_root), 1.5);
}

TEST_F(CpuQuota, OfBrokenFilesIsNothing) {
    put("proc/self/cgroup", "no colons\n0::/a\n");
    for (const char* text : {"", "max", "100000", "-5 100000", "100000 0", "x y"}) {
        put("sys/fs/cgroup/a/cpu.max", text);
        EXPECT_FALSE(cpuQuota(m_root)) << text;
    }
}

} // namespace
} // namespace heteroscope
