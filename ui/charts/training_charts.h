// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of a training as charts: loss and accuracy, step time, learning rate, norm of the gradient, and
// predicted against true values. Pure functions; GUI thread for colours.
#pragma once

#include "profiling/stream/study.h"
#include "ui/charts/chart_data.h"

#include <string>
#include <vector>

namespace heteroscope::ui {

enum class TrainingFigure { Loss, Accuracy, StepTime, LearningRate, GradientNorm, Predicted };

struct TrainingStyle {
    double smoothing = 0.9; ///< weight of profiling::smoothed
    bool logScale = false;  ///< of y
};

/// A run that trains: with steps, epochs or evaluations.
bool isTraining(const profiling::StudyRun& run);
/// The evaluation to show: of the test examples where there is one, else of those for validation.
const TrainingEvaluation* shownEvaluation(const profiling::StudyRun& run);

/// One run: every step faintly, the smoothed curve, and validation. Several: the smoothed curve and the
/// validation of each. `targets`: all of the study. Says why when there is nothing to draw.
ChartData trainingChart(TrainingFigure figure, const std::vector<const profiling::StudyRun*>& runs,
                        const std::vector<std::string>& targets, const TrainingStyle& style);

/// Points that a curve is thinned to have at most this many columns of two points: more than a screen or a
/// printed figure has pixels across.
constexpr std::size_t kCurveColumns = 1500;

} // namespace heteroscope::ui
