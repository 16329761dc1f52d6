// SPDX-License-Identifier: Apache-2.0
// Times of a machine that is not quiet, drawn at random: processes differ, samples hang together, it drifts
// and jumps between levels. The same seed draws the same times. One thread.
#pragma once

#include <cmath>
#include <random>

namespace heteroscope::test {

/// Relative standard deviations, and what else happens.
struct Machine {
    const char* name;
    double process = 0; ///< of what a process has of its own for each side: its memory, its pages
    double moment = 0;  ///< of what both sides of a process share: clock, load
    double sample = 0.003;
    double outliers = 0;    ///< their share; such a sample takes up to three times as long
    double memory = 0;      ///< how much of a sample's deviation the next one has
    double drift = 0;       ///< from one sample to the next, of both sides
    double shifts = 0;      ///< how often, by sample, everything becomes a tenth slower, or quicker again
    double slowStudies = 0; ///< share of studies that take 1.8 times as long from their first to their last
                            ///< sample: their threads share a core
};

constexpr Machine kDifferingProcesses{"processes differ", 0.03, 0.03};
constexpr Machine kBusy{"busy", 0.1, 0.5, 0.2};
constexpr Machine kOutliers{"outliers", 0.01, 0.05, 0.005, 0.2};
constexpr Machine kHangingTogether{"samples hang together", 0.005, 0.02, 0.01, 0, 0.9};

/// A machine on which little happens; `moment` as above.
constexpr Machine quietMachine(double moment) {
    return {"quiet", 0.002, moment};
}

class DrawnTimes {
  public:
    DrawnTimes(const Machine& machine, unsigned seed) : m_machine(machine), m_random(seed) {}

    const Machine& machine() const { return m_machine; }
    /// A factor, which is around 1.
    double effect(double sd) { return std::exp(sd * m_normal(m_random)); }
    /// A sample of what takes `ms`. `deviation` is that of the sample before, of the same side of the same
    /// process, and becomes this one's; 0 before the first.
    double sample(double ms, double& deviation) {
        deviation = m_machine.memory * deviation + m_machine.sample * m_normal(m_random);
        ms *= std::exp(deviation);
        if (m_share(m_random) < m_machine.outliers)
            ms *= 1 + 2 * m_share(m_random);
        return ms;
    }
    /// What a whole study takes longer by.
    double study() {
        return m_machine.slowStudies > 0 && m_share(m_random) < m_machine.slowStudies ? 1.8 : 1;
    }
    /// Whether the level changes before the next sample.
    bool shifts() { return m_share(m_random) < m_machine.shifts; }

  private:
    Machine m_machine;
    std::mt19937 m_random;
    std::normal_distribution<double> m_normal{0, 1};
    std::uniform_real_distribution<double> m_share{0, 1};
};

} // namespace heteroscope::test
