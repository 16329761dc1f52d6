// SPDX-License-Identifier: Apache-2.0
// This program started once more as a worker whose stream is read here. One thread.
#pragma once

#include "app/cli/stop_request.h"
#include "compute/base/result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace heteroscope::cli {

/// To be called in a worker: the death of the thread that started it kills it, also while it is held
/// (SIGSTOP), when it cannot see its standard input end. What it has sent was the other's to keep.
void endWithParent();

/// To be called where the end of standard input is the request to stop: the death of the thread that started
/// this process lets it go on when it is held (SIGSTOP), so that it sees that end.
void goOnWithoutParent();

class WorkerChild {
  public:
    WorkerChild() = default;
    ~WorkerChild(); ///< ends what still runs
    WorkerChild(const WorkerChild&) = delete;
    WorkerChild& operator=(const WorkerChild&) = delete;

    /// Starts this program with the arguments. Its stderr is `stderrFd`, which stays the caller's; negative:
    /// that of this process.
    Status start(const std::vector<std::string>& arguments, int stderrFd = -1);
    /// To its standard input, which stays open. Does not wait: what the pipe has no room for is sent by
    /// read(). What a worker that has ended does not take is no error.
    Status send(const std::string& text);
    /// Bytes of its stdout: empty at the end, or when nothing came within the time, or something was
    /// sent (ended() tells the first).
    Result<std::span<const std::uint8_t>> read(int timeoutMs);
    /// Reads to the end and hands all bytes on; passes a request to stop to the worker, and kills it when it
    /// has not ended 10 s later: it may be held, or hang. Error: reading, or `take`'s.
    Status readToEnd(const StopRequest& stop,
                     const std::function<Status(std::span<const std::uint8_t>)>& take);
    bool ended() const { return m_out < 0; }
    void requestStop(); ///< SIGTERM and the end of its standard input; lets one go on that is held (SIGSTOP)
    std::string wait(); ///< empty after exit code 0, else how it ended
    int exitCode() const { return m_exitCode; }
    int signal() const { return m_signal; } ///< that ended it, after wait(); 0: it ended by itself

  private:
    Status sendSome(); ///< as much as the pipe has room for

    std::string m_unsent;
    pid_t m_pid = -1;
    int m_in = -1, m_out = -1, m_exitCode = -1, m_signal = 0;
    std::vector<std::uint8_t> m_block;
};

} // namespace heteroscope::cli
