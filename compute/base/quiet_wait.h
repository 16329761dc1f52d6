// SPDX-License-Identifier: Apache-2.0
// Waiting until other programs leave the processors alone. One thread.
#pragma once

#include "compute/base/disturbance.h"

#include <atomic>
#include <functional>

namespace heteroscope {

/// The machine is looked at for so long at a time; one tick of the kernel's accounting is little of it.
inline constexpr double kQuietWindowS = 1.0;

/// Whether others and the hypervisor took less of the processors, while this process slept, than makes a
/// sample disturbed.
bool isQuiet(const Disturbance& whileAsleep);

/// What the processors did during so many seconds of sleep; less where it is told to stop.
using LookAtMachine = std::function<Disturbance(double seconds)>;

/// Sleeps; looks at `stop` every 20 ms, which may be null.
LookAtMachine lookWhileAsleep(const std::atomic<bool>* stop);

struct QuietWait {
    bool isQuiet = false; ///< in the last window
    double seconds = 0;   ///< of all windows
};

/// Looks until a window is quiet, as often as windows fit into `limitS`. `stop` may be null.
QuietWait waitUntilQuiet(double limitS, const LookAtMachine& look, const std::atomic<bool>* stop);

} // namespace heteroscope
