// SPDX-License-Identifier: Apache-2.0
// What threads of OpenMP do while they wait for each other: spin, which is quickest on a machine of their
// own, or sleep, which leaves the processors to others. The library of OpenMP reads it from the environment
// when the program starts; app/cli/choose_wait_policy sets it. Pure but for the environment; any thread.
#pragma once

#include <string>

namespace heteroscope {

/// OMP_WAIT_POLICY as OpenMP defines it.
inline constexpr const char* kWaitPolicyVariable = "OMP_WAIT_POLICY";
/// Set where this program chooses: how many other threads ran at the start, on average. Processes that it
/// starts do not choose again.
inline constexpr const char* kOthersRunningVariable = "HETEROSCOPE_OTHERS_RUNNING";

struct WaitPolicy {
    std::string policy;        ///< "active", "passive", or "default": the library spins a while, then sleeps
    std::string othersRunning; ///< a number as a text where that chose the policy, else empty
};

/// That of this process.
WaitPolicy waitPolicy();

/// Whether a team of as many threads as processors may be used would have to share them: `othersRunning`
/// other threads run on the machine's `online` processors, of which this process may use `usable`.
bool isShared(double othersRunning, int usable, int online);

} // namespace heteroscope
