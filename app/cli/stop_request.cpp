// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stop_request.h"

#include "compute/base/failure_words.h"
#include "compute/base/printable.h"
#include "profiling/io/utf8.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

std::atomic<bool> g_stop{false};
std::atomic<const char*> g_reason{""};
std::atomic<pid_t> g_sender{0}; ///< of the signal that was first; 0: none, or nobody that can be named
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free &&
                  std::atomic<pid_t>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

void request(const char* reason, pid_t sender = 0) {
    const char* expected = g_reason.load();
    if (*expected == '\0' && g_reason.compare_exchange_strong(expected, reason))
        g_sender.store(sender);
    g_stop.store(true);
}

void onSignal(int number, siginfo_t* info, void*) {
    const bool fromProcess = info->si_code == SI_USER || info->si_code == SI_QUEUE;
    request(number == SIGINT   ? "SIGINT"
            : number == SIGHUP ? "SIGHUP"
                               : "SIGTERM",
            fromProcess ? info->si_pid : 0);
}

/// "process 123 (bash)"; without the name when it has ended.
std::string processText(pid_t pid) {
    std::string name;
    std::ifstream command("/proc/" + std::to_string(pid) + "/comm");
    std::getline(command, name);
    return "process " + std::to_string(pid) +
           (name.empty() ? "" : " (" + printable(profiling::validUtf8(name)) + ")");
}

constexpr const char* kText = "text on standard input";
Error g_textError; ///< written before kText becomes the reason

/// Reads standard input until it ends, has text, or the other end of `wake` is closed.
void drainStdin(int wake, RestOfStdin rest, bool untilItEnds) {
    std::array<char, 4096> block;
    std::array<pollfd, 2> watched{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{wake, POLLIN, 0}};
    while (true) {
        if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR)
            return;
        if (watched[1].revents != 0)
            return;
        if (watched[0].revents == 0)
            continue;
        const ssize_t count = ::read(STDIN_FILENO, block.data(), block.size());
        if (count > 0) {
            const Status blank = rest.take({block.data(), static_cast<std::size_t>(count)});
            if (blank)
                continue;
            g_textError = blank.error();
            request(kText);
            return;
        }
        if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
            if (untilItEnds)
                request("standard input ended");
            return;
        }
    }
}

} // namespace

struct StopRequest::Impl {
    struct sigaction oldTerm {};
    struct sigaction oldInt {};
    struct sigaction oldHup {};
    std::array<int, 2> wake{-1, -1};
    std::thread watcher;
};

StopRequest::StopRequest() : m_impl(std::make_unique<Impl>()) {
    g_stop = false;
    g_reason = "";
    g_sender = 0;
    struct sigaction action {};
    action.sa_sigaction = onSignal;
    action.sa_flags = SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGTERM, &action, &m_impl->oldTerm);
    ::sigaction(SIGHUP, nullptr, &m_impl->oldHup);
    if (m_impl->oldHup.sa_handler != SIG_IGN) // as nohup wishes
        ::sigaction(SIGHUP, &action, nullptr);
    action.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &action, &m_impl->oldInt);
}

StopRequest::~StopRequest() {
    if (m_impl->watcher.joinable()) {
        ::close(m_impl->wake[1]); // which, unlike a write, cannot fail and leave the watcher waiting
        m_impl->watcher.join();
        ::close(m_impl->wake[0]);
    }
    ::sigaction(SIGTERM, &m_impl->oldTerm, nullptr);
    ::sigaction(SIGHUP, &m_impl->oldHup, nullptr);
    ::sigaction(SIGINT, &m_impl->oldInt, nullptr);
}

void StopRequest::ask(const char* reason) {
    request(reason);
}

void StopRequest::watchStdin(RestOfStdin rest, bool untilItEnds) {
    if (::pipe2(m_impl->wake.data(), O_CLOEXEC) == 0)
        m_impl->watcher = std::thread(drainStdin, m_impl->wake[0], rest, untilItEnds);
}

const std::atomic<bool>& StopRequest::flag() const {
    return g_stop;
}

std::string StopRequest::reason() const {
    const pid_t sender = g_sender.load();
    return g_reason.load() + (sender > 0 ? " from " + processText(sender) : std::string());
}

Error StopRequest::error() const {
    if (g_reason.load() == kText)
        return g_textError;
    return {ErrorCode::Cancelled, say(failure_words::kOnRequest, {reason()}).text(), {}, {}, {}};
}

} // namespace heteroscope::cli
