// SPDX-License-Identifier: Apache-2.0
// What may be written over, and where a name leads.
#include "compute/base/output_file.h"
#include "compute/base/output_place.h"
#include "tests/support/require/skip.h"
#include "tests/unit/base/output_fixture.h"

#include <gmock/gmock.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace heteroscope {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class OutputChecks : public test::OutputFolder {};

TEST_F(OutputChecks, touchNothing) {
    put(file("notes"), "my notes");
    OutputRules rules;
    rules.kind = "a run file";
    rules.isKind = [](std::string_view head) { return head.starts_with("HSCOPE"); };
    EXPECT_THAT(checkOutput(file("notes"), rules).error().sentence(), HasSubstr("--force"));
    rules.force = true;
    EXPECT_TRUE(checkOutput(file("notes"), rules));
    rules.inputs = {m_folder};
    EXPECT_THAT(checkOutput(file("notes"), rules).error().sentence(), HasSubstr("is read here"));
    EXPECT_TRUE(checkOutput(file("new"), rules)) << "a new file in a folder of inputs harms none of them";
    EXPECT_THAT(checkOutput(m_folder, {}).error().sentence(), HasSubstr("is a folder"));
    EXPECT_THAT(checkOutput(file("new/"), {}).error().sentence(), HasSubstr("is the name of a folder"));
    EXPECT_EQ(count(), 1u);
}

TEST_F(OutputChecks, sayWhyAFileIsNotWrittenOver) {
    put(file("notes"), "my notes");
    OutputRules rules;
    rules.kind = "a run file";
    rules.isKind = [](std::string_view head) { return head.starts_with("HSCOPE"); };
    const std::string notes = file("notes");
    EXPECT_EQ(checkOutput(notes, rules).error().sentence(),
              notes +
                  ": the file is there and is not a run file; allowed: a new name, or that of a run file; "
                  "choose another file, or add --force to write over it");
    rules.inputs = {notes};
    EXPECT_EQ(
        checkOutput(notes, rules).error().sentence(),
        notes + ": is read here (as " + notes +
            "): writing over it would destroy it; allowed: a file that is not read; choose another file");
    EXPECT_EQ(checkOutput(m_folder, {}).error().sentence(),
              m_folder + ": is a folder; allowed: a file; name a file in it");
    put(notes, "");
    EXPECT_TRUE(checkOutput(notes, {.kind = "a run file", .isKind = rules.isKind})) << "nothing is lost";
    put(notes, "HSCOPE...");
    EXPECT_TRUE(checkOutput(notes, {.kind = "a run file", .isKind = rules.isKind}));
    EXPECT_TRUE(checkOutput(notes, {}));
}

TEST_F(OutputChecks, showAKindTheFirst64KiB) {
    std::string head;
    OutputRules rules;
    rules.isKind = [&](std::string_view given) {
        head = given;
        return true;
    };
    const std::string text = std::string(65535, 'x') + "yz";
    for (const std::size_t size : {1, 65535, 65536, 65537}) {
        put(file("a"), text.substr(0, size));
        ASSERT_TRUE(checkOutput(file("a"), rules));
        EXPECT_TRUE(head == text.substr(0, std::min<std::size_t>(size, 65536))) << size;
    }
    const std::size_t before = test::openDescriptors();
    ASSERT_TRUE(checkOutput(file("a"), rules));
    EXPECT_EQ(test::openDescriptors(), before);
}

TEST_F(OutputChecks, findInputsUnderEveryName) {
    fs::create_directories(file("data/inner"));
    fs::create_directories(file("data2"));
    for (const char* name : {"input", "other", "data/inner/a", "data2/a"})
        put(file(name), "text");
    fs::create_symlink("input", file("link"));
    fs::create_hard_link(file("input"), file("hard"));
    fs::create_directory_symlink("data", file("folder"));
    OutputRules rules;
    rules.inputs = {file("none"), file("folder"), file("link")};
    for (const char* name : {"input", "link", "hard", "data/inner/a", "folder/inner/a"})
        EXPECT_THAT(checkOutput(file(name), rules).error().sentence(), HasSubstr("is read here")) << name;
    for (const char* name : {"other", "data2/a", "data/new"})
        EXPECT_TRUE(checkOutput(file(name), rules)) << name;
}

