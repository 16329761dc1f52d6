// SPDX-License-Identifier: Apache-2.0
// The words of stop rules and of notes on the environment, as stop_rule.h and run_note.h say them and as
// files of earlier versions hold them, and of what holds a GPU's clocks back. Values; any thread.
#pragma once

#include "compute/base/phrase.h"

namespace heteroscope::run_words {

// Rules that ended the sampling.
inline constexpr const char *kSamples = words("%1 samples"), *kSample = words("1 sample"),
                            *kInterval = words("95 % interval within %1 % after %2 samples"),
                            *kSharedLimitOf = words("time limit %1 s of %2 s after %3 of %4 samples"),
                            *kSharedLimit = words("time limit %1 s of %2 s after %3 samples"),
                            *kSharedLimitOne = words("time limit %1 s of %2 s after 1 sample"),
                            *kLimitOf = words("time limit %1 s after %2 of %3 samples"),
                            *kLimit = words("time limit %1 s after %2 samples"),
                            *kLimitOne = words("time limit %1 s after 1 sample"),
                            *kEpochs = words("all %1 epochs"),
                            *kMoreEpochs = words("%1 epochs, and %2 are asked for"),
                            *kNoBetter = words("validation loss no better for %1 epochs"),
                            *kRates = words("all %1 learning rates"),
                            *kDiverged = words("the loss grew out of bounds");

// What follows them where several processes took the samples.
inline constexpr const char *kInEach = words("%1, in each of %2 processes"),
                            *kInAll = words("%1, in %2 processes"),
                            *kInSome = words("%1, in %2 of %3 processes"),
                            *kNotToTheEnd = words("%1, not to the end in %2 of them"),
                            *kCancelled = words("%1 (cancelled before the last)"),
                            *kIncomplete = words("%1 (incomplete)");

// Notes on the environment.
inline constexpr const char *kDebugBuild =
                                words("This is a debug build: timings are not those of a release build."),
                            *kGovernor = words("The processor's frequency governor is \"%1\": timings may "
                                               "vary with its clock."),
                            *kLoad = words("Other programs were busy: the load average was %1 on %2 cores."),
                            *kPassiveWaiting =
                                words("Other programs were running when this began (%1 threads on average): "
                                      "threads that wait for each other sleep instead of spinning "
                                      "(OMP_WAIT_POLICY=passive). Set OMP_WAIT_POLICY to decide it "
                                      "yourself."),
                            *kOneProcess = words("The samples come from 1 process: %1."),
                            *kProcesses = words("The samples come from %1 processes: %2.");

// Why there are fewer processes than a verdict needs.
inline constexpr const char *kSamplesAsked =
                                words("fewer samples were asked for than the %1 processes that a verdict "
                                      "needs; ask for more, or leave their number out"),
                            *kProcessesAsked = words("so many were asked for, and a verdict needs %1"),
                            *kTrainedOnce =
                                words("a training on a dataset is trained once, and a verdict needs %1 "
                                      "trainings: preset thesis, or processes %2");

// What holds a GPU's clocks back, as recordings name it.
inline constexpr const char *kPowerLimit = words("power limit"),
                            *kHardwareSlowdown = words("hardware slowdown"),
                            *kOtherClocks = words("another device's clocks"), *kHeat = words("heat"),
                            *kHardwareHeat = words("heat (hardware)"), *kPowerBrake = words("power brake");

} // namespace heteroscope::run_words
