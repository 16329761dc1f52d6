// SPDX-License-Identifier: Apache-2.0
#include "app/cli/stop_request.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

std::atomic<bool> g_stop{false};
std::atomic<const char*> g_reason{""};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<const char*>::is_always_lock_free,
              "a signal handler may only touch lock-free atomics");

void request(const char* reason) {
    const char* expected = g_reason.load();
    if (*expected == '\0')
        g_reason.compare_exchange_strong(expected, reason);
    g_stop.store(true);
}

void onSignal(int number) {
    request(number == SIGINT ? "SIGINT" : number == SIGHUP ? "SIGHUP" : "SIGTERM");
}

/// Reads and drops standard input until it ends or the other end of `wake` is closed.
void drainStdin(int wake) {
    std::array<char, 4096> ignored;
    std::array<pollfd, 2> watched{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{wake, POLLIN, 0}};
    while (true) {
        if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR)
            return;
        if (watched[1].revents != 0)
            return;
        if (watched[0].revents == 0)
            continue;
        const ssize_t count = ::read(STDIN_FILENO, ignored.data(), ignored.size());
        if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
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
    struct sigaction action {};
    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGTERM, &action, &m_impl->oldTerm);
    ::sigaction(SIGHUP, nullptr, &m_impl->oldHup);
    if (m_impl->oldHup.sa_handler != SIG_IGN) // as nohup wishes
        ::sigaction(SIGHUP, &action, nullptr);
    action.sa_flags = static_cast<int>(SA_RESETHAND);
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

void StopRequest::watchStdin() {
    if (::pipe2(m_impl->wake.data(), O_CLOEXEC) == 0)
        m_impl->watcher = std::thread(drainStdin, m_impl->wake[0]);
}

const std::atomic<bool>& StopRequest::flag() const {
    return g_stop;
}

const char* StopRequest::reason() const {
    return g_reason.load();
}

} // namespace heteroscope::cli