TEST_F(OutputChecks, knowOneFileByTwoNames) {
    put(file("a"), "text");
    put(file("b"), "text");
    fs::create_symlink("a", file("link"));
    fs::create_symlink("none", file("broken"));
    EXPECT_TRUE(isSameFile(file("a"), file("a")));
    EXPECT_TRUE(isSameFile(file("link"), file("a")));
    EXPECT_FALSE(isSameFile(file("a"), file("b")));
    EXPECT_FALSE(isSameFile(file("a"), file("none")));
    EXPECT_FALSE(isSameFile(file("none"), file("a")));
    EXPECT_FALSE(isSameFile(file("none"), file("none")));
    EXPECT_FALSE(isSameFile(file("broken"), file("broken")));
}

TEST_F(OutputChecks, findInputsBehindPathsOfProc) {
    put(file("input"), "text");
    const int fd = ::open(file("input").c_str(), O_RDWR | O_CLOEXEC);
    OutputRules rules;
    rules.inputs = {file("input")};
    const std::string number = std::to_string(fd), process = "/proc/" + std::to_string(::getpid());
    for (const std::string& name :
         {"/proc/self/root" + file("input"), "/proc/thread-self/root" + file("input"), "/dev/fd/" + number,
          "/proc/self/fd/" + number, process + "/fd/" + number}) {
        EXPECT_THAT(checkOutput(name, rules).error().sentence(), HasSubstr("is read here")) << name;
        EXPECT_TRUE(checkOutput(name, {})) << name;
    }
    EXPECT_FALSE(outputPlace("/proc/self/root" + file("input")).direct) << "it is replaced in one step";
    EXPECT_TRUE(outputPlace("/dev/fd/" + number).direct);
    ::close(fd);
}

/// The rights to every file, which root has, are given up first. 0: the sentence is this one; empty: it is
/// taken.
int checkWithoutPrivileges(const std::string& path, const OutputRules& rules, const std::string& sentence) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2]{};
    if (::syscall(SYS_capset, &header, none) != 0)
        return 1;
    const Status status = checkOutput(path, rules);
    if (status)
        return sentence.empty() ? 0 : 3;
    return status.error().sentence() == path + sentence ? 0 : 2;
}

TEST_F(OutputChecks, askForTheRightToWrite) {
    put(file("a"), "text");
    ASSERT_EQ(::chmod(file("a").c_str(), 0400), 0);
    EXPECT_EXIT(::_exit(checkWithoutPrivileges(file("a"), {},
                                               ": the file is there and may not be written to: Permission "
                                               "denied; choose another file")),
                ::testing::ExitedWithCode(0), "");
}

OutputRules runFiles() { ///< where no beginning is a beginning of one, as of a file that is being written
    OutputRules rules;
    rules.kind = "a run file";
    rules.isKind = [](std::string_view head) { return std::string_view("HSCOPE").starts_with(head); };
    return rules;
}

TEST_F(OutputChecks, takeNoFileThatCannotBeReadForOneOfTheKind) {
    put(file("a"), "my notes");
    ASSERT_EQ(::chmod(file("a").c_str(), 0200), 0);
    EXPECT_EXIT(::_exit(checkWithoutPrivileges(
                    file("a"), runFiles(),
                    ": the file is there and cannot be read to see whether it is a run file: Permission "
                    "denied; choose another file, or see to it that this one can be read")),
                ::testing::ExitedWithCode(0), "");
    OutputRules rules = runFiles();
    rules.force = true;
    EXPECT_TRUE(checkOutput(file("a"), rules));
}

