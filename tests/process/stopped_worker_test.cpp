// SPDX-License-Identifier: Apache-2.0
// A study in fresh processes, one of which somebody else asks to stop: it ended as done, with exit code 0 and
// cancelled runs in it.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/process/gpu_modules.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Reads until a sample of the process has arrived.
void waitForSampleOf(ChildProcess& child, int process) {
    const auto has = [&] {
        const auto keys = sampleKeys(studyFromBytes(child.out()));
        return std::any_of(keys.begin(), keys.end(),
                           [&](const SampleKey& key) { return std::get<1>(key) == process; });
    };
    while (!has())
        ASSERT_TRUE(child.pump(Milliseconds(20000 * kTimeFactor))) << child.err();
}

std::vector<std::string> inThreeProcesses(const std::string& out) {
    return {"run", "-", "--stream", "--preset", "thesis", "--out", out};
}

/// Long enough for a signal in the middle of each process.
std::string experimentLine() {
    Json experiment = poolingExperiment(3000, 150);
    experiment["sampling"]["preset"] = "thesis";
    return experiment.dump() + "\n";
}

void expectFailedAs(const std::string& sentence, const Finished& done, const std::string& runFile) {
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(done.err, AllOf(HasSubstr(sentence), Not(HasSubstr("ended by signal"))));
    const auto file = profiling::readRunFile(runFile);
    ASSERT_TRUE(file.ok());
    EXPECT_TRUE(file->study.ended);
    EXPECT_EQ(file->study.endStatus, "failed");
    EXPECT_THAT(file->study.endReason, HasSubstr(sentence));
    EXPECT_THAT(runCli({"trace", "info", runFile}).out, HasSubstr("whole, ended as failed: " + sentence));
}

class WorkerStoppedByAnother : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(WorkerStoppedByAnother, failsTheStudyAndIsNamedWithWhoDidIt) {
    const auto [number, process] = GetParam();
    const TemporaryFolder folder;
    const std::string out = folder.file("s.hscope");
    ChildProcess child(inThreeProcesses(out));
    child.write(experimentLine());
    ASSERT_NO_FATAL_FAILURE(waitForSampleOf(child, process));
    const std::vector<pid_t> workers = childrenOf(child.pid());
    ASSERT_EQ(workers.size(), 1u);
    ASSERT_EQ(::kill(workers[0], number), 0);
    const std::string name = number == SIGTERM ? "SIGTERM" : number == SIGINT ? "SIGINT" : "SIGHUP";
    expectFailedAs("process " + std::to_string(process + 1) +
                       ": a worker process was stopped and not by this program: stopped on request (" + name +
                       " from process " + std::to_string(::getpid()) + " (",
                   child.finish(), out);
}

INSTANTIATE_TEST_SUITE_P(Signals, WorkerStoppedByAnother,
                         testing::Values(std::pair(SIGTERM, 0), std::pair(SIGINT, 1), std::pair(SIGHUP, 2)));

TEST(StudyStoppedByAnother, namesWhoDidIt) {
    const TemporaryFolder folder;
    for (const bool fresh : {false, true}) {
        const std::string out = folder.file("s.hscope");
        ChildProcess child(fresh ? inThreeProcesses(out)
                                 : std::vector<std::string>{"run", "-", "--stream", "--out", out});
        Json experiment = poolingExperiment(256, 100000);
        child.write(experiment.dump() + "\n");
        ASSERT_NO_FATAL_FAILURE(waitForSampleOf(child, 0));
        child.signal(SIGTERM);
        const Finished done = child.finish();
        EXPECT_EQ(done.exitCode, 4) << done.err;
        const auto sentence =
            HasSubstr("stopped on request (SIGTERM from process " + std::to_string(::getpid()) + " (");
        EXPECT_THAT(done.err, sentence);
        const profiling::Study study = studyFromBytes(done.out);
        EXPECT_EQ(study.endStatus, "cancelled");
        EXPECT_THAT(study.endReason, sentence);
    }
}

