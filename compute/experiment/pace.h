// SPDX-License-Identifier: Apache-2.0
// How long a study will still take, from the speed of what has run. One thread.
#pragma once

#include "compute/experiment/study_observer.h"

#include <map>
#include <string>
#include <vector>

namespace heteroscope::compute {

class Pace {
  public:
    Pace(const std::vector<RunDefinition>& runs, int samplesPerRun, double timeLimitS);

    /// A repetition of the run took that long.
    void measured(const RunDefinition& run, double seconds);
    void finished(int run);
    /// `share` of the samples of an open run is taken.
    void advanced(int run, double share);

    /// Negative while nothing was measured.
    double remainingS() const;
    double fraction(double elapsedS) const;

    /// Seconds a repetition should take on this target, from what it did before; negative when unknown.
    double predictedS(const std::string& target, double flops) const;

  private:
    double expectedRunS(const RunDefinition& run) const;

    const std::vector<RunDefinition>& m_runs;
    int m_samplesPerRun;
    double m_timeLimitS;
    std::map<std::string, double> m_secondsPerFlop; ///< by target, of its latest point
    std::vector<double> m_share;                    ///< 0 to 1 by run
};

} // namespace heteroscope::compute
