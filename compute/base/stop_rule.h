// SPDX-License-Identifier: Apache-2.0
// Which rules ended the sampling of a run: codes with values, as outcomes, run files and results hold them,
// and the sentence that they make. Pure functions; any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/phrase.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heteroscope {

/// What "code" of a rule may be. Of several processes "samples" and "processes" are of those that it ended.
namespace stop_code {
inline constexpr std::string_view kSampleCount = "sample_count";     ///< "samples"
inline constexpr std::string_view kIntervalWidth = "interval_width"; ///< "relative_width", "samples"
/// "time_limit_s", "samples"; "study_time_limit_s" where processes share it, "samples_asked" where as many
/// were asked for
inline constexpr std::string_view kTimeLimit = "time_limit";
inline constexpr std::string_view kEpochCount = "epoch_count";         ///< "epochs": all that were asked for
inline constexpr std::string_view kEpochsExceeded = "epochs_exceeded"; ///< "epochs", "epochs_asked"
inline constexpr std::string_view kEarlyStopping = "early_stopping";   ///< "patience_epochs"
inline constexpr std::string_view kRateSearch = "rate_search";         ///< "learning_rates": all of them
inline constexpr std::string_view kRateSearchDiverged = "rate_search_diverged";
} // namespace stop_code

inline constexpr std::array<std::string_view, 8> kStopCodes = {
    stop_code::kSampleCount, stop_code::kIntervalWidth,     stop_code::kTimeLimit,
    stop_code::kEpochCount,  stop_code::kEpochsExceeded,    stop_code::kEarlyStopping,
    stop_code::kRateSearch,  stop_code::kRateSearchDiverged};

/// Seconds of timed spans of a run, in all processes together, after which preset standard ends its sampling
/// where the experiment does not say.
inline constexpr double kStandardLimitS = 6.0;

// What ended one process: {"rules": [{"code": ..., ...}]}.
Json stoppedBySampleCount(std::int64_t samples);
/// `relativeWidth`: that the 95 % interval of the median had to be narrower than, as a share of the median.
Json stoppedByIntervalWidth(double relativeWidth, std::int64_t samples);

struct TimeLimit {
    double limitS = 0;                        ///< of one process
    std::optional<double> studyS;             ///< of all processes, where they share it
    std::int64_t samples = 0;                 ///< taken
    std::optional<std::int64_t> samplesAsked; ///< where their number was given
};
Json stoppedByTimeLimit(const TimeLimit& limit);

/// A training that has all epochs, or had more before it was resumed.
Json stoppedByEpochs(std::int64_t epochs, std::int64_t asked);
Json stoppedByEarlyStopping(std::int64_t patienceEpochs);
Json stoppedByRateSearch(std::int64_t learningRates);
Json stoppedByRateSearchDiverged();
/// A rule that is known by its sentence only.
Json stoppedBySentence(const std::string& sentence);

/// Of the processes that were to take a run's samples.
struct ProcessEndings {
    int planned = 1, sampled = 1; ///< that gave samples
    int ended = 1;                ///< that came to the run's end
    bool cancelled = false;
};
/// What ended a run in several processes: equal rules are one, with the samples of each process, and
/// "processes" says in how many. `endings` are of those that came to their end.
Json stoppedInProcesses(const std::vector<Json>& endings, const ProcessEndings& processes);

/// "95 % interval within 1.73 % after 9 samples; time limit 2 s of 6 s after 12, 15 samples, in 3 processes".
/// Empty where `stopped` holds no rule, or anything that is not known: it may be of a later version, or
/// damaged.
Phrase stopPhrase(const Json& stopped);
/// Whether a time limit ended one of the processes.
bool hasTimeLimit(const Json& stopped);

} // namespace heteroscope