/// Loading the collector waits in open() for a writer of this FIFO, until the worker is stopped.
TEST(StudyStoppedByAnother, whileCountersAreReadIsCancelledAndKeepsItsSamples) {
    const TemporaryFolder modules, folder;
    const std::string collector = modules.file("cupti.so"), out = folder.file("s.hscope");
    ASSERT_EQ(::mkfifo(collector.c_str(), 0600), 0);
    ChildProcess child({"run", "-", "--stream", "--counters", "--out", out}, modulesIn(modules));
    Json experiment = poolingExperiment(16, 3);
    experiment["sampling"]["processes"] = 3;
    child.write(experiment.dump() + "\n");
    const auto isBeingRead = [&] { // false with ENXIO as long as nobody has it open for reading
        const int writer = ::open(collector.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        return writer >= 0; // kept open: the reader goes on to a read that waits
    };
    const auto until = std::chrono::steady_clock::now() + Milliseconds(20000 * kTimeFactor);
    while (!isBeingRead()) {
        ASSERT_TRUE(child.pump(Milliseconds(10))) << child.err();
        ASSERT_LT(std::chrono::steady_clock::now(), until);
    }
    child.signal(SIGTERM);
    const Finished done = child.finish();
    EXPECT_EQ(done.exitCode, 4) << done.err;
    const auto file = profiling::readRunFile(out);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->study.endStatus, "cancelled");
    ASSERT_FALSE(file->study.log.empty());
    EXPECT_THAT(file->study.log.back().text, HasSubstr("no counters: stopped on request (SIGTERM"));
    for (const auto& run : file->study.runs) {
        EXPECT_EQ(run.status, profiling::StudyRunStatus::Ok);
        EXPECT_EQ(run.timesMs().size(), 3u);
    }
}

/// The one worker that a study has, after its first sample; not collected by the caller.
pid_t onlyWorkerOf(ChildProcess& child) {
    waitForSampleOf(child, 0);
    const std::vector<pid_t> workers = childrenOf(child.pid());
    EXPECT_EQ(workers.size(), 1u);
    return workers.size() == 1 ? workers[0] : -1;
}

/// Ended, and collected by whoever had to.
bool isGone(pid_t pid) {
    return ::kill(pid, 0) != 0 && errno == ESRCH;
}

class StudyWithHeldWorker : public testing::TestWithParam<int> {
  protected:
    void SetUp() override {
        m_child.write(experimentLine());
        m_worker = onlyWorkerOf(m_child);
        ASSERT_GT(m_worker, 0);
    }
    void TearDown() override {
        if (m_worker > 0)
            ::kill(m_worker, SIGKILL);
    }
    void expectCancelled(const Finished& done) {
        EXPECT_EQ(done.exitCode, 4) << done.err;
        const auto file = profiling::readRunFile(m_out);
        ASSERT_TRUE(file.ok());
        EXPECT_EQ(file->study.endStatus, "cancelled");
    }

    TemporaryFolder m_folder;
    const std::string m_out = m_folder.file("s.hscope");
    ChildProcess m_child{inThreeProcesses(m_out)};
    pid_t m_worker = -1;
};

TEST_P(StudyWithHeldWorker, isCancelledOnRequest) {
    ASSERT_EQ(::kill(m_worker, SIGSTOP), 0);
    m_child.signal(GetParam());
    const Finished done = m_child.finish(Milliseconds(20000 * kTimeFactor));
    expectCancelled(done);
    EXPECT_TRUE(isGone(m_worker));
}

/// Somebody holds the worker again whenever it is told to go on.
TEST_P(StudyWithHeldWorker, killsItWhenItIsHeldAgain) {
    std::atomic<bool> holding{true};
    std::thread holder([&] {
        while (holding && ::kill(m_worker, SIGSTOP) == 0) {
        }
    });
    m_child.signal(GetParam());
    const Finished done = m_child.finish();
    holding = false;
    holder.join();
    expectCancelled(done);
}

INSTANTIATE_TEST_SUITE_P(Signals, StudyWithHeldWorker, testing::Values(SIGTERM, SIGINT));

TEST(HeldWorker, doesNotOutliveTheStudy) {
    const TemporaryFolder folder;
    ChildProcess child(inThreeProcesses(folder.file("s.hscope")));
    child.write(experimentLine());
    const pid_t worker = onlyWorkerOf(child);
    ASSERT_GT(worker, 0);
    const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, worker, 0));
    ASSERT_GE(pidfd, 0);
    ASSERT_EQ(::kill(worker, SIGSTOP), 0);
    child.signal(SIGKILL);
    EXPECT_EQ(child.finish().signal, SIGKILL);
    pollfd ended{pidfd, POLLIN, 0};
    EXPECT_EQ(::poll(&ended, 1, 20000 * kTimeFactor), 1) << "the worker is still there";
    ::kill(worker, SIGKILL);
    ::close(pidfd);
}

} // namespace
} // namespace heteroscope::process_test
