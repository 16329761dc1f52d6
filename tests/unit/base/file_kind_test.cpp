// SPDX-License-Identifier: Apache-2.0
// What is no regular file is named by its kind, and never opened.
#include "compute/base/file_kind.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace heteroscope {
namespace {

namespace fs = std::filesystem;

class FileKind : public testing::Test {
  protected:
    void SetUp() override {
        m_folder = fs::path(testing::TempDir()) / ("heteroscope_kind_" + std::to_string(::getpid()));
        fs::create_directories(m_folder);
    }
    void TearDown() override { fs::remove_all(m_folder); }
    static std::string sentence(const fs::path& file) {
        const Status status = requireRegularFile(file);
        return status ? "" : status.error().sentence();
    }
    fs::path m_folder;
};

TEST_F(FileKind, regularFilesAndLinksToThemAreTaken) {
    std::ofstream(m_folder / "file") << "text";
    fs::create_symlink(m_folder / "file", m_folder / "link");
    EXPECT_EQ(sentence(m_folder / "file"), "");
    EXPECT_EQ(sentence(m_folder / "link"), "");
    EXPECT_EQ(kindOfSpecialFile(m_folder / "file"), "");
}

TEST_F(FileKind, othersAreNamed) {
    ASSERT_EQ(::mkfifo((m_folder / "fifo").c_str(), 0600), 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string place = (m_folder / "sock").string();
    ASSERT_LT(place.size(), sizeof address.sun_path);
    place.copy(address.sun_path, place.size());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const std::string end = ", not a regular file; give a file that lies on a disk";
    EXPECT_EQ(sentence(m_folder / "fifo"), (m_folder / "fifo").string() + ": it is a FIFO" + end);
    EXPECT_EQ(sentence(m_folder / "sock"), place + ": it is a socket" + end);
    EXPECT_EQ(sentence("/dev/zero"), "/dev/zero: it is a character device" + end);
    EXPECT_EQ(sentence(m_folder), m_folder.string() + ": it is a folder" + end);
    EXPECT_EQ(sentence(m_folder / "none"),
              (m_folder / "none").string() + ": the file does not exist; check the path");
    ::close(fd);
}

/// Reading /proc/kmsg waits for ever, though it is a regular file.
TEST_F(FileKind, FilesOfTheKernelAreNone) {
    for (const char* file :
         {"/proc/kmsg", "/proc/self/environ", "/proc/self/ns/mnt", "/sys/kernel/uevent_seqnum"}) {
        if (!fs::exists(file))
            continue; // a container may hide it
        EXPECT_NE(sentence(file).find("it is a file that the kernel makes up ("), std::string::npos)
            << file << ": " << sentence(file);
        EXPECT_NE(kindOfSpecialFile(file), "") << file;
    }
    fs::create_symlink("/proc/self/environ", m_folder / "link");
    EXPECT_NE(sentence(m_folder / "link").find("(procfs), not a regular file"), std::string::npos);
}

TEST_F(FileKind, OpenFilesOfOthersAreTakenByTheirDescriptor) {
    std::ofstream(m_folder / "file") << "text";
    const int fd = ::open((m_folder / "file").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(fd, 0);
    EXPECT_EQ(sentence("/proc/self/fd/" + std::to_string(fd)), "");
    EXPECT_EQ(sentence("/dev/fd/" + std::to_string(fd)), "");
    fs::remove(m_folder / "file");
    EXPECT_EQ(sentence("/proc/self/fd/" + std::to_string(fd)), ""); // its name is gone, the file is not
    ::close(fd);
}

} // namespace
} // namespace heteroscope
