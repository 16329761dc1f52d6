// SPDX-License-Identifier: Apache-2.0
// Who may write a run file, and when what was written to it is told as lost.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/process/output_files.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <functional>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(OneRunFile, ofTwoRunsAtOnceIsNeverDamaged) {
    constexpr int kPairs = repetitions(20, 6);
    int refused = 0;
    for (int pair = 0; pair < kPairs; ++pair) {
        SCOPED_TRACE("pair " + std::to_string(pair));
        const TemporaryFolder folder;
        const std::string path = folder.file("one.hscope");
        if (pair % 2 == 1) { // over an earlier run as well as where nothing is
            ASSERT_EQ(runCli({"run", "-", "--out", path}, poolingExperiment(16, 1).dump()).exitCode, 0);
        }
        ChildProcess first({"run", "-", "--out", path}), second({"run", "-", "--out", path});
        for (ChildProcess* child : {&first, &second}) {
            child->write(poolingExperiment(64, 20).dump() + "\n");
            child->closeStdin();
        }
        const Finished done[] = {first.finish(), second.finish()};
        for (const Finished& one : done) {
            EXPECT_TRUE(one.exitCode == 0 || one.exitCode == 2) << one.exitCode << ": " << one.err;
            if (one.exitCode == 0)
                continue;
            ++refused;
            EXPECT_EQ(one.out, "");
            EXPECT_THAT(one.err, AllOf(HasSubstr(path), HasSubstr("another run is writing it"),
                                       HasSubstr("choose another file")));
        }
        EXPECT_TRUE(done[0].exitCode == 0 || done[1].exitCode == 0);
        expectWhole(path);
        EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"one.hscope"});
    }
    std::printf("%d of %d runs were refused, the others came one after the other\n", refused, 2 * kPairs);
}

TEST(OneRunFile, thatIsBeingWrittenIsRefusedToOthersAndOpenToReaders) {
    const TemporaryFolder folder;
    const std::string path = folder.file("one.hscope");
    ChildProcess running({"run", "-", "--stream", "--out", path});
    running.write(poolingExperiment(64, 100000).dump() + "\n");
    ASSERT_NO_FATAL_FAILURE(waitForSample(running));
    writeText(folder.file("e.json"), poolingExperiment(16, 1).dump());
    writeText(folder.file("t.json"), R"({"traceEvents": []})");
    const std::string held = "process " + std::to_string(running.pid()) + " (heteroscope-cli)";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", folder.file("e.json"), "--out", path},
          {"run", folder.file("e.json"), "--force", "--json", path},
          {"trace", "import", folder.file("t.json"), path}}) {
        const Finished refused = runCli(words);
        EXPECT_EQ(refused.exitCode, 2) << refused.err;
        EXPECT_EQ(refused.out, "");
        EXPECT_THAT(refused.err, AllOf(HasSubstr(path), HasSubstr(held))) << testing::PrintToString(words);
    }
    const Finished info = runCli({"trace", "info", path});
    EXPECT_EQ(info.exitCode, 0) << info.err;
    EXPECT_THAT(info.out, HasSubstr("being written"));
    running.signal(SIGTERM);
    EXPECT_EQ(running.finish().exitCode, 4);
    const auto file = profiling::readRunFile(path);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->study.endStatus, "cancelled");
    EXPECT_EQ(runCli({"run", folder.file("e.json"), "--out", path}).exitCode, 0) << "free again";
    expectWhole(path);
}

TEST(OneRunFile, isFreeAgainAfterItsWriterWasKilled) {
    const TemporaryFolder folder;
    const std::string path = folder.file("one.hscope");
    ChildProcess running({"run", "-", "--stream", "--out", path});
    running.write(poolingExperiment(64, 100000).dump() + "\n");
    ASSERT_NO_FATAL_FAILURE(waitForSample(running));
    running.signal(SIGKILL);
    running.finish();
    EXPECT_EQ(runCli({"run", "-", "--out", path}, poolingExperiment(16, 1).dump()).exitCode, 0);
    expectWhole(path);
}

TEST(OneRunFile, thatIsLostWhileItIsWrittenIsNoSuccess) {
    const std::vector<std::pair<const char*, std::function<void(const std::string&)>>> disturbances{
        {"removed", [](const std::string& path) { std::filesystem::remove(path); }},
        {"cut", [](const std::string& path) { std::filesystem::resize_file(path, 0); }},
        {"replaced", [](const std::string& path) {
             std::filesystem::rename(path, path + ".moved");
             writeText(path, "other");
         }}};
    for (const auto& [what, disturb] : disturbances) {
        const TemporaryFolder folder;
        const std::string path = folder.file("one.hscope");
        ChildProcess running({"run", "-", "--stream", "--out", path});
        running.write(poolingExperiment(64, 60).dump() + "\n");
        ASSERT_NO_FATAL_FAILURE(waitForSample(running));
        disturb(path);
        const Finished done = running.finish();
        EXPECT_EQ(done.exitCode, 1) << what;
        EXPECT_THAT(done.err, AllOf(HasSubstr(path), HasSubstr("while it was being written"))) << what;
    }
}

TEST(OneRunFile, thatReachesTheLimitOfFileSizesEndsWithASentence) {
    const TemporaryFolder folder;
    ChildProcess::Options options;
    options.fileSizeLimit = 2000;
    const std::string path = folder.file("one.hscope");
    ChildProcess running({"run", "-", "--out", path}, options);
    running.write(poolingExperiment(64, 20).dump() + "\n");
    running.closeStdin();
    const Finished done = running.finish();
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.err, AllOf(HasSubstr(path), HasSubstr("File too large")));
}

/// Without them, the run file would get the number of one of them and take in what is written there.
TEST(ClosedDescriptors, neverBecomeTheRunFile) {
    for (int closed = 0; closed < 8; ++closed) {
        const TemporaryFolder folder;
        writeText(folder.file("e.json"), poolingExperiment(16, 2).dump());
        ChildProcess::Options options;
        for (int fd = 0; fd < 3; ++fd)
            if ((closed >> fd & 1) != 0)
                options.closed.push_back(fd);
        const std::string what = "closed: " + testing::PrintToString(options.closed);
        const std::string out = folder.file("r.hscope");
        const Finished done = runCli(
            {"run", folder.file("e.json"), "--out", out, "--json", folder.file("r.json")}, {}, options);
        const bool tableHasNoPlace = (closed & 2) != 0; // "something could not be written"
        EXPECT_EQ(done.exitCode, tableHasNoPlace ? 1 : 0) << what << done.err;
        expectWhole(out);
        EXPECT_THAT(readText(out), Not(HasSubstr("heteroscope-cli: "))) << what;
        EXPECT_TRUE(Json::accept(readText(folder.file("r.json")))) << what;
        if ((closed & 6) == 2) {
            EXPECT_THAT(done.err, HasSubstr("standard output: cannot write: Bad file descriptor")) << what;
        }
    }
}

TEST(ClosedDescriptors, ofAnExperimentOnStandardInputAreAnEmptyInput) {
    ChildProcess::Options options;
    options.closed = {0};
    const Finished done = runCli({"run", "-"}, {}, options);
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr("standard input"));
}

} // namespace
} // namespace heteroscope::process_test
