// SPDX-License-Identifier: Apache-2.0
#include "app/cli/worker_child.h"

#include "compute/base/clock.h"
#include "compute/base/exit_code.h"
#include "compute/base/failure_words.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace heteroscope::cli {
namespace {

Error workerRefused(const char* what, int number) {
    return systemRefusal(ErrorCode::RunFailed, "worker process", what, number);
}

void closeFd(int& fd) {
    if (fd >= 0)
        ::close(fd);
    fd = -1;
}

constexpr std::int64_t kStopLimitNs = 10'000'000'000; ///< from the request to the end of a worker

} // namespace

void endWithParent() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void goOnWithoutParent() {
    ::prctl(PR_SET_PDEATHSIG, SIGCONT);
}

WorkerChild::~WorkerChild() {
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    closeFd(m_in);
    closeFd(m_out);
}

Status WorkerChild::start(const std::vector<std::string>& arguments, int stderrFd) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0)
        return workerRefused("cannot make a pipe", errno);
    m_in = in[1];
    ::fcntl(m_in, F_SETFL, O_NONBLOCK); // who sends also listens to requests to stop
    if (::pipe2(out, O_CLOEXEC) != 0) {
        ::close(in[0]);
        return workerRefused("cannot make a pipe", errno);
    }
    m_out = out[0];
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (stderrFd >= 0)
        ::posix_spawn_file_actions_adddup2(&actions, stderrFd, STDERR_FILENO);
    std::vector<std::string> words{"heteroscope-cli"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const int failed = ::posix_spawn(&m_pid, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    if (failed != 0) {
        m_pid = -1;
        return workerRefused("cannot start", failed);
    }
    return {};
}

Status WorkerChild::send(const std::string& text) {
    m_unsent.append(text);
    return sendSome();
}

Status WorkerChild::sendSome() {
    while (!m_unsent.empty()) {
        const ssize_t count = ::write(m_in, m_unsent.data(), m_unsent.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno == EAGAIN)
            return {}; // it has not read yet
        if (count < 0 && errno != EPIPE)
            return workerRefused("cannot send the experiment", errno);
        m_unsent.erase(0, count < 0 ? m_unsent.size() // it has ended: wait() tells how
                                    : static_cast<std::size_t>(count));
    }
    return {};
}

Result<std::span<const std::uint8_t>> WorkerChild::read(int timeoutMs) {
    std::array<pollfd, 2> watched{pollfd{m_out, POLLIN, 0}, pollfd{m_unsent.empty() ? -1 : m_in, POLLOUT, 0}};
    const int ready = ::poll(watched.data(), watched.size(), timeoutMs);
    if (ready < 0 && errno != EINTR)
        return workerRefused("cannot wait", errno);
    if (ready > 0 && watched[1].revents != 0)
        if (const Status status = sendSome(); !status)
            return status.error();
    if (ready <= 0 || watched[0].revents == 0)
        return std::span<const std::uint8_t>();
    m_block.resize(1 << 16);
    const ssize_t count = ::read(m_out, m_block.data(), m_block.size());
    if (count < 0 && errno != EINTR)
        return workerRefused("cannot read", errno);
    if (count == 0)
        closeFd(m_out);
    return std::span<const std::uint8_t>(m_block.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
}

void WorkerChild::requestStop() {
    m_unsent.clear();
    closeFd(m_in);
    if (m_pid <= 0)
        return;
    ::kill(m_pid, SIGTERM);
    ::kill(m_pid, SIGCONT); // one that is held (SIGSTOP) sees neither request
}

Status WorkerChild::readToEnd(const StopRequest& stop,
                              const std::function<Status(std::span<const std::uint8_t>)>& take) {
    constexpr int kPollMs = 50;
    std::int64_t killAtNs = 0; // 0: nobody has asked to stop
    while (!ended()) {
        if (stop.requested() && killAtNs == 0) {
            killAtNs = steadyNowNs() + kStopLimitNs;
            requestStop();
        }
        if (killAtNs != 0 && steadyNowNs() > killAtNs)
            ::kill(m_pid, SIGKILL);
        const auto bytes = read(kPollMs);
        if (!bytes)
            return bytes.error();
        if (const Status status = take(*bytes); !status)
            return status;
    }
    return {};
}

std::string WorkerChild::wait() {
    int status = 0;
    while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) {
    }
    m_pid = -1;
    m_exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    m_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (WIFSIGNALED(status))
        return say(failure_words::kSignalled,
                   {std::to_string(WTERMSIG(status)), std::string(::strsignal(WTERMSIG(status)))})
            .text();
    if (m_exitCode == static_cast<int>(ExitCode::Done))
        return {};
    if (m_exitCode == static_cast<int>(ExitCode::Cancelled))
        return failure_words::kStopped;
    return say(failure_words::kExited, {std::to_string(m_exitCode)}).text();
}

} // namespace heteroscope::cli
