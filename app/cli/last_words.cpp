// SPDX-License-Identifier: Apache-2.0
#include "app/cli/last_words.h"

#include "compute/base/activity.h"
#include "compute/base/crash_signals.h"
#include "compute/base/exit_code.h"
#include "compute/base/failure_words.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>
#include <unistd.h>
#include <utility>

namespace heteroscope::cli {
namespace {

/// What BeforeLastWords gave, and its thread.
struct Before {
    std::function<void(const std::string&)> tell;
    std::thread::id thread;
};
Before beforeExit;

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
    writeToStderr("\nheteroscope-cli: error: ");
    giveSentence(what, writeToStderr);
    writeToStderr("\n");
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

} // namespace

void installLastWords() {
    onCrashSignals(onCrash);
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
