// SPDX-License-Identifier: Apache-2.0
// What may disturb the timings of a study: codes with values, as the environment record of run files holds
// them ("note_codes"), and their sentences ("notes", in the same order). Pure functions; any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/phrase.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace heteroscope {

/// What "code" of a note may be.
namespace note_code {
inline constexpr std::string_view kDebugBuild = "debug_build";
inline constexpr std::string_view kCpuGovernor = "cpu_governor";       ///< "governor"
inline constexpr std::string_view kLoadAverage = "load_average";       ///< "load_average", "cores"
inline constexpr std::string_view kPassiveWaiting = "passive_waiting"; ///< "other_threads", on average
/// "processes", "processes_needed", "cause": one of few_processes
inline constexpr std::string_view kFewProcesses = "few_processes";
} // namespace note_code

inline constexpr std::array<std::string_view, 5> kNoteCodes = {
    note_code::kDebugBuild, note_code::kCpuGovernor, note_code::kLoadAverage, note_code::kPassiveWaiting,
    note_code::kFewProcesses};

/// Why the samples come from fewer processes than verdicts need.
namespace few_processes {
inline constexpr std::string_view kSamplesAsked = "samples_asked";     ///< fewer samples than processes
inline constexpr std::string_view kProcessesAsked = "processes_asked"; ///< the experiment says so
inline constexpr std::string_view kTrainedOnce =
    "trained_once"; ///< a training on a dataset at preset standard
inline constexpr std::string_view kPresetQuick = "preset_quick"; ///< which asks for no verdict: never a note
} // namespace few_processes

inline constexpr std::array<std::string_view, 3> kFewProcessesCauses = {
    few_processes::kSamplesAsked, few_processes::kProcessesAsked, few_processes::kTrainedOnce};

Json debugBuildNote();
Json governorNote(const std::string& governor);
Json loadAverageNote(double loadAverage, std::int64_t cores);
Json passiveWaitingNote(double otherThreads);
Json fewProcessesNote(std::int64_t processes, std::int64_t needed, std::string_view cause);

/// The sentence of a note; empty where its code is not known or its values are not what they should be: it
/// may be of a later version, or damaged.
Phrase notePhrase(const Json& note);

/// Appends a note and its English sentence to those of an environment record.
void addNote(Json& environment, Json note);

} // namespace heteroscope
