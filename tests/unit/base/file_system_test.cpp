// SPDX-License-Identifier: Apache-2.0
// Calls that change a disk: what has none behind it, and what cannot be opened.
#include "compute/base/file_system.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heteroscope {
namespace {

class FileSystemCalls : public testing::Test {
  protected:
    FileSystemCalls() {
        std::string pattern = testing::TempDir() + "heteroscope-calls-XXXXXX";
        m_folder = ::mkdtemp(pattern.data());
    }
    ~FileSystemCalls() override { std::filesystem::remove_all(m_folder); }
    std::string file(const std::string& name) const { return m_folder + "/" + name; }
    /// Outcome and errno of a call.
    template <class Call>
    static std::pair<int, std::string> outcomeOf(Call call) {
        errno = 0;
        const int outcome = call(systemFiles());
        return {outcome, std::strerror(errno)};
    }

    std::string m_folder;
};

TEST_F(FileSystemCalls, WriteReadableBytesUnderANameAndTakeItAway) {
    FileSystem& files = systemFiles();
    const int fd = files.open(file("a"), O_RDWR | O_CREAT, 0600);
    ASSERT_GE(fd, 0);
    EXPECT_EQ(::fcntl(fd, F_GETFD), FD_CLOEXEC) << "children get no descriptor of ours";
    EXPECT_EQ(files.write(fd, "abcdef", 6), 6);
    EXPECT_EQ(files.writeAt(fd, "XY", 2, 1), 2);
    EXPECT_EQ(files.truncate(fd, 5), 0);
    EXPECT_EQ(files.sync(fd), 0);
    ::close(fd);
    EXPECT_EQ(files.rename(file("a"), file("b")), 0);
    EXPECT_EQ(files.syncFolder(m_folder), 0);
    std::string text;
    std::getline(std::ifstream(file("b")), text);
    EXPECT_EQ(text, "aXYde");
    EXPECT_EQ(files.unlink(file("b")), 0);
    EXPECT_TRUE(std::filesystem::is_empty(m_folder));
}

TEST_F(FileSystemCalls, SyncOfWhatHasNoDiskIsDoneAndOfNothingIsNot) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    EXPECT_EQ(systemFiles().sync(ends[1]), 0);
    ::close(ends[0]);
    ::close(ends[1]);
    EXPECT_EQ(outcomeOf([](FileSystem& files) { return files.sync(-1); }),
              std::pair(-1, std::string("Bad file descriptor")));
}

TEST_F(FileSystemCalls, FoldersAreSyncedByTheirNamesOnly) {
    EXPECT_EQ(systemFiles().syncFolder(""), 0) << "the one that this process is in";
    EXPECT_EQ(outcomeOf([&](FileSystem& files) { return files.syncFolder(file("none")); }),
              std::pair(-1, std::string("No such file or directory")));
    std::ofstream(file("a")) << "text";
    EXPECT_EQ(outcomeOf([&](FileSystem& files) { return files.syncFolder(file("a")); }),
              std::pair(-1, std::string("Not a directory")));
}

/// The right to pass by permissions, which root has, is given up first.
int syncWithoutPrivileges(const std::string& folder) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2]{};
    if (::syscall(SYS_capset, &header, none) != 0 || ::open(folder.c_str(), O_RDONLY | O_CLOEXEC) >= 0)
        return 1;
    return systemFiles().syncFolder(folder) == 0 ? 0 : 2;
}

TEST_F(FileSystemCalls, FoldersThatMayNotBeReadAreLeftToTheSystem) {
    ASSERT_EQ(::chmod(m_folder.c_str(), 0300), 0);
    EXPECT_EXIT(::_exit(syncWithoutPrivileges(m_folder)), testing::ExitedWithCode(0), "");
    ASSERT_EQ(::chmod(m_folder.c_str(), 0700), 0);
}

int syncOnDescriptor0(const std::string& folder) {
    ::close(0);
    if (systemFiles().syncFolder(folder) != 0)
        return 1;
    return ::fcntl(0, F_GETFD) == -1 && errno == EBADF ? 0 : 2;
}

TEST_F(FileSystemCalls, FoldersAreClosedAgainWhateverTheirDescriptor) {
    EXPECT_EXIT(::_exit(syncOnDescriptor0(m_folder)), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace heteroscope
