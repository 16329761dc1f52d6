// SPDX-License-Identifier: Apache-2.0
// Free memory from recorded proc and sys files, and within limits of the address space.
#include "compute/base/free_memory.h"
#include "tests/support/resource_limit.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/sysinfo.h>

namespace heteroscope {
namespace {

namespace fs = std::filesystem;
using tests::mappedBytes;
using tests::ResourceLimit;

class FreeMemory : public testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "heteroscope-memory-XXXXXX";
        m_root = ::mkdtemp(pattern.data());
        put("proc/meminfo", "MemTotal:       1000 kB\nMemFree:  100 kB\nMemAvailable:    600 kB\n");
    }
    void TearDown() override { fs::remove_all(m_root); }

    void put(const std::string& path, const std::string& text) {
        fs::create_directories((m_root / path).parent_path());
        std::ofstream(m_root / path) << text;
    }
    /// A control group of version 2.
    void group(const std::string& folder, const std::string& limit, const std::string& used) {
        put("sys/fs/cgroup/" + folder + "/memory.max", limit + "\n");
        put("sys/fs/cgroup/" + folder + "/memory.current", used + "\n");
    }
    void groupOfVersion1(const std::string& folder, const std::string& limit, const std::string& used) {
        put("sys/fs/cgroup/memory/" + folder + "/memory.limit_in_bytes", limit + "\n");
        put("sys/fs/cgroup/memory/" + folder + "/memory.usage_in_bytes", used + "\n");
    }
    /// Total, free and the control group's limit, in bytes.
    void expect(std::int64_t total, std::int64_t free, std::int64_t limit) const {
        const MemoryInfo memory = readMemory(m_root);
        EXPECT_EQ(memory.totalBytes, total);
        EXPECT_EQ(memory.freeBytes, free);
        EXPECT_EQ(memory.cgroupLimitBytes, limit);
    }

    fs::path m_root;
};

TEST_F(FreeMemory, IsReadInBytes) {
    expect(1024000, 614400, 0);
    put("proc/meminfo", "what no colon has\nMemTotal:\t1000 kB\nHugePages: none\nMemAvailable:\t 600 kB\n");
    expect(1024000, 614400, 0);
}

TEST_F(FreeMemory, IsAskedForWhereNoFileSaysIt) {
    struct sysinfo info {};
    ASSERT_EQ(::sysinfo(&info), 0);
    const auto unit = static_cast<std::int64_t>(info.mem_unit);
    const auto total = static_cast<std::int64_t>(info.totalram) * unit;
    const auto free = static_cast<std::int64_t>(info.freeram + info.bufferram) * unit;
    for (const char* text : {"", "MemTotal: 1000 kB\n", "MemAvailable: 600 kB\n"}) {
        put("proc/meminfo", text);
        const MemoryInfo memory = readMemory(m_root);
        EXPECT_EQ(memory.totalBytes, total) << text;
        EXPECT_GT(memory.freeBytes, std::int64_t{16} << 20) << text;
        EXPECT_LE(memory.freeBytes, free + total / 8) << text; // others take and give back meanwhile
        EXPECT_EQ(memory.cgroupLimitBytes, 0) << text;
    }
    fs::remove(m_root / "proc/meminfo");
    EXPECT_EQ(readMemory(m_root).totalBytes, total);
}

TEST_F(FreeMemory, OfAControlGroupOfVersion2IsWhatItsLimitLeaves) {
    put("proc/self/cgroup", "0::/user/job\n");
    group("user/job", "204800", "4800");
    expect(204800, 200000, 204800);
    group("user/job", "1000000", "100000"); // leaves more than the machine has
    expect(1000000, 614400, 1000000);
    group("user/job", "204800", "300000");
    expect(204800, 0, 204800);
    fs::remove(m_root / "sys/fs/cgroup/user/job/memory.current");
    expect(204800, 204800, 204800);
}

TEST_F(FreeMemory, OfAControlGroupOfVersion1IsWhatItsLimitLeaves) {
    put("proc/self/cgroup", "no group\n5:cpu:/other\n4:memory:/box\n3:pids:/pids\n");
    groupOfVersion1("box", "102400", "400");
    groupOfVersion1("other", "10240", "400");
    groupOfVersion1("pids", "10240", "400");
    expect(102400, 102000, 102400);
}

