// SPDX-License-Identifier: Apache-2.0
// What is left when the program is killed or the disk is full.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sched.h>
#include <set>
#include <sys/mount.h>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Clock = std::chrono::steady_clock;

unsigned seedOfThisRun() {
    const char* given = std::getenv("HETEROSCOPE_TEST_SEED");
    return given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
}

void readFor(ChildProcess& child, Milliseconds time) {
    const auto deadline = Clock::now() + time;
    while (Clock::now() < deadline)
        child.pump(std::chrono::duration_cast<Milliseconds>(deadline - Clock::now()) + Milliseconds(1));
}

/// One run killed after `delay`; the number of samples that had been reported.
std::size_t killAfter(Milliseconds delay) {
    const TemporaryFolder folder;
    ChildProcess child({"run", "-", "--stream", "--out", folder.file("k.hscope")});
    child.write(poolingExperiment(64, 100000).dump() + "\n");
    EXPECT_TRUE(child.waitForOutput(1, Milliseconds(20000 * kTimeFactor)));
    readFor(child, delay);
    child.signal(SIGKILL);
    const Finished done = child.finish();
    EXPECT_EQ(done.signal, SIGKILL);
    EXPECT_EQ(readText(folder.file("k.hscope")).substr(0, done.out.size()), done.out);
    const auto file = profiling::readRunFile(folder.file("k.hscope"));
    if (!file.ok()) {
        ADD_FAILURE() << file.error().sentence();
        return 0;
    }
    EXPECT_FALSE(file->study.ended);
    const auto reported = sampleKeys(studyFromBytes(done.out));
    const auto kept = sampleKeys(file->study);
    const std::set<SampleKey> onDisk(kept.begin(), kept.end());
    for (const SampleKey& key : reported)
        EXPECT_TRUE(onDisk.contains(key)) << "run " << std::get<0>(key) << " sample " << std::get<2>(key);
    return reported.size();
}

TEST(Killed, atFiftyRandomMomentsLosesNoReportedSample) {
    const unsigned seed = seedOfThisRun();
    std::printf("seed %u (set HETEROSCOPE_TEST_SEED to repeat)\n", seed);
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> delayMs(0, 400);
    std::size_t samples = 0;
    for (int i = 0; i < 50; ++i) {
        SCOPED_TRACE("kill " + std::to_string(i) + ", seed " + std::to_string(seed));
        samples += killAfter(Milliseconds(delayMs(random)));
    }
    std::printf("%zu samples had been reported before the kills\n", samples);
    EXPECT_GT(samples, 50u);
}

TEST(FullDisk, isReportedOnceAndTheStreamGoesOn) {
    const Finished done = [] {
        ChildProcess child({"run", "-", "--stream", "--out", "/dev/full"});
        child.write(poolingExperiment(64, 5).dump() + "\n");
        return child.finish();
    }();
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.err, HasSubstr("/dev/full"));
    EXPECT_EQ(done.err.find("No space left"), done.err.rfind("No space left")) << done.err;
    const profiling::Study study = studyFromBytes(done.out);
    EXPECT_TRUE(study.ended);
    for (const auto& run : study.runs)
        EXPECT_EQ(run.timesMs().size(), 5u);
}

TEST(FullDisk, ofTheThesisPresetIsReportedOnceAndTheStreamGoesOn) {
    const TemporaryFolder folder;
    writeText(folder.file("e.json"), poolingExperiment(64, 1).dump());
    const Finished done = runCli({"run", folder.file("e.json"), "--stream", "--preset", "thesis", "--samples",
                                  "30", "--out", "/dev/full"});
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_EQ(done.err.find("No space left"), done.err.rfind("No space left")) << done.err;
    const profiling::Study study = studyFromBytes(done.out);
    EXPECT_EQ(study.endStatus, "done");
    for (const auto& run : study.runs)
        EXPECT_EQ(run.timesMs().size(), 30u);
}

TEST(FullDisk, ofAFileBesideTheRunFileEndsWithItsSentence) {
    const TemporaryFolder folder;
    writeText(folder.file("e.json"), poolingExperiment(64, 1).dump());
    for (const char* preset : {"quick", "thesis"})
        for (const char* option : {"--save-output", "--json", "--csv"}) {
            SCOPED_TRACE(std::string(preset) + " " + option);
            const Finished done = runCli({"run", folder.file("e.json"), "--preset", preset, "--samples", "30",
                                          option, "/dev/full", "--out", folder.file("f.hscope")});
            EXPECT_EQ(done.exitCode, 1);
            EXPECT_THAT(done.err, HasSubstr("/dev/full: cannot be written: No space left on device"));
        }
}

