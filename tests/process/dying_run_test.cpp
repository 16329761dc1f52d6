// SPDX-License-Identifier: Apache-2.0
// A run that dies is named with what it computed and what memory it was forecast to take: by its own last
// words after a crash, by whoever reads its stream after SIGKILL, which is how the kernel ends it when memory
// runs out.
#include "profiling/stream/stream_reader.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSignalsAreOurs = false;
#else
constexpr bool kSignalsAreOurs = true;
#endif

constexpr const char* kLayer = "layer \"[A-Za-z0-9_]+\", [a-z0-9.]+";
constexpr const char* kForecast = "forecast [0-9.]+ [MG]iB";

/// Waits until the stream on stdout tells that a step with this in its name is about to begin.
bool waitForStep(ChildProcess& child, const std::string& step) {
    const auto end = std::chrono::steady_clock::now() + Milliseconds(30000 * kTimeFactor);
    profiling::StreamReader reader("stdout");
    profiling::StudyBuilder builder;
    std::size_t fed = 0;
    for (bool open = true; open && std::chrono::steady_clock::now() < end;) {
        open = child.pump(Milliseconds(100));
        const std::span bytes(reinterpret_cast<const std::uint8_t*>(child.out().data()), child.out().size());
        reader.feed(bytes.subspan(fed));
        fed = bytes.size();
        for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
            (void)builder.apply(**frame);
            const auto& doing = builder.study().activity;
            if (doing && doing->step.find(step) != std::string::npos)
                return true;
        }
    }
    return false;
}

/// Preset quick computes in the process that is started, the others in workers of it.
std::vector<std::string> resnet(const std::string& target, const std::string& preset = "quick") {
    return {"run",        examplePath("network_resnet18.json"),
            "--target",   target,
            "--no-check", "--stream",
            "--set",      "/axes={}",
            "--preset",   preset};
}

TEST(LastWords, nameTheRunAndTheLayer) {
    if (!kSignalsAreOurs)
        SKIP_AS_MEANINGLESS("signals are the sanitizer's");
    ChildProcess child(resnet("cpu/sequential"));
    child.closeStdin();
    ASSERT_TRUE(waitForStep(child, "layer "));
    child.signal(SIGSEGV);
    const Finished done = child.finish();
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_EQ(done.signal, 0);
    EXPECT_THAT(done.err,
                ContainsRegex("heteroscope-cli: error: run 0 on cpu/sequential, " + std::string(kForecast) +
                              " of memory, " + kLayer + ": the computation was ended by SIGSEGV"));
}

TEST(LastWords, nameTheOperationOfWorkWithoutLayers) {
    if (!kSignalsAreOurs)
        SKIP_AS_MEANINGLESS("signals are the sanitizer's");
    Json matmul = {{"heteroscope", 1},
                   {"kind", "matmul"},
                   {"matmul", {{"m", 512}, {"n", 512}, {"k", 512}}},
                   {"targets", {"cpu/sequential"}},
                   {"sampling", {{"preset", "quick"}, {"samples", 100000}, {"time_limit_s", 600}}}};
    Json window = poolingExperiment(256, 100000);
    window["pooling"]["strategy"] = "window";
    for (const auto& [experiment, operation] : {std::pair<Json, std::string>{matmul, "gemm"},
                                                {poolingExperiment(1024, 100000), "maxpool.forward"},
                                                {window, "gemm"}}) {
        ChildProcess child({"run", "-", "--stream", "--no-check", "--target", "cpu/sequential"});
        child.write(experiment.dump() + "\n");
        ASSERT_TRUE(waitForStep(child, "timed samples")) << operation;
        child.signal(SIGSEGV);
        const Finished done = child.finish();
        EXPECT_EQ(done.exitCode, 1);
        EXPECT_THAT(done.err,
                    HasSubstr("of memory, " + operation + ": the computation was ended by SIGSEGV"));
    }
}

