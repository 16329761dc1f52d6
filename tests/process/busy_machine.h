// SPDX-License-Identifier: Apache-2.0
// Other programs, for tests of what they disturb.
#pragma once

#include <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace heteroscope::process_test {

/// As many processes as there are processors, which do nothing but run.
class BusyMachine {
  public:
    BusyMachine() {
        for (long i = 0; i < ::sysconf(_SC_NPROCESSORS_ONLN); ++i) {
            const pid_t pid = ::fork();
            if (pid == 0) {
                ::prctl(PR_SET_PDEATHSIG, SIGKILL);
                for (;;)
                    if (::getppid() == 1)
                        ::_exit(0);
            }
            m_processes.push_back(pid);
        }
    }
    ~BusyMachine() {
        for (const pid_t pid : m_processes) {
            ::kill(pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
        }
    }
    BusyMachine(const BusyMachine&) = delete;
    BusyMachine& operator=(const BusyMachine&) = delete;

  private:
    std::vector<pid_t> m_processes;
};

} // namespace heteroscope::process_test
