// SPDX-License-Identifier: Apache-2.0
// The parts of a Study as payload maps and back. Keys equal the field names. Pure functions, any thread.
#pragma once

#include "profiling/stream/payload.h"
#include "profiling/stream/study.h"
#include "profiling/trace/trace.h"

#include <string_view>

namespace heteroscope::profiling {

std::string_view runStatusName(StudyRunStatus status); ///< "planned", "running", "ok", ...
/// For people and result files: runStatusName(), but "unfinished" of a run that was running when its
/// recording was `over`.
std::string_view runStatusWord(StudyRunStatus status, bool over);

Json encodeHeader(const Study& study);
Json encodeRun(const StudyRun& run);
Json encodeRunEnd(const StudyRun& run);
Json encodeSample(const StudySample& sample);
Json encodeLog(const StudyLog& entry);
Json encodeProgress(const StudyProgress& progress);
Json encodeActivity(const StudyActivity& activity);
Json encodeQuality(const DataQuality& quality);

// Errors are left in the payload: see Payload::status().
void decodeHeader(Payload& payload, Study& study);
StudyRun decodeRun(Payload& payload);
void decodeRunEnd(Payload& payload, StudyRun& run);
StudySample decodeSample(Payload& payload);
StudyLog decodeLog(Payload& payload);
StudyProgress decodeProgress(Payload& payload);
StudyActivity decodeActivity(Payload& payload);
DataQuality decodeQuality(Payload& payload);

} // namespace heteroscope::profiling
