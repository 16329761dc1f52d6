// SPDX-License-Identifier: Apache-2.0
// Outputs of a user who may not write everywhere, as root may: what would fail after hours is refused before
// anything is computed, and what was there stays.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/process/output_files.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;
constexpr uid_t kAnother = 12345;

/// A folder with what an earlier study left.
class OrdinaryUser : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directory(m_place);
        for (const Words& one : outputs()) // also: that nothing else keeps such a user from writing
            ASSERT_EQ(run({"run", "-", one[0], one[1]}, 1).exitCode, 0);
    }
    void TearDown() override { ::chmod(m_place.c_str(), 0700); }

    std::string file(const std::string& name) const { return m_place + "/" + name; }
    std::vector<Words> outputs() const {
        return {{"--out", file("a.hscope")}, {"--json", file("a.json")}, {"--csv", file("a.csv")}};
    }
    static Finished run(const Words& words, int samples) {
        ChildProcess::Options options;
        options.ordinary = true;
        return runCli(words, poolingExperiment(64, samples).dump(), options);
    }
    /// In one process and in several, with --force and without.
    void expectRefused(const std::string& option, const std::string& path, const std::string& sentence,
                       int exitCode = 2) const {
        const Words before = namesIn(m_place);
        const std::string text = readText(path);
        for (const char* preset : {"quick", "thesis"})
            for (const bool force : {false, true}) {
                Words words{"run", "-", option, path, "--preset", preset, "--samples", "100000"};
                if (force)
                    words.emplace_back("--force");
                const Finished done = run(words, 100000);
                EXPECT_EQ(done.exitCode, exitCode) << testing::PrintToString(words) << done.err;
                EXPECT_EQ(done.out, "");
                EXPECT_THAT(done.err, AllOf(HasSubstr(path), HasSubstr(sentence)));
                EXPECT_TRUE(readText(path) == text);
                EXPECT_EQ(namesIn(m_place), before);
            }
    }

    TemporaryFolder m_folder;
    const std::string m_place = m_folder.file("place");
};

TEST_F(OrdinaryUser, keepsTheFilesOfAnotherInAStickyFolder) {
    if (::geteuid() != 0)
        SKIP_WITHOUT("root", "only root may give files away");
    ASSERT_EQ(::chmod(m_place.c_str(), 01777), 0);
    ASSERT_EQ(::chown(m_place.c_str(), kAnother, 0), 0);
    for (const Words& one : outputs()) {
        ASSERT_EQ(::chmod(one[1].c_str(), 0666), 0);
        ASSERT_EQ(::chown(one[1].c_str(), kAnother, 0), 0);
        expectRefused(
            one[0], one[1],
            ": the file is there and cannot be replaced: it belongs to another user (12345), and in "
            "the folder '" +
                m_place + "' each may only replace their own (sticky); allowed: a new name; choose");
    }
    EXPECT_EQ(run({"run", "-", "--out", file("new.hscope")}, 1).exitCode, 0) << "a file of one's own";
    expectWhole(file("new.hscope"));
    EXPECT_EQ(run({"run", "-", "--out", file("new.hscope")}, 1).exitCode, 0) << "again";
}

TEST_F(OrdinaryUser, keepsFilesThatMayOnlyBeRead) {
    for (const Words& one : outputs()) {
        ASSERT_EQ(::chmod(one[1].c_str(), 0400), 0);
        expectRefused(
            one[0], one[1],
            ": the file is there and may not be written to: Permission denied; choose another file");
    }
}

TEST_F(OrdinaryUser, keepsFoldersThatMayOnlyBeRead) {
    ASSERT_EQ(::chmod(m_place.c_str(), 0500), 0);
    const std::string sentence = ": cannot be created: Permission denied; check the folder '" + m_place + "'";
    for (const Words& one : outputs()) {
        expectRefused(one[0], one[1], sentence, 1);
        expectRefused(one[0], one[1] + ".new", sentence, 1);
    }
}

} // namespace
} // namespace heteroscope::process_test
