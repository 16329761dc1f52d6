// SPDX-License-Identifier: Apache-2.0
// What a trace says of the device's work, as JSON for programs. Times in ns, sizes in bytes, shares 0 to 1.
#pragma once

#include "compute/base/json.h"
#include "profiling/analysis/advice.h"
#include "profiling/analysis/roofline.h"

namespace heteroscope::profiling {

/// {"wall_ns", "execute_ns", ... one for each part, "kernels", "copies", "without_launch"}.
Json deviceTimeJson(const DeviceTimeSplit& split);
/// {"wall_ns", "busy_ns", "groups": [{"direction", "memory", "count", "bytes", "busy_ns", "gb_s",
/// "link_peak_gb_s" (null: unknown) ...}], "ops": [...], "phases": [...]}.
Json transfersJson(const TransferBreakdown& transfers);
Json adviceJson(const Advice& advice);
/// All of a report: {"transfers", "runs": [{"run", "target", "samples", "time", "transfers"}], "advice"}.
Json deviceReportJson(const DeviceReport& report);
/// {"devices": [{"device", "name", "memory_bytes_s", "memory_source", "fp32_flop_s", "fp32_source",
/// "ridge_flop_byte"}], "ops": [{"op", "detail", "implementation", "target", "runs", "bytes", "flops",
/// "time_ns": {...}, "intensity", "flop_s", "bytes_s", "bound", "share" ...}], "notes"}. A roof that is not
/// known is null, and its source is the reason.
Json rooflineJson(const Roofline& roofline);

} // namespace heteroscope::profiling
