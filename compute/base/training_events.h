// SPDX-License-Identifier: Apache-2.0
// What a training says while it runs: its steps, its epochs, and how it does on examples that it does not
// learn from. Plain values, shared by the runner and the stream; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heteroscope {

/// Steps one after the other. The vectors have one element a step. `accuracy` is the share of hits; with the
/// mean squared error the mean of |predicted - target|.
struct TrainingSteps {
    int run = 0;
    std::int64_t firstStep = 0; ///< of the whole training, from 0; a resumed one goes on counting
    std::int64_t stepsPerEpoch = 1;
    std::int64_t epochs = 0; ///< planned
    std::vector<double> loss, accuracy, learningRate, stepMs;
    std::vector<double> gradientNorm; ///< empty when it was not asked for
};

struct TrainingEpoch {
    int run = 0;
    std::int64_t epoch = 1; ///< from 1
    double trainingLoss = 0, trainingAccuracy = 0;
    std::optional<double> validationLoss, validationAccuracy; ///< nothing without validation examples
    double seconds = 0;                                       ///< of its steps
    bool best = false;                                        ///< no epoch before had a lower validation loss
};

struct PredictionSample {
    std::int64_t example = 0; ///< index in its part of the dataset
    std::int64_t actual = 0, predicted = 0;
    double probability = 0; ///< of what was predicted
};

/// One pass over the examples of a part. Classes: names, counts and samples; numbers: predicted and target.
struct TrainingEvaluation {
    int run = 0;
    std::string part;       ///< "validation" or "test"
    std::int64_t epoch = 0; ///< after so many epochs
    std::int64_t examples = 0;
    double loss = 0, accuracy = 0;
    std::vector<std::string> classes;
    std::vector<std::int64_t> counts; ///< classes x classes, row = actual, column = predicted
    std::vector<PredictionSample> samples;
    std::vector<double> predicted, target; ///< pairs
};

inline constexpr std::size_t kMostStepsAtOnce = 65536;
inline constexpr std::size_t kMostSteps = std::size_t{1} << 24; ///< of a run that are kept
inline constexpr std::size_t kMostClasses = 1000;               ///< more: no names and counts
/// Examples of a pass that are kept: the first ones, and of each pair of classes the first few.
inline constexpr std::size_t kMostPredictionSamples = 1024, kFirstPredictionSamples = 64;
inline constexpr std::int64_t kPredictionSamplesOfPair = 8;
inline constexpr std::size_t kMostPredictionPairs = 5000;

using TrainingEvent = std::variant<TrainingSteps, TrainingEpoch, TrainingEvaluation>;

} // namespace heteroscope
