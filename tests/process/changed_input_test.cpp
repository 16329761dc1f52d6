// SPDX-License-Identifier: Apache-2.0
// A file that is replaced while the processes of one study read it: samples of two inputs are never joined.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A square of zeros as NumPy writes it.
std::string npy(int size) {
    std::string text("\x93NUMPY\x01\x00", 8);
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(size) + ", " +
                         std::to_string(size) + "), }";
    header.resize(117, ' ');
    header += '\n';
    text += static_cast<char>(header.size());
    text += '\0';
    return text + header +
           std::string(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4, '\0');
}

class ChangedInput : public testing::Test {
  protected:
    void SetUp() override {
        writeText(m_folder.file("input.npy"), npy(256));
        Json experiment = poolingExperiment(256, 60);
        experiment["pooling"]["input"] = {{"source", "npy"}, {"path", "input.npy"}};
        experiment["sampling"] = {{"preset", "thesis"}, {"samples", 60}};
        writeText(m_folder.file("e.json"), experiment.dump());
    }
    /// Changes the file when the first sample has come.
    template <class Change>
    Finished runAnd(Change change) {
        ChildProcess child({"run", m_folder.file("e.json"), "--stream", "--out", m_folder.file("o.hscope")});
        while (sampleKeys(studyFromBytes(child.out())).empty())
            if (!child.pump(Milliseconds(30000 * kTimeFactor)))
                break;
        change();
        return child.finish();
    }

    TemporaryFolder m_folder;
};

TEST_F(ChangedInput, ReplacedBetweenProcessesEndsTheStudyAsFailed) {
    writeText(m_folder.file("small.npy"), npy(64));
    const Finished done =
        runAnd([&] { std::filesystem::rename(m_folder.file("small.npy"), m_folder.file("input.npy")); });
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(done.err,
                AllOf(HasSubstr("/pooling/input/path"), HasSubstr("was replaced while the study ran"),
                      HasSubstr("262272 bytes, now 16512")));
    const auto file = profiling::readRunFile(m_folder.file("o.hscope"));
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->study.endStatus, "failed");
    EXPECT_THAT(file->study.endReason, HasSubstr("was replaced"));
    for (const auto& run : file->study.runs) {
        EXPECT_EQ(run.status, profiling::StudyRunStatus::Failed);
        EXPECT_THAT(run.reason, HasSubstr("was replaced"));
        for (const auto& sample : run.samples)
            EXPECT_EQ(sample.process, 0) << "no process began with the other input";
    }
}

TEST_F(ChangedInput, WrittenInPlaceOrRemovedIsToldAsSuch) {
    const Finished written = runAnd([&] { writeText(m_folder.file("input.npy"), npy(256)); });
    EXPECT_EQ(written.exitCode, 1);
    EXPECT_THAT(written.err, testing::ContainsRegex(
                                 "was written while the study ran: it has 262272 bytes as before, but was "
                                 "changed at 20[-0-9]+T[0-9:]+\\.[0-9]{9}Z, before at 20[-0-9]+T"));
    const Finished removed = runAnd([&] { std::filesystem::remove(m_folder.file("input.npy")); });
    EXPECT_EQ(removed.exitCode, 1);
    EXPECT_THAT(removed.err, HasSubstr("was removed while the study ran"));
}

/// A copy that keeps size and time of change.
TEST_F(ChangedInput, ReplacedByAFileThatLooksTheSameIsToldAsAnother) {
    const std::filesystem::path input = m_folder.file("input.npy"), twin = m_folder.file("twin.npy");
    writeText(twin, npy(256));
    std::filesystem::last_write_time(twin, std::filesystem::last_write_time(input));
    const Finished done = runAnd([&] { std::filesystem::rename(twin, input); });
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.err,
                HasSubstr("was replaced while the study ran: it has 262272 bytes as before, and the "
                          "same time of change, but is another file (inode "));
}

/// As rsync and archivers leave it: what was written has the time of what was there.
TEST_F(ChangedInput, WrittenInPlaceWithItsTimeSetBackIsNoticed) {
    const std::filesystem::path input = m_folder.file("input.npy");
    const auto time = std::filesystem::last_write_time(input);
    const Finished done = runAnd([&] {
        std::string other = npy(256);
        other.back() = 1;
        writeText(input, other);
        std::filesystem::last_write_time(input, time);
    });
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(
        done.err,
        AllOf(HasSubstr("/pooling/input/path"),
              HasSubstr("may have been written while the study ran: it has 262272 bytes as before, and "
                        "the same time of change, but that time was set back, or its rights or names were "
                        "changed, at 20")));
}

/// One process opens the file anew at each point.
TEST_F(ChangedInput, ReplacedBetweenPointsOfOneProcessFailsThePointsAfterIt) {
    writeText(m_folder.file("small.npy"), npy(64));
    Json experiment = Json::parse(readText(m_folder.file("e.json")));
    experiment["axes"] = {{"/pooling/kernel", {2, 3, 4, 5, 6, 7, 8, 9}}};
    experiment["sampling"] = {{"preset", "quick"}, {"samples", 60}};
    writeText(m_folder.file("e.json"), experiment.dump());
    const Finished done =
        runAnd([&] { std::filesystem::rename(m_folder.file("small.npy"), m_folder.file("input.npy")); });
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(done.err, AllOf(HasSubstr("was replaced while the study ran"), HasSubstr("now 16512")));
    const auto file = profiling::readRunFile(m_folder.file("o.hscope"));
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->study.endStatus, "failed");
    EXPECT_EQ(file->study.runs.front().status, profiling::StudyRunStatus::Ok);
    const auto& last = file->study.runs.back();
    EXPECT_EQ(last.status, profiling::StudyRunStatus::Failed);
    EXPECT_THAT(last.reason, HasSubstr("was replaced"));
    EXPECT_TRUE(last.samples.empty()) << "nothing was measured with the other input";
}

TEST_F(ChangedInput, LeftAloneIsJoined) {
    const Finished done = runAnd([] {});
    EXPECT_EQ(done.exitCode, 0) << done.err;
}

} // namespace
} // namespace heteroscope::process_test
