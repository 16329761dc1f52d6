// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/last_words.h"

#include "compute/base/crash_signals.h"
#include "compute/base/exit_code.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <unistd.h>

namespace heteroscope {

namespace {

constexpr const char* kKept = "; a run that was recorded is in its file up to here, and unsaved changes are "
                              "offered at the next start\n";

void sayLast(const char* what) {
    writeToStderr("\nheteroscope: error: ");
    writeToStderr(what);
    writeToStderr(kKept);
}

const char* signalWords(int number) {
    switch (number) {
    case SIGSEGV:
        return "the window was ended by SIGSEGV";
    case SIGBUS:
        return "the window was ended by SIGBUS";
    case SIGFPE:
        return "the window was ended by SIGFPE";
    case SIGILL:
        return "the window was ended by SIGILL";
    default:
        return "the window was ended by SIGABRT";
    }
}

/// What the signal does by itself comes next, a core file where they are kept.
void onSignal(int number) {
    sayLast(signalWords(number));
    static_cast<void>(::raise(number)); // its action was reset when this was called
}

void onStall(int) {
    sayLast(
        "the window did not go on, as where no thread can be started or memory ends inside a library: "
        "close other programs, or raise the limits of this process (ulimit -u, ulimit -v, control group)");
    ::_exit(static_cast<int>(ExitCode::RunFailed));
}

[[noreturn]] void onTerminate() {
    try {
        if (const std::exception_ptr current = std::current_exception())
            std::rethrow_exception(current);
    } catch (const std::bad_alloc&) {
        sayLast("the memory of this process ran out: close other programs, open less at a time, or raise its "
                "limit (ulimit -v, control group)");
        ::_exit(static_cast<int>(ExitCode::RunFailed));
    } catch (...) {
        writeToStderr("\nheteroscope: error: an internal error that nobody caught\n");
    }
    std::abort();
}

} // namespace

void installLastWords() {
    std::set_terminate(onTerminate);
    onCrashSignals(onSignal);
    static_cast<void>(std::signal(SIGALRM, onStall));
}

void endUnlessCalledWithin(unsigned seconds) {
    ::alarm(seconds);
}

} // namespace heteroscope
