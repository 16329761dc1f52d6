// SPDX-License-Identifier: Apache-2.0
// On a machine where other programs run, threads that spin while they wait take the processor from the thread
// that they wait for: a team then takes many times as long.
#pragma once

namespace heteroscope::cli {

/// Where the verb computes, other threads run on the processors that a team would use, and the environment
/// does not say how threads wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT, KMP_BLOCKTIME): starts the program anew
/// with OMP_WAIT_POLICY=passive, which libraries of OpenMP read once, when they are loaded. Returns where
/// nothing is to be changed, or nothing can be. Processes that this one starts do as this one. Call before
/// anything that computes, with the arguments of main(). Takes 20 ms.
void chooseWaitPolicy(int argc, char** argv);

} // namespace heteroscope::cli
