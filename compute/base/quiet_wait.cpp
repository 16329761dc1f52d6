// SPDX-License-Identifier: Apache-2.0
#include "compute/base/quiet_wait.h"

#include "compute/base/clock.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace heteroscope {
namespace {

constexpr double kStopLookedAtS = 0.02;

bool isStopped(const std::atomic<bool>* stop) {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
}

} // namespace

bool isQuiet(const Disturbance& whileAsleep) {
    Disturbance others = whileAsleep;
    others.waitedMs.reset(); // a thread that sleeps waits for no processor
    return !isDisturbed(others);
}

LookAtMachine lookWhileAsleep(const std::atomic<bool>* stop) {
    return [stop](double seconds) {
        const DisturbanceWatch watch;
        const std::int64_t start = steadyNowNs();
        const auto leftS = [&] { return seconds - static_cast<double>(steadyNowNs() - start) * 1e-9; };
        for (double left = seconds; left > 0 && !isStopped(stop); left = leftS())
            std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, kStopLookedAtS)));
        return watch.end();
    };
}

QuietWait waitUntilQuiet(double limitS, const LookAtMachine& look, const std::atomic<bool>* stop) {
    QuietWait wait;
    while (!wait.isQuiet && wait.seconds + kQuietWindowS <= limitS && !isStopped(stop)) {
        const Disturbance seen = look(kQuietWindowS);
        wait.isQuiet = !isStopped(stop) && isQuiet(seen);
        wait.seconds += kQuietWindowS;
    }
    return wait;
}

} // namespace heteroscope
