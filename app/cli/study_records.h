// SPDX-License-Identifier: Apache-2.0
// The runner's records as the stream's: the same fields on both sides of the one place that knows both
// libraries.
#pragma once

#include "compute/experiment/study_observer.h"
#include "profiling/stream/study.h"

#include <string>

namespace heteroscope::cli {

profiling::StudyRun toStudyRun(const compute::RunDefinition& definition);
profiling::StudySample toStudySample(const compute::SampleRecord& record);
/// Puts the outcome into the run's record; samples stay.
void applyOutcome(profiling::StudyRun& run, const compute::RunOutcome& outcome);
compute::SampleRecord toSampleRecord(const profiling::StudySample& sample);
compute::RunOutcome toOutcome(const profiling::StudyRun& run);
compute::LogLevel levelOf(const std::string& name); ///< of "info", "warning", "error"
const char* levelName(compute::LogLevel level);

/// A study without runs: id, program, version and the instant that ties the steady clock to UTC.
profiling::Study newStudy();

} // namespace heteroscope::cli
