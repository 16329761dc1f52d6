// SPDX-License-Identifier: Apache-2.0
#include "tests/process/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <poll.h>
#include <sstream>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using Clock = std::chrono::steady_clock;

int leftMs(Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<Milliseconds>(deadline - Clock::now()).count();
    return left < 0 ? 0 : static_cast<int>(left);
}

void closeFd(int& fd) {
    if (fd >= 0)
        ::close(fd);
    fd = -1;
}

void makePipe(int* ends) {
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("pipe: ") + std::strerror(errno));
}

void redirect(int fd, const std::string& path, int pipeEnd) {
    const int source = path.empty() ? pipeEnd : ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (source < 0 || ::dup2(source, fd) < 0)
        ::_exit(126);
}

/// Negative: none.
void limit(int resource, long most) {
    const rlimit limits{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
    if (most >= 0 && ::setrlimit(static_cast<__rlimit_resource>(resource), &limits) != 0)
        ::_exit(126);
}

/// Also of the program that is started next, which root's rights would come back to.
void giveUpPrivileges() {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2]{};
    if ((::geteuid() == 0 && ::prctl(PR_SET_SECUREBITS, SECBIT_NOROOT | SECBIT_NOROOT_LOCKED) != 0) ||
        ::syscall(SYS_capset, &header, none) != 0)
        ::_exit(126);
}

} // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const Options& options) {
    std::signal(SIGPIPE, SIG_IGN); // a child that ended early is a finding, not our end
    int in[2], out[2], err[2];
    makePipe(in);
    makePipe(out);
    makePipe(err);
    start(arguments, options, in, out, err);
    ::close(in[0]);
    ::close(out[1]);
    ::close(err[1]);
    m_in = in[1];
    m_outFd = out[0];
    m_errFd = err[0];
}

void ChildProcess::start(const std::vector<std::string>& arguments, const Options& options, const int* in,
                         const int* out, const int* err) {
    std::vector<std::string> words{programPath()};
    if (!options.redirections.empty())
        words = {"/bin/sh", "-c", "exec \"$0\" \"$@\" " + options.redirections, programPath()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    m_pid = ::fork();
    if (m_pid < 0)
        throw std::runtime_error("fork failed");
    if (m_pid > 0)
        return;
    ::dup2(in[0], STDIN_FILENO);
    redirect(STDOUT_FILENO, options.stdoutPath, out[1]);
    redirect(STDERR_FILENO, options.stderrPath, err[1]);
    std::signal(SIGPIPE, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL); // nohup ignores it, and what it starts
    if (!options.directory.empty() && ::chdir(options.directory.c_str()) != 0)
        ::_exit(126);
    ::setenv("XDG_CACHE_HOME", "/proc/none/heteroscope", 1); // what somebody measured is no part of a test
    for (const std::string& name : options.unset)
        ::unsetenv(name.c_str());
    for (const std::string& pair : options.environment)
        ::putenv(const_cast<char*>(pair.c_str()));
    if (options.fileSizeLimit >= 0)
        std::signal(SIGXFSZ, SIG_DFL);
    if (options.ordinary)
        giveUpPrivileges();
    limit(RLIMIT_FSIZE, options.fileSizeLimit);
    limit(RLIMIT_AS, options.addressSpaceLimit);
    if (options.descriptorLimit >= 0)
        ::close_range(3, ~0U, 0); // what those who started this test left open would count
    limit(RLIMIT_NOFILE, options.descriptorLimit);
    for (const int fd : options.closed)
        ::close(fd);
    ::execv(argv[0], argv.data());
    ::_exit(127);
}

ChildProcess::~ChildProcess() {
    if (m_pid > 0) {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    closeFd(m_in);
    closeFd(m_outFd);
    closeFd(m_errFd);
}

void ChildProcess::write(const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::write(m_in, text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return; // the child no longer reads; its exit code says why
        done += static_cast<std::size_t>(count);
    }
}

void ChildProcess::closeStdin() {
    closeFd(m_in);
}

void ChildProcess::closeStdout() {
    closeFd(m_outFd);
}

void ChildProcess::signal(int number) {
    ::kill(m_pid, number);
}

void ChildProcess::readReady(int& fd, std::string& into) {
    std::array<char, 1 << 16> block;
    const ssize_t count = ::read(fd, block.data(), block.size());
    if (count > 0)
        into.append(block.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
        closeFd(fd);
}

bool ChildProcess::pump(Milliseconds limit) {
    std::array<pollfd, 2> watched{pollfd{m_outFd, POLLIN, 0}, pollfd{m_errFd, POLLIN, 0}};
    if (::poll(watched.data(), watched.size(), static_cast<int>(limit.count())) > 0) {
        if (watched[0].revents != 0)
            readReady(m_outFd, m_out);
        if (watched[1].revents != 0)
            readReady(m_errFd, m_err);
    }
    return m_outFd >= 0;
}

bool ChildProcess::waitForOutput(std::size_t bytes, Milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    while (m_out.size() < bytes && m_outFd >= 0 && Clock::now() < deadline)
        pump(Milliseconds(leftMs(deadline)));
    return m_out.size() >= bytes;
}

Finished ChildProcess::finish(Milliseconds limit) {
    const auto deadline = Clock::now() + limit;
    while ((m_outFd >= 0 || m_errFd >= 0) && Clock::now() < deadline)
        pump(Milliseconds(leftMs(deadline)));
    if (m_outFd >= 0 || m_errFd >= 0)
        ::kill(m_pid, SIGKILL);
    int status = 0;
    rusage used{};
    while (::wait4(m_pid, &status, 0, &used) < 0 && errno == EINTR) {
    }
    m_pid = -1;
    Finished finished;
    finished.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    finished.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    finished.peakKiB = used.ru_maxrss;
    finished.out = m_out;
    finished.err = m_err;
    return finished;
}

std::vector<pid_t> childrenOf(pid_t parent) {
    std::vector<pid_t> children;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        std::ifstream stat(entry.path() / "stat");
        std::ostringstream text;
        text << stat.rdbuf();
        const std::size_t behindName = text.str().rfind(')');
        if (behindName == std::string::npos)
            continue;
        char state = ' ';
        pid_t itsParent = 0;
        std::istringstream(text.str().substr(behindName + 1)) >> state >> itsParent;
        if (itsParent == parent && state != 'Z')
            children.push_back(std::stoi(entry.path().filename().string()));
    }
    return children;
}

std::string programPath() {
    return std::string(HETEROSCOPE_BINARY_DIR) + "/heteroscope-cli";
}

Finished runCli(const std::vector<std::string>& arguments, const std::string& input,
                const ChildProcess::Options& options) {
    ChildProcess child(arguments, options);
    child.write(input);
    child.closeStdin();
    return child.finish();
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heteroscope-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
        throw std::runtime_error("cannot make a temporary folder");
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::string readText(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void writeText(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string examplePath(const std::string& name) {
    return std::string(HETEROSCOPE_SOURCE_DIR) + "/resources/examples/" + name;
}

} // namespace heteroscope::process_test
