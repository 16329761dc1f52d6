// SPDX-License-Identifier: Apache-2.0
// What else the processors did while a sample was taken: other programs, the hypervisor, a slower clock.
// Read from Linux' /proc and /sys, see proc(5). One thread; reads take what the machine shows at that moment.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace heteroscope {

/// Of one sample. Times in ms; the processors are those that this process may use.
struct Disturbance {
    double spanMs = 0; ///< between the two readings, which lie around the sample
    /// Threads of this process were ready and waited for a processor that others had. Nothing: the kernel
    /// does not say, or more threads of this process computed than there are processors, so that they wait
    /// for each other.
    std::optional<double> waitedMs;
    /// Processor time of others, in steps of the kernel's tick: a few ticks wrong, also below 0, so that only
    /// sums over many samples say something.
    double othersMs = 0;
    double stolenMs = 0;                ///< taken by the hypervisor, in steps of the tick
    std::optional<double> mhz;          ///< of the processor on which the sample ended; nothing: not readable
    double loopUs = 0;                  ///< calibrationLoopUs() after the sample
    std::optional<double> celsius = {}; ///< of the hottest processor after it; nothing: not readable
};

/// Clocks of the GPU that a sample ran on, as its driver told them right after the sample: while it ran the
/// clocks may have been others. Values; what the driver does not tell is absent.
struct DeviceClocks {
    std::optional<double> smMhz, memoryMhz;
    std::string heldBackBy; ///< "power limit", "heat, power brake"; empty: nothing
    bool idle = false;      ///< the driver still called the device idle: its clocks had not risen
};

/// From this share of its span on, a disturbance may make a sample longer by the smallest effect that
/// verdicts know (kSmallestEffect of statistics.h).
inline constexpr double kDisturbedShare = 0.02;

/// Whether something else took so much of the processors that the sample needed: its threads waited, or the
/// hypervisor took time, for kDisturbedShare of the span. Where waiting is not known, whether others computed
/// for so long, and for more than two ticks.
bool isDisturbed(const Disturbance& disturbance);

/// Microseconds of a loop of dependent additions and multiplications, the best of three: a constant number of
/// cycles, so that it is longer by as much as the clock is slower.
double calibrationLoopUs();

/// One tick of the kernel's accounting, in ms.
double tickMs();

class DisturbanceWatch {
  public:
    /// Begins now.
    DisturbanceWatch();
    ~DisturbanceWatch();
    DisturbanceWatch(const DisturbanceWatch&) = delete;
    DisturbanceWatch& operator=(const DisturbanceWatch&) = delete;
    /// From the beginning until now; runs the calibration loop afterwards.
    Disturbance end() const;

  private:
    struct Reading;
    static Reading read();

    std::unique_ptr<Reading> m_begin;
};

} // namespace heteroscope
