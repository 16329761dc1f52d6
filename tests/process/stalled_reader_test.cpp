// SPDX-License-Identifier: Apache-2.0
// Outputs that lead to a pipe whose reader holds it open and reads nothing: a request to stop ends the study,
// and the outputs that others read are whole.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A pipe with a name that has one page of room.
class StalledReader {
  public:
    explicit StalledReader(std::string path) : m_path(std::move(path)) {
        EXPECT_EQ(::mkfifo(m_path.c_str(), 0600), 0);
        m_reader = ::open(m_path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        m_writer = ::open(m_path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        EXPECT_GE(m_writer, 0);
        EXPECT_GE(::fcntl(m_reader, F_SETPIPE_SZ, 4096), 0);
    }
    ~StalledReader() {
        ::close(m_reader);
        ::close(m_writer);
    }
    StalledReader(const StalledReader&) = delete;
    StalledReader& operator=(const StalledReader&) = delete;

    const std::string& path() const { return m_path; }
    /// Until the program has begun to write; takes the room that is left, so that it waits.
    void waitUntilFull(ChildProcess& child) const {
        const auto until = std::chrono::steady_clock::now() + Milliseconds(30000 * kTimeFactor);
        pollfd room{m_writer, POLLOUT, 0};
        while (::poll(&room, 1, 0) != 0) {
            ASSERT_LT(std::chrono::steady_clock::now(), until) << child.err();
            child.pump(Milliseconds(10));
        }
        while (::write(m_writer, "x", 1) == 1) {
        }
        ASSERT_EQ(errno, EAGAIN);
    }

  private:
    std::string m_path;
    int m_reader = -1, m_writer = -1;
};

std::string longExperiment() {
    return poolingExperiment(64, 100000).dump() + "\n";
}

Finished stopped(ChildProcess& child, int number) {
    child.signal(number);
    return child.finish(Milliseconds(20000 * kTimeFactor));
}

void expectCancelledBecauseOf(const Finished& done, const std::string& output) {
    EXPECT_EQ(done.signal, 0);
    EXPECT_EQ(done.exitCode, 4);
    EXPECT_THAT(done.err, HasSubstr(output + ": not everything could be written: its reader took nothing"));
}

void expectWholeAndCancelled(const std::string& runFile) {
    const auto file = profiling::readRunFile(runFile);
    ASSERT_TRUE(file.ok());
    EXPECT_FALSE(file->damage.has_value());
    EXPECT_TRUE(file->study.ended);
    EXPECT_EQ(file->study.endStatus, "cancelled");
}

TEST(StalledReaderOf, theRunFileIsGivenUpOnRequest) {
    for (const int number : {SIGTERM, SIGINT})
        for (const char* preset : {"quick", "thesis"}) {
            SCOPED_TRACE(std::string(preset) + " " + std::to_string(number));
            const TemporaryFolder folder;
            const StalledReader reader(folder.file("p"));
            ChildProcess child({"run", "-", "--preset", preset, "--samples", "100000", "--out", reader.path(),
                                "--csv", folder.file("s.csv")});
            child.write(longExperiment());
            ASSERT_NO_FATAL_FAILURE(reader.waitUntilFull(child));
            expectCancelledBecauseOf(stopped(child, number), reader.path());
        }
}

TEST(StalledReaderOf, theStreamIsGivenUpAndTheRunFileFinished) {
    for (const char* preset : {"quick", "thesis"}) {
        SCOPED_TRACE(preset);
        const TemporaryFolder folder;
        const StalledReader reader(folder.file("p"));
        ChildProcess::Options options;
        options.stdoutPath = reader.path();
        ChildProcess child({"run", "-", "--preset", preset, "--samples", "100000", "--stream", "--out",
                            folder.file("s.hscope")},
                           options);
        child.write(longExperiment());
        ASSERT_NO_FATAL_FAILURE(reader.waitUntilFull(child));
        expectCancelledBecauseOf(stopped(child, SIGTERM), "standard output");
        expectWholeAndCancelled(folder.file("s.hscope"));
    }
}

TEST(StalledReaderOf, theResultsIsGivenUpAndTheOthersFinished) {
    const TemporaryFolder folder;
    const StalledReader reader(folder.file("p"));
    ChildProcess child({"run", "-", "--json", reader.path(), "--csv", folder.file("s.csv")});
    child.write(poolingExperiment(16, 3).dump() + "\n");
    ASSERT_NO_FATAL_FAILURE(reader.waitUntilFull(child));
    const Finished done = stopped(child, SIGTERM);
    expectCancelledBecauseOf(done, reader.path());
    EXPECT_THAT(done.out, HasSubstr("cpu/openmp"));
    EXPECT_THAT(readText(folder.file("s.csv")), HasSubstr("cpu/openmp"));
}

TEST(StalledReaderOf, theRunFileThatGoesOnReadingGetsItWhole) {
    const TemporaryFolder folder;
    ChildProcess child({"run", "-", "--stream"});
    child.write(longExperiment());
    ASSERT_TRUE(child.waitForOutput(1 << 17, Milliseconds(30000 * kTimeFactor)));
    const Finished done = stopped(child, SIGTERM);
    EXPECT_EQ(done.exitCode, 4);
    EXPECT_THAT(done.err, Not(HasSubstr("took nothing")));
    EXPECT_EQ(studyFromBytes(done.out).endStatus, "cancelled");
}

} // namespace
} // namespace heteroscope::process_test
