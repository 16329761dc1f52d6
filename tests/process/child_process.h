// SPDX-License-Identifier: Apache-2.0
// Starts heteroscope-cli with pipes on its three streams, for tests. One thread; no waiting without a limit.
#pragma once

#include "tests/support/time_factor.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace heteroscope::process_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/// Whether Options::addressSpaceLimit leaves a program room: a sanitizer reserves terabytes for itself.
inline constexpr bool kAddressSpaceLimitsApply = false;
#else
inline constexpr bool kAddressSpaceLimitsApply = true;
#endif

using Milliseconds = std::chrono::milliseconds;

struct Finished {
    int exitCode = -1; ///< -1 when a signal ended it
    int signal = 0;
    long peakKiB = 0; ///< most memory it held at one time
    std::string out, err;
};

class ChildProcess {
  public:
    struct Options {
        std::string directory;                ///< working directory; empty: this one
        std::string stdoutPath;               ///< instead of a pipe, e.g. /dev/full
        std::string stderrPath;               ///< instead of a pipe
        std::string redirections;             ///< of a shell, e.g. "> out.json 2>&1"
        std::vector<int> closed;              ///< descriptors of 0 to 2 that it is started without
        long fileSizeLimit = -1;              ///< RLIMIT_FSIZE in bytes
        long addressSpaceLimit = -1;          ///< RLIMIT_AS in bytes
        long descriptorLimit = -1;            ///< RLIMIT_NOFILE
        bool ordinary = false;                ///< without root's rights to the files of others
        std::vector<std::string> environment; ///< "NAME=value", added
        std::vector<std::string> unset;       ///< names, taken out
    };

    explicit ChildProcess(const std::vector<std::string>& arguments) : ChildProcess(arguments, Options()) {}
    ChildProcess(const std::vector<std::string>& arguments, const Options& options);
    ~ChildProcess(); ///< kills what still runs
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t pid() const { return m_pid; }
    void write(const std::string& text);
    void closeStdin();
    void closeStdout(); ///< our end: the child's next write to it fails
    void signal(int number);

    /// Waits until stdout has at least `bytes` bytes or ended; false after the limit.
    bool waitForOutput(std::size_t bytes, Milliseconds limit);
    /// Reads what is there for at most `limit`; false when stdout has ended.
    bool pump(Milliseconds limit);
    const std::string& out() const { return m_out; }
    const std::string& err() const { return m_err; }

    /// Reads both streams to their end and collects the exit; kills the child after the limit (signal 9
    /// then).
    Finished finish(Milliseconds limit = Milliseconds(60000 * kTimeFactor));

  private:
    void readReady(int& fd, std::string& into);
    void start(const std::vector<std::string>& arguments, const Options& options, const int* in,
               const int* out, const int* err);

    pid_t m_pid = -1;
    int m_in = -1, m_outFd = -1, m_errFd = -1;
    std::string m_out, m_err;
};

/// The processes that this one has started and not yet collected.
std::vector<pid_t> childrenOf(pid_t parent);

std::string programPath();

/// Runs to the end with `input` on stdin, which is closed afterwards.
Finished runCli(const std::vector<std::string>& arguments, const std::string& input = {},
                const ChildProcess::Options& options = {});

/// A folder that is removed at the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::string file(const std::string& name) const { return m_path + "/" + name; }
    const std::string& path() const { return m_path; }

  private:
    std::string m_path;
};

std::string readText(const std::string& path);
void writeText(const std::string& path, const std::string& text);
std::string examplePath(const std::string& name); ///< below resources/examples

} // namespace heteroscope::process_test
