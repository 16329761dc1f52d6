// SPDX-License-Identifier: Apache-2.0
// What this process computes at the moment, kept where a signal handler can read it: a library that runs out
// of memory may end the process without a word, and this names the place. Set by the runner's thread, read by
// any thread and by signal handlers; a text that is being written may be read half.
#pragma once

#include "compute/base/phrase.h"

#include <functional>
#include <string_view>

namespace heteroscope {

/// What steps of the runner itself are called; a step of samples is "PURPOSE, " and one of the last four of
/// the first list, that of a part of a repetition "PURPOSE, " and one of the second. Other steps are layers
/// and operations.
namespace activity_step {
inline constexpr const char *kPlanning = words("planning"), *kInputs = words("inputs"),
                            *kOperands = words("operands"), *kCheck = words("check against cpu/sequential"),
                            *kFirstUse = words("first use"), *kWarmUp = words("warm-up"),
                            *kTimed = words("timed samples"), *kTraced = words("traced samples"),
                            *kQuiet = words("waiting for a quiet machine");
inline constexpr const char *kForward = words("forward"), *kLoss = words("loss"),
                            *kBackward = words("backward"), *kUpdate = words("update");
/// Purposes that are no operation.
inline constexpr const char *kTraining = words("training"), *kInference = words("inference");
inline constexpr const char* kLayer = words("layer \"%1\"");
} // namespace activity_step

/// "cpu/onednn, run 3, forecast 512.0 MiB"; empty: nothing is computed. Longer texts are cut.
void setActivity(std::string_view run);
/// "layer \"conv1\"" within it; cheap enough for each operation. setActivity() clears it.
void setActivityStep(std::string_view step);

const char* activity();
const char* activityStep();

/// While it lives, each new step that this thread sets is told before it begins: to whoever must know it when
/// the process is killed and leaves no words. Not for timed repetitions. One at a time on a thread.
class ActivityTold {
  public:
    explicit ActivityTold(std::function<void(std::string_view step)> tell);
    ~ActivityTold();
    ActivityTold(const ActivityTold&) = delete;
    ActivityTold& operator=(const ActivityTold&) = delete;

  private:
    std::function<void(std::string_view)> m_tell;
};

} // namespace heteroscope
