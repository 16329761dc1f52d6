// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/run_phrase.h"

#include "compute/base/axis_name.h"

namespace heteroscope::profiling {

Phrase runPhrase(const StudyRun& run) {
    return joined({run.target, pointPhrase(run.point)}, ", ");
}

} // namespace heteroscope::profiling
