// SPDX-License-Identifier: Apache-2.0
// Writes a whole trace store as frames, e.g. to turn an imported trace into a run file. One thread; the trace
// must not be published to meanwhile.
#pragma once

#include "profiling/stream/stream_writer.h"
#include "profiling/trace/trace.h"

namespace heteroscope::profiling {

/// Everything but begin() and end(). The first failure of the writer ends it.
Status writeTrace(const Trace& trace, StreamWriter& writer);

} // namespace heteroscope::profiling
