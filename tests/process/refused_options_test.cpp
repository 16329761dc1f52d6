// SPDX-License-Identifier: Apache-2.0
// Options whose values make no sense are refused before anything runs.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

TEST(RefusedOptions, MemoryLimitsBelowOneByte) {
    for (const char* verb : {"run", "check"})
        for (const char* limit : {"-1", "-5MiB", "0", "lots", "99999999999999999999", "9EiB"}) {
            const Finished done =
                runCli({verb, "-", std::string("--memory-limit=") + limit}, poolingExperiment(16, 1).dump());
            EXPECT_EQ(done.exitCode, 64) << verb << " " << limit << ": " << done.err;
            EXPECT_THAT(done.err, HasSubstr("--memory-limit")) << done.err;
        }
    const Finished done = runCli({"run", "-", "--memory-limit", "64MiB"}, poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 0) << done.err;
}

TEST(RefusedOptions, CheckpointsOfWhatIsNoTraining) {
    const TemporaryFolder folder;
    const Finished done =
        runCli({"run", "-", "--checkpoints", folder.file("states")}, poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr("trains no network"));
    EXPECT_FALSE(std::filesystem::exists(folder.file("states")));
}

/// An experiment that names no files ran as if the folder were there.
TEST(RefusedOptions, FoldersThatAreNotThere) {
    const TemporaryFolder folder;
    writeText(folder.file("file"), "text");
    for (const char* option : {"--directory", "--confine"})
        for (const auto& [given, why] :
             {std::pair(folder.file("none"), ": No such file or directory"),
              std::pair(folder.file("file"), ""), std::pair(folder.file("file/in"), ": Not a directory")})
            for (const Words& verb : {Words{"check", "-"}, Words{"run", "-"},
                                      Words{"export", "-", "--experiment", folder.file("o")}}) {
                Words words = verb;
                words.insert(words.end(), {option, given});
                const Finished done = runCli(words, poolingExperiment(16, 1).dump());
                EXPECT_EQ(done.exitCode, 2) << testing::PrintToString(words);
                EXPECT_EQ(done.out, "");
                EXPECT_THAT(done.err, HasSubstr(std::string(option) + ": '" + given + "' is no folder" + why +
                                                "; allowed: a folder that is there; "));
            }
    ChildProcess ofTheWindow(
        {"run", "-", "--stream", "--preset", "thesis", "--samples", "1", "--directory", folder.file("none")});
    ofTheWindow.write(poolingExperiment(16, 1).dump() + "\n");
    EXPECT_EQ(ofTheWindow.finish().exitCode, 0) << "it may have gone since the experiment was opened";
    EXPECT_EQ(runCli({"check", "-", "--directory", folder.path()}, poolingExperiment(16, 1).dump()).exitCode,
              0);
}

TEST(RefusedOptions, EmptyValues) {
    for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "-", "--confine", ""},
                                                  {"run", "-", "--out="},
                                                  {"run", "-", "--csv", ""},
                                                  {"check", ""},
                                                  {"trace", "info", ""}}) {
        const Finished done = runCli(words, poolingExperiment(16, 1).dump());
        EXPECT_EQ(done.exitCode, 64) << testing::PrintToString(words) << done.err;
        EXPECT_EQ(done.out, "");
    }
}

/// A sentence repeats of an argument what tells which one it is.
TEST(RefusedOptions, OfAnyLengthAreToldInOneShortSentence) {
    std::string deep;
    for (int i = 0; i < 50000; ++i)
        deep += "/a";
    for (const std::string& given : {deep + "=1", "/pooling/kernel=" + std::string(100000, '['),
                                     std::string(100000, 'a'), "/" + std::string(100000, 'a') + "=1"}) {
        const Finished done = runCli({"check", "-", "--set", given}, poolingExperiment(16, 1).dump());
        EXPECT_THAT(done.exitCode, testing::AnyOf(2, 64)) << done.err;
        EXPECT_LT(done.err.size(), 1000u) << done.err;
        EXPECT_THAT(done.err, HasSubstr(given.substr(0, 15)));
        EXPECT_THAT(done.err, HasSubstr(" bytes more)"));
    }
}

TEST(RefusedOptions, ReferencesThatAreNoTargetOfTheStudy) {
    for (const char* reference : {"nope", "cpu/onednn", "cpu/openmp?threads=3", "cpu/sequential/x"}) {
        const Finished done = runCli({"run", "-", "--reference", reference}, poolingExperiment(16, 1).dump());
        EXPECT_EQ(done.exitCode, 2) << reference << ": " << done.err;
        EXPECT_THAT(done.err, HasSubstr("--reference"));
        EXPECT_THAT(done.err, HasSubstr("cpu/sequential, cpu/openmp"));
        EXPECT_EQ(done.out, "");
    }
    const Finished done = runCli({"run", "-", "--reference", "cpu/openmp"}, poolingExperiment(16, 5).dump());
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("speedup against cpu/openmp"));
}

} // namespace
} // namespace heteroscope::process_test