TEST_F(FreeMemory, OfAContainerIsThatOfTheRootWhereItsGroupIsMounted) {
    put("proc/self/cgroup", "0::/docker/0123\n");
    group("", "204800", "800");
    expect(204800, 204000, 204800);
    fs::remove_all(m_root / "sys");
    put("proc/self/cgroup", "4:memory:/docker/0123\n");
    groupOfVersion1("", "102400", "400");
    expect(102400, 102000, 102400);
    fs::remove(m_root / "proc/self/cgroup"); // none that may be read
    expect(102400, 102000, 102400);
    fs::remove_all(m_root / "sys");
    group("", "204800", "800");
    expect(204800, 204000, 204800);
}

TEST_F(FreeMemory, UnlimitedControlGroupsChangeNothing) {
    put("proc/self/cgroup", "0::/\n");
    for (const char* limit : {"max", "0", "-1", "", " ", "1024000", "9223372036854771712"}) {
        group("", limit, "1000");
        expect(1024000, 614400, 0);
    }
    group("", "1023999", "1000");
    expect(1023999, 614400, 1023999);
}

/// A group cannot take more than what the groups around it leave.
TEST_F(FreeMemory, IsLimitedByTheGroupsAroundTheOwnOne) {
    put("proc/self/cgroup", "0::/slice/user/job\n");
    group("slice/user/job", "max", "1000");
    group("slice", "204800", "4800");
    expect(204800, 200000, 204800);
    group("slice/user", "102400", "2400");
    expect(102400, 100000, 102400);
    group("slice/user/job", "51200", "1200");
    expect(51200, 50000, 51200);
    group("slice", "204800", "200000"); // others in it took the rest
    expect(51200, 4800, 51200);
    put("proc/self/cgroup", "4:memory:/box/inner\n");
    groupOfVersion1("box", "10240", "240");
    expect(10240, 10000, 10240);
}

TEST_F(FreeMemory, WithALimitedAddressSpaceIsWhatIsNotMappedYet) {
    put("proc/meminfo", "MemTotal: 1125899906842624 kB\nMemAvailable: 1125899906842624 kB\n"); // 2^60 bytes
    put("proc/self/statm", "256 100 50 1 0 80 0\n");
    const rlim_t limit = mappedBytes() + (rlim_t{1} << 30);
    const ResourceLimit space(RLIMIT_AS, limit);
    ASSERT_TRUE(space.ok());
    const std::int64_t page = ::sysconf(_SC_PAGESIZE);
    const auto allowed = static_cast<std::int64_t>(limit);
    expect(std::int64_t{1} << 60, allowed - 256 * page, 0);
    put("proc/self/statm", std::to_string(allowed / page + 1) + " 100 50 1 0 80 0\n");
    expect(std::int64_t{1} << 60, 0, 0);
    put("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 600 kB\n");
    put("proc/self/statm", "256 100 50 1 0 80 0\n");
    expect(1024000, 614400, 0);
}

TEST(ThreadStacks, TakeAddressSpaceWhereItIsLimited) {
    const ResourceLimit space(RLIMIT_AS, mappedBytes() + (rlim_t{1} << 30));
    ASSERT_TRUE(space.ok());
    const ResourceLimit stack(RLIMIT_STACK, rlim_t{4} << 20);
    ASSERT_TRUE(stack.ok());
    EXPECT_EQ(threadStackBytes(3), 8 << 20); // the first thread has its own already
    EXPECT_EQ(threadStackBytes(2), 4 << 20);
    EXPECT_EQ(threadStackBytes(1), 0);
    EXPECT_EQ(threadStackBytes(0), 0);
    if (const ResourceLimit unlimited(RLIMIT_STACK, RLIM_INFINITY); unlimited.ok()) {
        EXPECT_EQ(threadStackBytes(2), 8 << 20);
    }
}

TEST(ThreadStacks, TakeNoneWhereAddressSpaceIsNotLimited) {
    if (const ResourceLimit space(RLIMIT_AS, RLIM_INFINITY); space.ok()) {
        EXPECT_EQ(threadStackBytes(64), 0);
    }
}

} // namespace
} // namespace heteroscope
