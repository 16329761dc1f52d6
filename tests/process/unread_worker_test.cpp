// SPDX-License-Identifier: Apache-2.0
// A worker that does not read the experiment it is sent: one that is longer than a pipe has room for made the
// study wait for ever, deaf to requests to stop.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
constexpr int kPipeBytes = 65536, kExperimentBytes = 900000;

std::string longExperiment() {
    Json experiment = poolingExperiment(64, 20);
    experiment["sampling"]["preset"] = "thesis";
    experiment["notes"] = std::string(kExperimentBytes, 'x');
    return experiment.dump() + "\n";
}

/// How many bytes wait in the pipe that is the process's standard input.
int unreadBytes(pid_t pid) {
    const int input =
        ::open(("/proc/" + std::to_string(pid) + "/fd/0").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int bytes = 0;
    if (input >= 0)
        ::ioctl(input, FIONREAD, &bytes);
    ::close(input);
    return bytes;
}

/// How many bytes the process has read so far.
long long readBytes(pid_t pid) {
    std::ifstream io("/proc/" + std::to_string(pid) + "/io");
    std::string name;
    long long bytes = 0;
    io >> name >> bytes; // "rchar: 1234"
    return bytes;
}

/// A study whose first worker is held (SIGSTOP) with its pipe full of what it has not read.
class UnreadWorker : public testing::Test {
  protected:
    void SetUp() override {
        const auto until = std::chrono::steady_clock::now() + Milliseconds(30000 * kTimeFactor);
        while (!begin()) // it was faster, and has read: once more
            ASSERT_LT(std::chrono::steady_clock::now(), until);
    }
    void TearDown() override {
        if (m_worker > 0)
            ::kill(m_worker, SIGKILL);
    }

    TemporaryFolder m_folder;
    std::optional<ChildProcess> m_child;
    pid_t m_worker = -1;

  private:
    bool begin() {
        m_child.emplace(std::vector<std::string>{"run", "-", "--force", "--out", m_folder.file("s.hscope")});
        m_child->write(longExperiment());
        std::vector<pid_t> workers;
        while (workers.empty() && m_child->pump(Milliseconds(0)))
            workers = childrenOf(m_child->pid());
        if (workers.empty())
            return false;
        m_worker = workers[0];
        ::kill(m_worker, SIGSTOP);
        // What it has not read of the experiment fills the pipe, unless it was faster than the signal.
        int unread = 0;
        while (unread < kPipeBytes && readBytes(m_worker) < kExperimentBytes - kPipeBytes &&
               m_child->pump(Milliseconds(10)))
            unread = unreadBytes(m_worker);
        return unread >= kPipeBytes;
    }
};

class UnreadWorkerAsked : public UnreadWorker, public testing::WithParamInterface<int> {};

TEST_P(UnreadWorkerAsked, answersARequestToStop) {
    m_child->signal(GetParam());
    const Finished done = m_child->finish(Milliseconds(20000 * kTimeFactor));
    EXPECT_EQ(done.signal, 0) << "it never ended";
    EXPECT_EQ(done.exitCode, 4) << done.err;
    EXPECT_THAT(done.err, HasSubstr("stopped on request"));
    EXPECT_NE(::kill(m_worker, 0), 0) << "the worker is still there";
}

INSTANTIATE_TEST_SUITE_P(Signals, UnreadWorkerAsked, testing::Values(SIGTERM, SIGINT));

TEST_F(UnreadWorker, isNamedWhenItIsKilled) {
    ASSERT_EQ(::kill(m_worker, SIGKILL), 0);
    const Finished done = m_child->finish(Milliseconds(20000 * kTimeFactor));
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(done.err, HasSubstr("process 1: a worker process was ended by signal 9"));
}

TEST_F(UnreadWorker, getsTheRestWhenItGoesOn) {
    ASSERT_EQ(::kill(m_worker, SIGCONT), 0);
    const Finished done = m_child->finish();
    EXPECT_EQ(done.exitCode, 0) << done.err;
    m_worker = -1;
}

} // namespace
} // namespace heteroscope::process_test
