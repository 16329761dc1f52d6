// SPDX-License-Identifier: Apache-2.0
#include "tests/support/kill_at/kill_at.h"

#include "tests/support/kill_at/file_calls.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heteroscope::test {
namespace {

constexpr int kCannotWatch = 126, kCannotStart = 127;
constexpr long kOptions = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
                          PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;

/// A file without a name that takes what the program says.
class Output {
  public:
    Output() : m_file(std::tmpfile()) {}
    ~Output() { std::fclose(m_file); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    int fd() const { return ::fileno(m_file); }
    std::string text() const {
        std::string text(static_cast<std::size_t>(::lseek(fd(), 0, SEEK_END)), '\0');
        const ssize_t count = ::pread(fd(), text.data(), text.size(), 0);
        text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
        return text;
    }

  private:
    std::FILE* m_file;
};

/// The leak checker of a sanitizer stops processes itself, which two cannot do.
void leaveLeaksToOthers() {
    const char* before = std::getenv("ASAN_OPTIONS");
    ::setenv("ASAN_OPTIONS", (std::string(before != nullptr ? before : "") + ":detect_leaks=0").c_str(), 1);
}

[[noreturn]] void becomeProgram(const std::vector<std::string>& arguments, int output, bool watched) {
    leaveLeaksToOthers();
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    std::vector<char*> words;
    for (const std::string& argument : arguments)
        words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    if (watched &&
        (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0 || ::raise(SIGSTOP) != 0 || !stopAtFileCalls()))
        ::_exit(kCannotWatch);
    ::execv(words.front(), words.data());
    ::_exit(kCannotStart);
}

bool isBelow(const std::string& path, const std::string& folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

class Watch {
  public:
    Watch(pid_t program, const std::string& folder, int at)
        : m_program(program), m_folder(folder), m_at(at) {}

    KilledRun toEnd() {
        int state = 0;
        for (;;) {
            const pid_t thread = ::waitpid(-1, &state, __WALL);
            if (thread < 0 && errno != EINTR)
                return m_run;
            if (thread == m_program && (WIFEXITED(state) || WIFSIGNALED(state)))
                m_run.exitCode = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
            if (thread > 0 && WIFSTOPPED(state))
                goOn(thread, state);
        }
    }

  private:
    void goOn(pid_t thread, int state) {
        const bool atCall = state >> 8 == (SIGTRAP | (PTRACE_EVENT_SECCOMP << 8));
        if (atCall && !m_run.killed && note(thread)) {
            m_run.killed = true;
            ::kill(m_program, SIGKILL);
        }
        const int signal = WSTOPSIG(state);
        const bool own = signal == SIGTRAP || signal == SIGSTOP; // of the watching itself
        ::ptrace(PTRACE_CONT, thread, nullptr, own ? 0 : signal);
    }

    /// True: this is the call.
    bool note(pid_t thread) {
        const auto call = fileCallOf(thread);
        if (!call || (!isBelow(call->path, m_folder) && !isBelow(call->to, m_folder)))
            return false;
        m_run.calls.push_back(*call);
        return static_cast<int>(m_run.calls.size()) == m_at;
    }

    pid_t m_program;
    const std::string& m_folder;
    int m_at;
    KilledRun m_run;
};

} // namespace

std::optional<KilledRun> runKilledAt(const std::vector<std::string>& arguments, const std::string& folder,
                                     int at, std::string* why) {
    const Output output;
    const pid_t program = ::fork();
    if (program == 0)
        becomeProgram(arguments, output.fd(), true);
    int state = 0;
    if (program < 0 || ::waitpid(program, &state, 0) != program || !WIFSTOPPED(state) ||
        ::ptrace(PTRACE_SETOPTIONS, program, nullptr, kOptions) != 0) {
        *why = std::string("programs cannot be watched here: ") + std::strerror(errno);
        if (program > 0 && ::kill(program, SIGKILL) == 0)
            ::waitpid(program, &state, 0);
        return std::nullopt;
    }
    ::ptrace(PTRACE_CONT, program, nullptr, 0);
    KilledRun run = Watch(program, folder, at).toEnd();
    run.output = output.text();
    if (run.exitCode == kCannotWatch || run.exitCode == kCannotStart) {
        *why = run.exitCode == kCannotWatch ? "system calls cannot be filtered here"
                                            : "the program cannot be started";
        return std::nullopt;
    }
    return run;
}

std::optional<KilledRun> runToEnd(const std::vector<std::string>& arguments, std::string* why) {
    const Output output;
    const pid_t program = ::fork();
    if (program == 0)
        becomeProgram(arguments, output.fd(), false);
    int state = 0;
    if (program < 0 || ::waitpid(program, &state, 0) != program) {
        *why = std::string("the program cannot be started: ") + std::strerror(errno);
        return std::nullopt;
    }
    KilledRun run;
    run.exitCode = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    run.output = output.text();
    return run;
}

} // namespace heteroscope::test