/// OpenMP's library ends the program where it can start no thread: here none has room for such a stack.
TEST(Threads, thatOpenMpCannotStartEndTheRunFile) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP_AS_MEANINGLESS("a sanitizer ends the program itself");
#endif
    const TemporaryFolder folder;
    ChildProcess::Options options;
    options.environment = {"OMP_STACKSIZE=200000G"};
    Json experiment = poolingExperiment(256, 2);
    experiment["targets"] = {"cpu/sequential", "cpu/openmp?threads=2"};
    for (const char* preset : {"quick", "thesis"}) {
        const std::string out = folder.file(preset);
        const Finished done =
            runCli({"run", "-", "--preset", preset, "--out", out}, experiment.dump(), options);
        EXPECT_EQ(done.exitCode, 1) << done.err;
        const auto why = HasSubstr("run 1 on cpu/openmp?threads=2, ");
        EXPECT_THAT(done.err, AllOf(HasSubstr("libgomp: "), why, HasSubstr("a library ended the program")));
        EXPECT_EQ(done.err.find("libgomp: "), done.err.rfind("libgomp: "))
            << "no further worker: " << done.err;
        EXPECT_EQ(done.err.find("a library ended"), done.err.rfind("a library ended")) << done.err;
        const auto file = profiling::readRunFile(out);
        ASSERT_TRUE(file.ok()) << file.error().sentence();
        EXPECT_TRUE(file->study.ended) << preset;
        EXPECT_EQ(file->study.endStatus, "failed");
        ASSERT_EQ(file->study.runs.size(), 2u);
        EXPECT_EQ(file->study.runs[1].status, profiling::StudyRunStatus::Failed);
        EXPECT_THAT(file->study.runs[1].reason,
                    AllOf(why, HasSubstr("a library ended the program"), HasSubstr("ulimit -u")));
    }
}

TEST(Killed, isSaidByTheFileThatIsLeft) {
    const TemporaryFolder folder;
    std::vector<std::string> words = resnet("cpu/sequential");
    words.insert(words.end(), {"--out", folder.file("k.hscope")});
    ChildProcess child(words);
    child.closeStdin();
    ASSERT_TRUE(waitForStep(child, "layer "));
    child.signal(SIGKILL);
    EXPECT_EQ(child.finish().signal, SIGKILL);
    const Finished info = runCli({"trace", "info", folder.file("k.hscope")});
    EXPECT_EQ(info.exitCode, 0) << info.err;
    EXPECT_THAT(info.out, ContainsRegex("computing run 0, cpu/sequential, " + std::string(kLayer) + "; " +
                                        kForecast + ", [0-9.]+ [MGT]iB were free"));
    const Finished json = runCli({"trace", "info", folder.file("k.hscope"), "--json"});
    EXPECT_THAT(Json::parse(json.out).at("activity").get<std::string>(), HasSubstr("run 0, cpu/sequential"));
}

/// Of the thesis preset: the parent, which is alive, says it.
TEST(Killed, workerOfTheThesisPresetIsNamedWithItsLayerAndForecast) {
    const TemporaryFolder folder;
    std::vector<std::string> words = resnet("cpu/sequential", "thesis");
    words.insert(words.end(), {"--out", folder.file("t.hscope")});
    ChildProcess child(words);
    ASSERT_TRUE(waitForStep(child, "layer "));
    const std::vector<pid_t> workers = childrenOf(child.pid());
    ASSERT_EQ(workers.size(), 1u);
    ASSERT_EQ(::kill(workers[0], SIGKILL), 0);
    const Finished done = child.finish();
    EXPECT_EQ(done.exitCode, 1) << done.err;
    const auto named =
        AllOf(ContainsRegex("ended by signal 9 \\(Killed\\) while computing run 0, cpu/sequential, " +
                            std::string(kLayer) + "; " + kForecast + ", [0-9.]+ [MGT]iB were free"),
              HasSubstr("SIGKILL comes from a person (kill -9), from a batch system or container"),
              Not(HasSubstr("out-of-memory killer")));
    EXPECT_THAT(done.err, named);
    const auto file = profiling::readRunFile(folder.file("t.hscope"));
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->study.ended);
    EXPECT_EQ(file->study.endStatus, "failed");
    EXPECT_THAT(file->study.endReason, named);
}

/// The worker's own words are on stderr alone: who opens the file, and the window, has the end's reason.
TEST(LastWords, ofAWorkerLeaveTheirPlaceInTheFile) {
    if (!kSignalsAreOurs)
        SKIP_AS_MEANINGLESS("signals are the sanitizer's");
    for (const int signal : {SIGSEGV, SIGBUS}) {
        const TemporaryFolder folder;
        std::vector<std::string> words = resnet("cpu/sequential", "thesis");
        words.insert(words.end(), {"--out", folder.file("t.hscope")});
        ChildProcess child(words);
        ASSERT_TRUE(waitForStep(child, "layer "));
        const std::vector<pid_t> workers = childrenOf(child.pid());
        ASSERT_EQ(workers.size(), 1u);
        ASSERT_EQ(::kill(workers[0], signal), 0);
        const Finished done = child.finish();
        EXPECT_EQ(done.exitCode, 1) << done.err;
        const auto file = profiling::readRunFile(folder.file("t.hscope"));
        ASSERT_TRUE(file.ok());
        EXPECT_EQ(file->study.endStatus, "failed");
        EXPECT_THAT(file->study.endReason,
                    ContainsRegex("ended with exit code 1 while computing run 0, cpu/sequential, " +
                                  std::string(kLayer) + "; " + kForecast));
    }
}

} // namespace
} // namespace heteroscope::process_test