TEST(FullDisk, inTheMiddleKeepsWhatWasWritten) {
    const TemporaryFolder folder;
    ChildProcess::Options options;
    options.fileSizeLimit = 12000; // the header, environment and the first samples fit
    ChildProcess child({"run", "-", "--stream", "--out", folder.file("f.hscope")}, options);
    child.write(poolingExperiment(64, 200).dump() + "\n");
    const Finished done = child.finish();
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(done.err, HasSubstr(folder.file("f.hscope")));
    EXPECT_THAT(done.err, HasSubstr("File too large; this process may write files of 12000 bytes at most: "
                                    "raise that limit (ulimit -f)"));
    const auto file = profiling::readRunFile(folder.file("f.hscope"));
    ASSERT_TRUE(file.ok());
    const auto kept = sampleKeys(file->study);
    EXPECT_GT(kept.size(), 0u);
    const auto reported = sampleKeys(studyFromBytes(done.out));
    EXPECT_GE(reported.size(), 400u);
    const std::set<SampleKey> all(reported.begin(), reported.end());
    for (const SampleKey& key : kept)
        EXPECT_TRUE(all.contains(key));
}

std::size_t timesIn(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++times;
    return times;
}

void expectStoppedWithOneSentence(const Finished& done, const std::string& path, const std::string& reason) {
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_EQ(timesIn(done.err, "heteroscope-cli: error: "), 1u) << done.err;
    EXPECT_EQ(timesIn(done.err, reason), 1u) << done.err;
    EXPECT_THAT(done.err, HasSubstr(path));
    EXPECT_THAT(done.err, Not(HasSubstr("stopped on request")));
}

/// Nobody would get the samples: the study ends at once, in each way of running it.
TEST(FullDisk, withoutAStreamStopsTheStudyOnceWithOneSentence) {
    const TemporaryFolder folder;
    const std::string experiment = folder.file("e.json");
    writeText(experiment, poolingExperiment(64, 100000).dump()); // would take hours
    for (const char* preset : {"quick", "thesis"}) {
        const std::vector<std::string> words{"run", experiment, "--preset", preset, "--samples", "100000"};
        const auto with = [&](const std::string& out) {
            std::vector<std::string> all = words;
            all.insert(all.end(), {"--out", out});
            return all;
        };
        expectStoppedWithOneSentence(runCli(with("/dev/full")), "/dev/full", "No space left on device");
        ChildProcess::Options options;
        options.fileSizeLimit = 12000;
        const std::string out = folder.file(std::string(preset) + ".hscope");
        expectStoppedWithOneSentence(runCli(with(out), {}, options), out, "File too large");
        const auto file = profiling::readRunFile(out);
        ASSERT_TRUE(file.ok()) << file.error().sentence();
        EXPECT_GT(sampleKeys(file->study).size(), 0u);
    }
}

/// A file system of its own, seen by this program and its children only.
TEST(FullDisk, thatIsReallyFullKeepsWhatWasWritten) {
    if (::geteuid() != 0)
        SKIP_WITHOUT("mounts",
                     "only root may mount a file system; the limits of the other tests stand in for it");
    const TemporaryFolder folder;
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0)
        SKIP_WITHOUT("mounts", std::string("no file system can be mounted here: ") + std::strerror(errno));
    for (const char* preset : {"quick", "thesis"}) {
        const std::string out = folder.file("f.hscope");
        const Finished done = runCli({"run", "-", "--preset", preset, "--samples", "100000", "--out", out},
                                     poolingExperiment(64, 100000).dump());
        expectStoppedWithOneSentence(done, out, "No space left on device");
        const auto file = profiling::readRunFile(out);
        ASSERT_TRUE(file.ok()) << file.error().sentence();
        EXPECT_GT(sampleKeys(file->study).size(), 0u);
    }
    EXPECT_EQ(::umount(folder.path().c_str()), 0);
}

TEST(FullDisk, forResultFilesLeavesNoHalfFile) {
    const TemporaryFolder folder;
    const Finished done = runCli({"run", "-", "--json", "/dev/full", "--csv", folder.file("r.csv")},
                                 poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.err, HasSubstr("/dev/full: cannot be written"));
    EXPECT_THAT(readText(folder.file("r.csv")), HasSubstr("run,target"))
        << "the other file is written all the same";
    EXPECT_THAT(done.out, HasSubstr("cpu/sequential"));
}

TEST(RunFile, thatCannotBeMadeStopsBeforeAnythingRuns) {
    const Finished done =
        runCli({"run", "-", "--out", "/no/such/folder/x.hscope"}, poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_EQ(done.out, "");
    EXPECT_THAT(done.err, HasSubstr("/no/such/folder/x.hscope"));
}

} // namespace
} // namespace heteroscope::process_test
