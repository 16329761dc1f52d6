// SPDX-License-Identifier: Apache-2.0
// Writes a whole trace store as frames.
#pragma once

#include "compute/base/result.h"
#include "profiling/stream/stream_writer.h"
#include "profiling/trace/trace.h"

namespace heteroscope::cli {

/// Strings, tracks, argument sets, spans, counters, flows and data quality. The trace is complete: nobody
/// writes to it meanwhile. Errors: the writer's.
Status writeTraceFrames(const profiling::Trace& trace, profiling::StreamWriter& writer);

} // namespace heteroscope::cli
