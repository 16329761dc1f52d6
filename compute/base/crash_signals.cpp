// SPDX-License-Identifier: Apache-2.0
#include "compute/base/crash_signals.h"

#include <array>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace heteroscope {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitizerWatches = true;
#else
constexpr bool kSanitizerWatches = false;
#endif
alignas(16) std::array<char, 65536> stackOfHandlers;

} // namespace

void writeToStderr(const char* text) {
    for (std::size_t left = std::strlen(text); left > 0;) {
        const ssize_t count = ::write(STDERR_FILENO, text, left);
        if (count <= 0)
            return;
        text += count;
        left -= static_cast<std::size_t>(count);
    }
}

void onCrashSignals(void (*handler)(int number)) {
    if (kSanitizerWatches)
        return;
    stack_t stack{};
    stack.ss_sp = stackOfHandlers.data();
    stack.ss_size = stackOfHandlers.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        ::sigaction(number, &action, nullptr);
}

} // namespace heteroscope
