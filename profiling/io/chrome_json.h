// SPDX-License-Identifier: Apache-2.0
// Chrome Trace Event JSON: in and out.
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#pragma once

#include "compute/base/output_file.h"
#include "compute/base/result.h"
#include "profiling/io/import_report.h"
#include "profiling/trace/trace.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>

namespace heteroscope::profiling {

/// progress(fraction) returns false to stop (Cancelled). Reads .json and gzip-compressed .json.gz. What would
/// take more than the process's memory limit is refused (OutOfMemory); the trace may hold a part of it then.
/// Events on tracks beyond kMaxTracks are skipped. The trace's quality() holds the report's notes and
/// skipped.
Result<ImportReport> importChromeJson(const std::string& path, Trace& trace,
                                      const std::function<bool(double)>& progress = {});
Result<ImportReport> importChromeJsonText(std::string_view text, Trace& trace,
                                          const std::function<bool(double)>& progress = {});
/// Opens in Perfetto and chrome://tracing. The file is whole or as it was. Errors: OutputFile's, Io.
Status exportChromeJson(const Trace& trace, const std::string& path, const OutputRules& rules = {});
/// The same text handed to `write` piece by piece; false as soon as it returns false. The trace may grow
/// meanwhile.
bool writeChromeJson(const Trace& trace, const std::function<bool(std::string_view)>& write);

} // namespace heteroscope::profiling
