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
#include <optional>
#include <poll.h>
#include <sstream>
#include <string>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
constexpr int kPipeBytes = 65536, kExperimentBytes = 900000;

std::string experimentThatIsNotRead() {
    Json experiment = poolingExperiment(64, 20);
    experiment["sampling"]["preset"] = "thesis";
    experiment["notes"] = std::string(kExperimentBytes, 'x');
    return experiment.dump() + "\n";
}

std::string ofProcess(pid_t pid, const std::string& file) {
    return readText("/proc/" + std::to_string(pid) + "/" + file);
}

/// Whether it is the program that its parent starts; until then it is the parent's image, and the parent
/// waits.
bool hasBegun(pid_t pid, pid_t parent) {
    return ofProcess(pid, "cmdline") != ofProcess(parent, "cmdline");
}

bool isHeld(pid_t pid) {
    const std::string stat = ofProcess(pid, "stat"); // "12 (name) T 1 ..."
    const std::size_t name = stat.rfind(") ");
    return name != std::string::npos && stat.at(name + 2) == 'T';
}

/// Whether nothing more can be written into the pipe that is the process's standard input. Its bytes may be
/// fewer than it has room for: a page that was read in part is a page.
bool inputIsFull(pid_t pid) {
    pollfd input{
        ::open(("/proc/" + std::to_string(pid) + "/fd/0").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC),
        POLLOUT, 0};
    const bool full = input.fd >= 0 && ::poll(&input, 1, 0) == 0;
    if (input.fd >= 0)
        ::close(input.fd);
    return full;
}

/// How many bytes the process has read so far, of whatever file.
long long readBytes(pid_t pid) {
    std::istringstream io(ofProcess(pid, "io"));
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
        while (!begin()) { // it was faster, and has read: once more
            release();
            ASSERT_LT(std::chrono::steady_clock::now(), until);
        }
    }
    void TearDown() override { release(); }

    TemporaryFolder m_folder;
    std::optional<ChildProcess> m_child;
    pid_t m_worker = -1;

  private:
    void release() {
        if (m_worker > 0)
            ::kill(m_worker, SIGKILL);
        m_worker = -1;
    }

    bool begin() {
        m_child.emplace(std::vector<std::string>{"run", "-", "--force", "--out", m_folder.file("s.hscope")});
        m_child->write(experimentThatIsNotRead());
        std::vector<pid_t> workers;
        while (workers.empty() && m_child->pump(Milliseconds(0)))
            workers = childrenOf(m_child->pid());
        if (workers.empty())
            return false;
        m_worker = workers[0];
        while (!hasBegun(m_worker, m_child->pid()) && m_child->pump(Milliseconds(0))) {
        }
        ::kill(m_worker, SIGSTOP);
        while (!isHeld(m_worker) && m_child->pump(Milliseconds(1))) {
        }
        // What it has not read of the experiment fills the pipe, unless it was faster than the signal.
        while (readBytes(m_worker) < kExperimentBytes - kPipeBytes) {
            if (inputIsFull(m_worker))
                return true;
            if (!m_child->pump(Milliseconds(10)))
                return false;
        }
        return false;
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
