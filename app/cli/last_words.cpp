// SPDX-License-Identifier: Apache-2.0
#include "app/cli/last_words.h"

#include "compute/base/activity.h"
#include "compute/base/exit_code.h"
#include "compute/base/failure_words.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <thread>
#include <unistd.h>
#include <utility>

namespace heteroscope::cli {
namespace {

constexpr std::size_t kStackBytes = 65536;
// A sanitizer says more of a crash than we can.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitizer = true;
#else
constexpr bool kSanitizer = false;
#endif
alignas(16) std::array<char, kStackBytes> signalStack;

/// What BeforeLastWords gave, and its thread.
struct Before {
    std::function<void(const std::string&)> tell;
    std::thread::id thread;
};
Before beforeExit;

/// Safe in signal handlers; a failure has nowhere to be told.
void put(const char* text) {
    for (std::size_t left = std::strlen(text); left > 0;) {
        const ssize_t count = ::write(STDERR_FILENO, text, left);
        if (count <= 0)
            return;
        text += count;
        left -= static_cast<std::size_t>(count);
    }
}

/// Gives `give` the parts of the sentence one after the other.
template <class Give>
void giveSentence(const char* what, Give give) {
    const bool running = activity()[0] != '\0';
    if (running) {
        give(activity());
        if (activityStep()[0] != '\0') {
            give(", ");
            give(activityStep());
        }
        give(": ");
    }
    give(what);
    if (running) {
        give("; ");
        give(failure_words::kUsualCause);
    }
}

/// One line, so that it is what the window shows.
void sayWhere(const char* what) {
    put("\nheteroscope-cli: error: ");
    giveSentence(what, put);
    put("\n");
}

const char* sentenceOf(int number) {
    switch (number) {
    case SIGSEGV:
        return failure_words::kMemoryAccess;
    case SIGBUS:
        return failure_words::kMemoryError;
    case SIGFPE:
        return failure_words::kArithmetic;
    case SIGILL:
        return failure_words::kInstruction;
    default:
        return failure_words::kGaveUp;
    }
}

void onCrash(int number) {
    sayWhere(sentenceOf(number));
    ::_exit(static_cast<int>(ExitCode::RunFailed));
}

void onTerminate() {
    const char* what = failure_words::kNobodyCaught;
    try {
        if (const std::exception_ptr current = std::current_exception())
            std::rethrow_exception(current);
    } catch (const std::bad_alloc&) {
        what = failure_words::kProcessRanOut;
    } catch (...) {
    }
    sayWhere(what);
    ::_exit(static_cast<int>(ExitCode::RunFailed));
}

/// A library that can start no thread calls exit() from where the computation stands: nothing of ours is
/// broken or held then.
void tellBefore(const char* what) {
    const auto tell = std::exchange(beforeExit.tell, nullptr);
    if (!tell || std::this_thread::get_id() != beforeExit.thread)
        return;
    try {
        std::string words;
        giveSentence(what, [&words](const char* part) { words += part; });
        tell(words);
    } catch (const std::exception&) { // no memory, no thread: the words have been said
    }
}

void onExit() {
    if (activity()[0] == '\0')
        return;
    constexpr const char* kWhat = failure_words::kLibraryEnded;
    sayWhere(kWhat); // first: what follows may need what is missing
    tellBefore(kWhat);
    ::_exit(static_cast<int>(ExitCode::RunFailed));
}

void catchSignals() {
    if (kSanitizer)
        return;
    stack_t stack{};
    stack.ss_sp = signalStack.data();
    stack.ss_size = signalStack.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = onCrash;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
        ::sigaction(number, &action, nullptr);
}

} // namespace

void installLastWords() {
    catchSignals();
    std::set_terminate(onTerminate);
    static_cast<void>(std::atexit(onExit));
}

BeforeLastWords::BeforeLastWords(std::function<void(const std::string&)> tell) {
    beforeExit = {std::move(tell), std::this_thread::get_id()};
}

BeforeLastWords::~BeforeLastWords() {
    beforeExit = {};
}

} // namespace heteroscope::cli
