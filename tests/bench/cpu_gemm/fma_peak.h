// SPDX-License-Identifier: Apache-2.0
// What the processor's multipliers can do at most.
#pragma once

namespace heteroscope::bench {

/// GFLOP/s of `threads` threads that only multiply and add in registers, for about 50 ms, with the best
/// instructions of this processor.
double fmaPeak(int threads);

} // namespace heteroscope::bench