int checkWithoutDescriptors(const std::string& path) {
    const rlimit none{0, 0};
    if (::setrlimit(RLIMIT_NOFILE, &none) != 0)
        return 1;
    const Status status = checkOutput(path, runFiles());
    return !status && status.error().sentence().find("is a run file: Too many open files; choose another "
                                                     "file, or see") != std::string::npos
               ? 0
               : 2;
}

/// A file of the kind was called one of another kind, and --force was advised.
TEST_F(OutputChecks, sayWhyAFileOfTheKindCannotBeRead) {
    put(file("a"), "HSCOPE");
    EXPECT_EXIT(::_exit(checkWithoutDescriptors(file("a"))), ::testing::ExitedWithCode(0), "");
}

TEST_F(OutputChecks, knowWhatStickyFoldersKeep) {
    if (::geteuid() != 0)
        SKIP_WITHOUT("root", "only root may give files away");
    put(file("a"), "text");
    fs::create_symlink("none", file("link"));
    ASSERT_EQ(::chmod(m_folder.c_str(), 01777), 0);
    ASSERT_EQ(::chmod(file("a").c_str(), 0666), 0);
    // Given away, and not looked at as another user: the temporary folder above may be root's alone.
    for (const std::string& path : {m_folder, file("a")})
        ASSERT_EQ(::chown(path.c_str(), 12345, 0), 0);
    EXPECT_EXIT(::_exit(checkWithoutPrivileges(
                    file("a"), {},
                    ": the file is there and cannot be replaced: it belongs to another user (12345), "
                    "and in the folder '" +
                        m_folder +
                        "' each may only replace their own (sticky); allowed: a new name; choose "
                        "another file, or another folder")),
                ::testing::ExitedWithCode(0), "");
    EXPECT_TRUE(checkOutput(file("a"), {})) << "who has the right over every file's owner";
    ASSERT_EQ(::chown(file("a").c_str(), 0, 0), 0);
    EXPECT_EXIT(::_exit(checkWithoutPrivileges(file("a"), {}, "")), ::testing::ExitedWithCode(0), "")
        << "their own";
}

/// Sets attributes as chattr does; false where the file system knows none.
bool setAttributes(const std::string& path, int attributes) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const bool set = ::ioctl(fd, FS_IOC_SETFLAGS, &attributes) == 0;
    ::close(fd);
    return set;
}

TEST_F(OutputChecks, knowWhatAttributesKeep) {
    put(file("a"), "text");
    if (!setAttributes(file("a"), FS_APPEND_FL))
        SKIP_WITHOUT("file-attributes", std::strerror(errno));
    EXPECT_EQ(checkOutput(file("a"), {}).error().sentence(),
              file("a") + ": the file is there and cannot be replaced: it may only be appended to (chattr "
                          "+a); allowed: a new name; choose another file, or take the attribute away "
                          "(chattr -a)");
    ASSERT_TRUE(setAttributes(file("a"), FS_IMMUTABLE_FL));
    EXPECT_FALSE(checkOutput(file("a"), {}));
    ASSERT_TRUE(setAttributes(file("a"), 0));
    EXPECT_TRUE(checkOutput(file("a"), {}));
    ASSERT_TRUE(setAttributes(m_folder, FS_APPEND_FL));
    for (const char* name : {"a", "new"})
        EXPECT_THAT(checkOutput(file(name), {}).error().sentence(),
                    HasSubstr("which may only be appended to (chattr +a)"))
            << name;
    ASSERT_TRUE(setAttributes(m_folder, 0));
}

TEST_F(OutputChecks, knowFilesThatAreMounted) {
    put(file("a"), "text");
    put(file("b"), "text");
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount(file("b").c_str(), file("a").c_str(), nullptr, MS_BIND, nullptr) != 0)
        SKIP_WITHOUT("mounts", std::string("nothing can be mounted here: ") + std::strerror(errno));
    EXPECT_EQ(checkOutput(file("a"), {}).error().sentence(),
              file("a") + ": the file is there and cannot be replaced: it is mounted as a file of its own; "
                          "allowed: a new name; mount the folder that it lies in instead, or choose another "
                          "file");
    EXPECT_TRUE(checkOutput(file("b"), {}));
    ASSERT_EQ(::umount(file("a").c_str()), 0);
    EXPECT_TRUE(checkOutput(file("a"), {}));
}

