// SPDX-License-Identifier: Apache-2.0
// Files beside the ones they will replace: their names, who has them, and what killed writers left.
#include "compute/base/fnv1a.h"
#include "compute/base/output_lock.h"
#include "tests/unit/base/output_fixture.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

namespace heteroscope {
namespace {
// Test vectors of the hash's authors.
static_assert(fnv1a("") == 0xcbf29ce484222325ULL && fnv1a("a") == 0xaf63dc4c8601ec8cULL &&
              fnv1a("foobar") == 0x85944171f73967e8ULL);
} // namespace
} // namespace heteroscope

namespace heteroscope {
namespace {

using test::openDescriptors;
using testing::HasSubstr;

constexpr const char* kPart = ".heteroscope-part";

class OutputLocks : public test::OutputFolder {};

/// Locks one byte of an open file, as a writer does.
bool lock(int fd, off_t byte) {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    return ::fcntl(fd, F_OFD_SETLK, &range) == 0;
}

int openLocked(const std::string& path, off_t byte) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_TRUE(lock(fd, byte)) << path;
    return fd;
}

/// A process called "another" that has a file locked, until it is destroyed.
class LockingProcess {
  public:
    explicit LockingProcess(const std::string& path) {
        int ends[2];
        EXPECT_EQ(::pipe(ends), 0);
        m_id = ::fork();
        if (m_id == 0) {
            ::prctl(PR_SET_NAME, "another");
            const int fd = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
            const char done = lock(fd, 0) ? '+' : '-';
            static_cast<void>(!::write(ends[1], &done, 1));
            while (true)
                ::pause();
        }
        char done = 0;
        EXPECT_EQ(::read(ends[0], &done, 1), 1);
        EXPECT_EQ(done, '+');
        ::close(ends[0]);
        ::close(ends[1]);
    }
    ~LockingProcess() {
        ::kill(m_id, SIGKILL);
        ::waitpid(m_id, nullptr, 0);
    }
    LockingProcess(const LockingProcess&) = delete;
    LockingProcess& operator=(const LockingProcess&) = delete;
    pid_t id() const { return m_id; }

  private:
    pid_t m_id = -1;
};

TEST(PartPath, IsAHiddenNameBeside) {
    EXPECT_EQ(partPath("/results/a.hscope", ""), "/results/.a.hscope.heteroscope-part");
    EXPECT_EQ(partPath("/results/a.hscope", "12-3"), "/results/.a.hscope.12-3.heteroscope-part");
    EXPECT_EQ(partPath("a", ""), ".a.heteroscope-part");
}

/// A name has at most 255 bytes; 18 are the part's own.
TEST(PartPath, OfALongNameHasItsFnv1aHashInstead) {
    const std::string longest(237, 'n');
    EXPECT_EQ(partPath("/results/" + longest, ""), "/results/." + longest + kPart);
    EXPECT_EQ(partPath("/results/n" + longest, ""), "/results/.6612310347277459229.heteroscope-part");
    EXPECT_EQ(partPath(longest, "1-2"), ".11736390795561341825.1-2.heteroscope-part");
    EXPECT_NE(partPath("a" + longest, ""), partPath("b" + longest, ""));
    EXPECT_NE(partPath(longest + "a", ""), partPath(longest + "b", ""));
}

TEST_F(OutputLocks, CreateAnEmptyLockedFile) {
    put(partPath(file("a"), ""), "left by a killed writer");
    const auto part = createPart(file("a"), "a", true, systemFiles());
    ASSERT_TRUE(part) << part.error().sentence();
    EXPECT_EQ(part->path, partPath(file("a"), ""));
    EXPECT_TRUE(part->locked);
    EXPECT_EQ(textOf(part->path), "");
    EXPECT_FALSE(requireNoWriter(part->path, "a"));
    ::close(part->fd);
    EXPECT_TRUE(requireNoWriter(part->path, "a"));
}

TEST_F(OutputLocks, GiveWritersThatShareNothingTheirOwnNames) {
    const auto first = createPart(file("a"), "a", false, systemFiles());
    const auto second = createPart(file("a"), "a", false, systemFiles());
    ASSERT_TRUE(first);
    ASSERT_TRUE(second);
    EXPECT_NE(first->path, second->path);
    EXPECT_TRUE(first->locked && second->locked);
    EXPECT_THAT(first->path, HasSubstr("/.a." + std::to_string(::getpid()) + "-"));
    ::close(first->fd);
    ::close(second->fd);
}

TEST_F(OutputLocks, LetWhoeverMayReadTheFolderReadTheFile) {
    const mode_t mask = ::umask(022);
    const auto part = createPart(file("a"), "a", true, systemFiles());
    ::umask(mask);
    ASSERT_TRUE(part);
    struct stat info {};
    ASSERT_EQ(::fstat(part->fd, &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0644u);
    ::close(part->fd);
}

TEST_F(OutputLocks, NameTheProcessThatWrites) {
    const LockingProcess other(file("a"));
    // What this process has open meanwhile: the file, unlocked, and another file, locked.
    const int unlocked = ::open(file("a").c_str(), O_RDONLY), locked = openLocked(file("b"), 0);
    const Status status = requireNoWriter(file("a"), "results.json");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::BadInput);
    EXPECT_EQ(status.error().sentence(),
              "results.json: another run is writing it: process " + std::to_string(other.id()) +
                  " (another); allowed: a file that nobody writes; wait until that run has ended, or choose "
                  "another file");
    ::close(unlocked);
    ::close(locked);
}

TEST_F(OutputLocks, OfOtherBytesAndMissingFilesAreNoWriters) {
    EXPECT_TRUE(requireNoWriter(file("none"), "none"));
    const int fd = openLocked(file("a"), 1);
    EXPECT_TRUE(requireNoWriter(file("a"), "a"));
    EXPECT_EQ(textOf(file("a")), "");
    const std::size_t before = openDescriptors();
    EXPECT_TRUE(requireNoWriter(file("a"), "a"));
    EXPECT_EQ(openDescriptors(), before);
    ::close(fd);
}

/// The lock lies on an open file that is on its way through a socket: no process has a descriptor of it.
TEST_F(OutputLocks, SayWhenTheWriterCannotBeSeen) {
    const int fd = openLocked(file("a"), 0);
    int ends[2];
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    char byte = 0;
    iovec data{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof fd)] = {};
    msghdr message{};
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    std::memcpy(CMSG_DATA(header), &fd, sizeof fd);
    ASSERT_EQ(::sendmsg(ends[0], &message, 0), 1);
    ::close(fd);
    EXPECT_THAT(requireNoWriter(file("a"), "a").error().sentence(),
                HasSubstr("another run is writing it: a process that is not ours to see;"));
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_F(OutputLocks, RefuseASecondWriterAndLeaveTheFirstAlone) {
    const LockingProcess other(partPath(file("a"), ""));
    put(partPath(file("a"), ""), "its bytes");
    const std::size_t before = openDescriptors();
    const auto part = createPart(file("a"), "results.json", true, systemFiles());
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::BadInput);
    EXPECT_THAT(part.error().sentence(), HasSubstr("process " + std::to_string(other.id()) + " (another)"));
    EXPECT_EQ(textOf(partPath(file("a"), "")), "its bytes");
    EXPECT_EQ(openDescriptors(), before);
}

