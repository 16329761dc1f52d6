// SPDX-License-Identifier: Apache-2.0
// Who ended a process for lack of memory, from recorded proc and sys files.
#include "compute/base/memory_kills.h"
#include "tests/unit/base/output_fixture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace heteroscope {
namespace {

class MemoryKillsCount : public test::OutputFolder {
  protected:
    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories(std::filesystem::path(file(path)).parent_path());
        put(file(path), text);
    }
};

TEST_F(MemoryKillsCount, thoseOfTheOwnGroup) {
    write("proc/self/cgroup", "0::/a/b\n");
    write("proc/vmstat", "nr_free_pages 1\noom_kill 10\n");
    const std::string events = "low 0\nhigh 0\nmax 4\noom 2\noom_kill ";
    write("sys/fs/cgroup/a/b/memory.events", events + "2\noom_group_kill 0\n");
    write("sys/fs/cgroup/a/memory.events", events + "7\n");
    const MemoryKills kills(m_folder);
    EXPECT_FALSE(kills.any());
    write("sys/fs/cgroup/a/memory.events", events + "8\n");
    write("proc/vmstat", "nr_free_pages 1\noom_kill 11\n");
    EXPECT_FALSE(kills.any()) << "of another group";
    write("sys/fs/cgroup/a/b/memory.events", events + "3\noom_group_kill 0\n");
    EXPECT_TRUE(kills.any());
    EXPECT_FALSE(MemoryKills(m_folder).any()) << "from then on";
}

TEST_F(MemoryKillsCount, thoseOfAGroupOfTheFirstVersion) {
    write("proc/self/cgroup", "4:memory:/a\n");
    write("sys/fs/cgroup/memory/a/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
    const MemoryKills kills(m_folder);
    write("sys/fs/cgroup/memory/a/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    EXPECT_TRUE(kills.any());
}

TEST_F(MemoryKillsCount, thoseOfTheMachineWhereNoGroupTells) {
    EXPECT_FALSE(MemoryKills(m_folder).any()) << "nothing tells";
    write("proc/vmstat", "nr_free_pages 1\noom_kill 10\n");
    const MemoryKills kills(m_folder);
    write("proc/vmstat", "nr_free_pages 1\noom_kill 11\n");
    EXPECT_TRUE(kills.any());
    std::filesystem::remove(file("proc/vmstat"));
    EXPECT_FALSE(kills.any());
}

} // namespace
} // namespace heteroscope