TEST_F(OutputChecks, followLinksToWhereTheyLead) {
    fs::create_directory(file("inner"));
    put(file("inner/a"), "text");
    ASSERT_EQ(::chmod(file("inner/a").c_str(), 0604), 0);
    fs::create_symlink("inner/b", file("first"));
    fs::create_symlink("a", file("inner/b"));
    const OutputPlace place = outputPlace(file("first"), true);
    EXPECT_TRUE(isSameFile(place.path, file("inner/a")));
    EXPECT_FALSE(fs::is_symlink(place.path));
    EXPECT_TRUE(place.exists);
    EXPECT_FALSE(place.folder);
    EXPECT_FALSE(place.direct);
    EXPECT_EQ(place.mode, 0604u);
    EXPECT_EQ(place.bytes, 4);
    const OutputPlace link = outputPlace(file("first"), false);
    EXPECT_EQ(link.path, file("first"));
    EXPECT_FALSE(link.exists) << "it is replaced as if there were nothing";
    ASSERT_TRUE(writeOutput(file("first"), "new"));
    EXPECT_EQ(textOf(file("inner/a")), "new");
    EXPECT_TRUE(fs::is_symlink(file("first")));
    ASSERT_TRUE(writeOutput(file("first"), "newer", {.followLinks = false}));
    EXPECT_FALSE(fs::is_symlink(file("first")));
    EXPECT_EQ(textOf(file("inner/a")), "new");
}

TEST_F(OutputChecks, tellFoldersDevicesAndWhatIsNotThere) {
    EXPECT_FALSE(outputPlace(file("none"), true).exists);
    EXPECT_FALSE(outputPlace(file("none"), true).direct);
    const OutputPlace folder = outputPlace(m_folder, true);
    EXPECT_TRUE(folder.exists && folder.folder && !folder.direct);
    EXPECT_TRUE(outputPlace("/dev/null", true).direct);
    EXPECT_TRUE(outputPlace("/dev/null", false).direct) << "no regular file";
    EXPECT_TRUE(outputPlace("/proc/self/fd/1", true).direct);
    EXPECT_FALSE(outputPlace("/dev/shm/a", true).direct) << "files in memory are files";
    EXPECT_FALSE(outputPlace("/device/a", true).direct);
    fs::create_symlink("/dev/null", file("null"));
    EXPECT_TRUE(outputPlace(file("null"), true).direct);
    ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
    EXPECT_TRUE(outputPlace(file("pipe"), false).direct);
}

TEST_F(OutputChecks, endAtLinksInACircle) {
    fs::create_symlink("b", file("a"));
    fs::create_symlink("a", file("b"));
    EXPECT_FALSE(outputPlace(file("a"), true).exists);
    EXPECT_EQ(checkOutput(file("a"), {}).error().sentence(),
              file("a") +
                  ": its links lead nowhere: Too many levels of symbolic links; allowed: a file, or a "
                  "link that leads to one; choose another file, or mend the links");
    EXPECT_FALSE(writeOutput(file("a"), "text"));
    EXPECT_TRUE(fs::is_symlink(file("a")) && fs::is_symlink(file("b")));
    EXPECT_TRUE(checkOutput(file("a"), {.followLinks = false})) << "the link itself is replaced";
    fs::remove(file("b"));
    std::string before = "target"; // 40 links, the most that the system follows
    put(file("target"), "text");
    for (int i = 0; i < 40; ++i) {
        const std::string name = "link" + std::to_string(i);
        fs::create_symlink(before, file(name));
        before = name;
    }
    EXPECT_EQ(outputPlace(file(before), true).path, file("target"));
}

} // namespace
} // namespace heteroscope