/// Does something with each file between its being opened and its being locked.
class Interrupted : public FileSystem {
  public:
    explicit Interrupted(std::function<void(int, const std::string&)> between)
        : m_between(std::move(between)) {}
    int open(const std::string& path, int flags, mode_t mode) override {
        const int fd = FileSystem::open(path, flags, mode);
        m_between(opened++, path);
        return fd;
    }
    int opened = 0;

  private:
    std::function<void(int, const std::string&)> m_between;
};

TEST_F(OutputLocks, BeginAgainWhenTheNameIsTakenAwayMeanwhile) {
    for (const bool replaced : {false, true}) {
        Interrupted files([&](int time, const std::string& path) {
            if (time < 3)
                std::filesystem::remove(path);
            if (time < 3 && replaced)
                put(path, "another writer's");
        });
        const std::size_t before = openDescriptors();
        const auto part = createPart(file("a"), "a", true, files);
        ASSERT_TRUE(part) << part.error().sentence();
        EXPECT_EQ(files.opened, 4);
        struct stat named {};
        struct stat opened {};
        ASSERT_EQ(::stat(part->path.c_str(), &named), 0);
        ASSERT_EQ(::fstat(part->fd, &opened), 0);
        EXPECT_EQ(opened.st_ino, named.st_ino);
        EXPECT_EQ(openDescriptors(), before + 1);
        ::close(part->fd);
    }
}

TEST_F(OutputLocks, GiveUpWhenTheNameIsTakenAwayAgainAndAgain) {
    Interrupted files([](int, const std::string& path) { std::filesystem::remove(path); });
    const std::size_t before = openDescriptors();
    const auto part = createPart(file("a"), "results.json", true, files);
    ASSERT_FALSE(part);
    EXPECT_EQ(part.error().code, ErrorCode::Io);
    EXPECT_EQ(
        part.error().sentence(),
        "results.json: cannot be created: others take the name away again and again; choose another file");
    EXPECT_EQ(files.opened, 100);
    EXPECT_EQ(openDescriptors(), before);
}

TEST_F(OutputLocks, SayWhyAFileCannotBeCreatedAndWhere) {
    const auto missing = createPart(file("none/a"), "none/a", true, systemFiles());
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::Io);
    EXPECT_EQ(missing.error().sentence(),
              "none/a: cannot be created: No such file or directory; check the folder '" + file("none") +
                  "', in which the new file is written first");
    test::FailingFiles files;
    files.failing = "open";
    files.number = EACCES;
    EXPECT_EQ(
        createPart("a", "a", true, files).error().sentence(),
        "a: cannot be created: Permission denied; check the folder '.', in which the new file is written "
        "first");
    for (const int full : {ENOSPC, EDQUOT}) {
        files.number = full;
        EXPECT_THAT(createPart("a", "a", true, files).error().sentence(),
                    testing::EndsWith("; free some space or choose another place"));
    }
    files.failing = "truncate";
    files.number = EIO;
    const std::size_t before = openDescriptors();
    EXPECT_THAT(createPart(file("a"), "a", true, files).error().sentence(),
                HasSubstr("a: cannot be created: Input/output error; check the folder '" + m_folder + "'"));
    EXPECT_EQ(openDescriptors(), before);
}

