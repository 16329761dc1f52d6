// SPDX-License-Identifier: Apache-2.0
// What is in a run file and how its spans add up, as JSON, text and CSV. Pure functions.
#pragma once

#include "compute/base/exit_code.h"
#include "compute/base/json.h"
#include "compute/base/memory_budget.h"
#include "compute/base/result.h"
#include "profiling/analysis/sample_parts.h"
#include "profiling/analysis/time_set.h"
#include "profiling/stream/stream_reader.h"
#include "profiling/trace/trace.h"

#include <string>

namespace heteroscope::cli {

/// readRunFile, with a file that cannot be read as what it is here, or of which no record could be read: bad
/// input. Damage behind the first record is told on stderr.
Result<profiling::RunFile> readGivenRunFile(const std::string& path);
/// Of several that are held at once, within one budget.
Result<profiling::RunFile> readGivenRunFile(const std::string& path, MemoryBudget& budget);

/// Adds "state" ("whole", "being written", "stopped early", "damaged"), "state_sentence", of a damaged file
/// "damage", and of one with more after its end "trailing_bytes".
void putState(Json& record, const profiling::RunFile& file);
/// Tells on stderr how far a file goes that was stopped early or is being written.
void warnIfNotWhole(const profiling::RunFile& file, const std::string& path);

/// What was asked of a file is done; of a damaged one the exit code is that of bad input.
ExitCode readingEnds(ExitCode code, const profiling::RunFile& file);

Json runFileInfo(const profiling::RunFile& file);
std::string runFileInfoText(const profiling::RunFile& file);

// Of a window of the trace: durations and busy times are clipped to it.
Json spanStatistics(const profiling::Trace& trace, profiling::NsRange window);
/// Where the time of the traced samples on processors went; empty without any.
std::string samplePartsText(const std::vector<profiling::SampleParts>& all);
Json samplePartsJson(const std::vector<profiling::SampleParts>& all);
std::string spanStatisticsText(const profiling::Trace& trace, profiling::NsRange window);
std::string spanStatisticsCsv(const profiling::Trace& trace,
                              profiling::NsRange window); ///< C locale, one header line, RFC 4180 quotes

} // namespace heteroscope::cli
