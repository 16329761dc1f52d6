// SPDX-License-Identifier: Apache-2.0
#include "compute/base/error.h"
#include "compute/base/exit_code.h"
#include "compute/base/printable.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <sys/resource.h>

namespace heteroscope {

TEST(Error, SentenceNamesPlaceFindingAndCure) {
    const Error error = badInput("/pooling/kernel", "found -1", "whole numbers from 1", "set it to 2");
    EXPECT_EQ(error.sentence(), "/pooling/kernel: found -1; allowed: whole numbers from 1; set it to 2");
}

TEST(Error, SentenceLeavesOutWhatIsEmpty) {
    EXPECT_EQ((Error{ErrorCode::Io, "disk full", {}, {}, {}}).sentence(), "disk full");
}

/// Wherever it is met, it has one cause and one remedy, in whatever language the system speaks.
TEST(Error, SentenceSaysWhichLimitKeepsFilesFromBeingOpened) {
    rlimit limits{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limits), 0);
    const std::string remedy = "this process may have " + std::to_string(limits.rlim_cur) +
                               " files open at a time: raise that limit (ulimit -n)";
    const Error error =
        systemRefusal(ErrorCode::Io, "a", "cannot be read", EMFILE, "a file", "choose another file");
    EXPECT_EQ(error.code, ErrorCode::Io);
    EXPECT_EQ(error.systemError, EMFILE);
    EXPECT_EQ(error.sentence(), "a: cannot be read: " + std::string(std::strerror(EMFILE)) +
                                    "; allowed: a file; choose another file; " + remedy);
    EXPECT_EQ(error.wholeAdvice(), "choose another file; " + remedy);
    EXPECT_EQ((Error{ErrorCode::Io, "los ficheros no se abren", {}, {}, {}, EMFILE}).sentence(),
              "los ficheros no se abren; " + remedy);
    EXPECT_EQ(badInput({}, error.sentence(), {}, "again").sentence(), error.sentence() + "; again") << "once";
    EXPECT_EQ(systemRefusal(ErrorCode::Io, {}, "fork", ENFILE).wholeAdvice(),
              "close other programs, or raise the system's limit (sysctl fs.file-max)");
}

TEST(Error, SentenceSaysWhichLimitKeepsFilesFromGrowing) {
    const Error error = systemRefusal(ErrorCode::Io, "a", "cannot be written", EFBIG);
    rlimit old{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
    ASSERT_EQ(old.rlim_cur, RLIM_INFINITY);
    EXPECT_EQ(error.wholeAdvice(), "choose a place whose file system takes larger files");
    const rlimit limited{1 << 30, old.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limited), 0);
    EXPECT_EQ(error.wholeAdvice(),
              "this process may write files of 1073741824 bytes at most: raise that limit (ulimit -f)");
    ::setrlimit(RLIMIT_FSIZE, &old);
}

/// A file or a layer may be called like that.
TEST(Error, SentenceTakesNoTextForTheSystems) {
    const Error error = badInput("Too many open files.json", "found -1", "1", "set it to 2");
    EXPECT_EQ(error.sentence(), "Too many open files.json: found -1; allowed: 1; set it to 2");
    EXPECT_EQ(systemRefusal(ErrorCode::Io, "Too many open files", "cannot be read", EACCES).wholeAdvice(),
              "");
}

TEST(Error, SentenceQuotesFilesWithoutActingOnTheTerminal) {
    const Error error =
        badInput("a\nb", "found \x1b[2J\x07", "\xe2\x80\xaexyz", "\xc2\x9b, \xc3\xa9 and \x7f");
    EXPECT_EQ(error.sentence(),
              "a\\u000ab: found \\u001b[2J\\u0007; allowed: \\u202exyz; \\u009b, \xc3\xa9 and \\u007f");
}

TEST(Error, SentenceRepeatsNoWholeFile) {
    const std::string sentence = badInput({}, std::string(10'000'000, '9')).sentence();
    EXPECT_LT(sentence.size(), 5000u);
    EXPECT_TRUE(sentence.ends_with("9... (9995904 bytes more)")) << sentence.substr(sentence.size() - 40);
}

TEST(Printable, KeepsWhatIsNamedAndEveryOtherCharacter) {
    EXPECT_EQ(printable("a\n\tb\r", "\n\t"), "a\n\tb\\u000d");
    EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\u0000x");
    EXPECT_EQ(printable("\xe2\x81\xa6\xe2\x81\xa9\xe2\x80\xaf\xc2\xa0"),
              "\\u2066\\u2069\xe2\x80\xaf\xc2\xa0");
    EXPECT_EQ(withoutControls("\xe2\x80\xae\x1b"), "\xe2\x80\xae\\u001b");
    EXPECT_EQ(printable("\xc2"), "\xc2"); // a character that is cut
}

TEST(Printable, IsShortenedAtWholeCharacters) {
    EXPECT_EQ(shortened("four", 4), "four");
    EXPECT_EQ(shortened("a\xc3\xa9z", 2), "a... (3 bytes more)");
}

TEST(ExitCode, FollowsTheContract) {
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::BadInput)), 2);
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::TargetUnavailable)), 3);
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::Cancelled)), 4);
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::Usage)), 64);
    EXPECT_EQ(static_cast<int>(exitCodeOf(ErrorCode::OutOfMemory)), 1);
}

} // namespace heteroscope