/// Each gave other words of the system ("Invalid argument"), and none of what was in the way.
TEST_F(OutputLocks, SayWhatHasTheNameOfTheNewFile) {
    const std::string part = partPath(file("a"), "");
    const auto sentence = [&] { return createPart(file("a"), "a", true, systemFiles()).error().sentence(); };
    const auto expected = [&](const std::string& kind) {
        return "a: cannot be created: '" + part + "', where the new file is written first, is a " + kind +
               "; remove it, or choose another file";
    };
    ASSERT_EQ(::mkfifo(part.c_str(), 0600), 0);
    EXPECT_EQ(sentence(), expected("FIFO"));
    std::filesystem::remove(part);
    std::filesystem::create_symlink("nowhere", part);
    EXPECT_EQ(sentence(), expected("symbolic link"));
    std::filesystem::remove(part);
    std::filesystem::create_directory(part);
    EXPECT_EQ(sentence(), expected("folder"));
}

TEST_F(OutputLocks, FollowNoLinkThatSomebodyPutInThePlace) {
    put(file("precious"), "text");
    std::filesystem::create_symlink(file("precious"), partPath(file("a"), ""));
    EXPECT_FALSE(createPart(file("a"), "a", true, systemFiles()));
    removeAbandonedParts(m_folder, systemFiles());
    EXPECT_EQ(textOf(file("precious")), "text");
    EXPECT_TRUE(std::filesystem::is_symlink(partPath(file("a"), "")));
}

TEST_F(OutputLocks, RemoveWhatKilledWritersLeftAndNothingElse) {
    const std::vector<std::string> others{"a", std::string("b") + kPart, ".c.part", ".heteroscope-part.d"};
    for (const std::string& name : others)
        put(file(name), "mine");
    std::filesystem::create_directory(partPath(file("folder"), ""));
    put(partPath(file("a"), ""), "half");
    put(partPath(file("b"), "7-0"), "");
    const int writing = openLocked(partPath(file("writing"), ""), 0);
    const int creating = openLocked(partPath(file("creating"), ""), 1);
    const std::size_t before = openDescriptors();
    removeAbandonedParts(m_folder, systemFiles());
    EXPECT_EQ(openDescriptors(), before);
    EXPECT_FALSE(std::filesystem::exists(partPath(file("a"), "")));
    EXPECT_FALSE(std::filesystem::exists(partPath(file("b"), "7-0")));
    EXPECT_TRUE(std::filesystem::exists(partPath(file("writing"), "")));
    EXPECT_TRUE(std::filesystem::exists(partPath(file("creating"), "")));
    EXPECT_EQ(count(), others.size() + 3);
    ::close(writing);
    ::close(creating);
    removeAbandonedParts(m_folder, systemFiles());
    EXPECT_EQ(count(), others.size() + 1);
}

TEST_F(OutputLocks, RemoveThemFromTheFolderTheProcessIsInWhenNoneIsNamed) {
    put(partPath(file("a"), ""), "half");
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(m_folder);
    removeAbandonedParts("", systemFiles());
    std::filesystem::current_path(before);
    EXPECT_EQ(count(), 0u);
    removeAbandonedParts(file("none"), systemFiles()); // nothing happens
}

/// Opening a pipe waits for its other end, unless told not to.
TEST_F(OutputLocks, WaitForNoPipe) {
    ASSERT_EQ(::mkfifo(partPath(file("a"), "").c_str(), 0600), 0);
    EXPECT_TRUE(requireNoWriter(partPath(file("a"), ""), "a"));
    removeAbandonedParts(m_folder, systemFiles());
    EXPECT_EQ(count(), 1u);
}

/// Descriptor 0 is free in a process whose standard input was closed, and a descriptor like any other.
int useDescriptor0(const std::string& path) {
    ::close(0);
    const auto part = createPart(path, "a", true, systemFiles());
    if (!part || part->fd != 0)
        return 1;
    ::close(0);
    removeAbandonedParts(std::filesystem::path(path).parent_path().string(), systemFiles());
    if (std::filesystem::exists(part->path) || ::fcntl(0, F_GETFD) != -1)
        return 2;
    const int locked = ::fcntl(openLocked(path, 0), F_DUPFD, 10);
    ::close(0); // the duplicate holds the lock
    return !requireNoWriter(path, "a") && ::fcntl(0, F_GETFD) == -1 && locked >= 10 ? 0 : 3;
}

TEST_F(OutputLocks, UseDescriptor0LikeAnyOther) {
    EXPECT_EXIT(::_exit(useDescriptor0(file("a"))), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace heteroscope
