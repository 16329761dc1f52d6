// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/run_phrase.h"

#include "compute/base/axis_name.h"

namespace heteroscope::profiling {

Phrase runPhrase(const StudyRun& run) {
    return joined({run.target, pointPhrase(run.point)}, ", ");
}

Phrase progressPhrase(const Study& study) {
    const StudyProgress& now = study.progress;
    const bool hasRun = now.run >= 0 && now.run < static_cast<int>(study.runs.size());
    const Phrase run = hasRun ? runPhrase(study.runs[static_cast<std::size_t>(now.run)]) : Phrase();
    if (now.processes < 2)
        return run;
    const std::vector<Phrase> process = {std::to_string(std::int64_t{now.process} + 1),
                                         std::to_string(now.processes)};
    return hasRun ? say(words("process %1 of %2: %3"), {process[0], process[1], run})
                  : say(words("process %1 of %2"), process);
}

} // namespace heteroscope::profiling
