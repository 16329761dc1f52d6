// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart is built from: a study with its results, the options chosen, and small readings of both that
// every chart kind needs (axes of the study, runs by target, names). Pure functions; any thread.
#pragma once

#include "profiling/analysis/layer_times.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/roofline.h"
#include "ui/charts/chart_data.h"

#include <QSet>
#include <QString>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::ui {

/// A study that no longer changes, with its results (which point into it).
struct AnalyzedStudy {
    profiling::Study study;
    profiling::StudyResults results;
    QString caption; ///< machineCaption of both
};
using AnalyzedStudyPtr = std::shared_ptr<const AnalyzedStudy>;

/// Takes the time of the bootstraps: call it away from the GUI thread for live studies.
AnalyzedStudyPtr analyzeStudy(profiling::Study study, const std::string& reference = {});

struct ChartOptions {
    QSet<QString> hiddenTargets;
    std::string xPointer;   ///< axis of the study along x; empty: the first that fits
    std::string point;      ///< compact JSON of the point for charts of one point; empty: the largest
    double smoothing = 0.9; ///< of curves of a training: weight of the moving average
    bool logScale = false;  ///< y of curves of a training
    QString layerType;      ///< "convolution", "pooling", "dense"; empty: every layer
    std::optional<profiling::LayerPhase> layerPhase; ///< Forward or Backward; nothing: both
};

struct ChartInput {
    AnalyzedStudyPtr a;
    AnalyzedStudyPtr b; ///< the second study of a comparison; else null
    /// Of a comparison of pairs: A2, B2, A3, B3 and so on, in the order of their start.
    std::vector<AnalyzedStudyPtr> furtherPairs;
    std::shared_ptr<const profiling::StudyComparison> comparison; ///< of all of them; null without b
    QString refusal; ///< why the studies make no pairs: there is nothing else then
    std::shared_ptr<const profiling::Roofline> roofline; ///< of a; null until it is worked out
    QString whyNoRoofline;                               ///< why it is not worked out; may be empty
    std::shared_ptr<const std::vector<profiling::RunLayerTimes>> layers; ///< of a; null until worked out
    bool live = false;                                                   ///< a goes on: results may come
    QString headline; ///< the result in a sentence or two (profiling/analysis/headline.h), of all targets
    ChartOptions options;
};

/// One study, two and their comparison, or pairs and theirs (profiling/analysis/study_pairs.h). As slow as
/// analyzeStudy of each.
ChartInput analyzeStudies(std::vector<profiling::Study> studies, const std::string& reference = {});

/// A study of a comparison with its letter: "A" and "B" of two, "A1", "B1", "A2" of pairs.
struct ComparedStudy {
    QString letter;
    AnalyzedStudyPtr study;
};
/// Those of a comparison, A before B; empty without one.
std::vector<ComparedStudy> comparedStudies(const ChartInput& input);
/// "A1, B2" of so many studies; "All 6 studies" where it is each of more than two.
QString lettersText(const QStringList& letters, std::size_t studies);

/// Whether the user left the target shown: what is hidden is in no chart, and of a comparison in no table and
/// no headline.
bool isShown(const ChartInput& input, const std::string& target);
/// Runs of a comparison whose targets are shown.
profiling::StudyComparison shownComparison(const ChartInput& input);
/// The headline with the options chosen: of a comparison over the targets that are shown.
QString headlineText(const ChartInput& input);

/// Whether the study's experiment computes networks.
bool isNetworkStudy(const profiling::Study& study);

/// One axis of a study.
struct StudyAxis {
    std::string pointer;
    QString title; ///< "Input size N (elements per side)"
    QString shortName;
    std::vector<Json> values; ///< as they occur, in order
    bool numeric = false;     ///< all are positive numbers, or square extents
    bool powersOfTwo = false; ///< all are powers of two: log2 fits
};

std::vector<StudyAxis> studyAxes(const profiling::Study& study);
/// The axis along x: the one asked for, else the numeric one with most values.
std::optional<StudyAxis> mainAxis(const ChartInput& input);
/// The number of an axis value: itself, or the side of a square extent.
std::optional<double> axisNumber(const Json& value);
/// "N = 512, kernel = 2"; empty for a study without axes.
QString pointText(const Json& point);
/// The same without one axis.
QString pointTextWithout(const Json& point, const std::string& pointer);

/// Results with at least one sample that counts, of targets that are not hidden.
std::vector<const profiling::RunResult*> drawableRuns(const ChartInput& input);
/// Texts of the study's targets in the order of its first point; those that never ran are left out once one
/// has.
std::vector<std::string> studyTargets(const profiling::Study& study);
/// Distinct points in order; as compact JSON.
std::vector<std::string> studyPoints(const profiling::Study& study);
/// The point for single-point charts: the one chosen, else the one that the headline speaks of; while no
/// target that is shown has results there, the last in the study that has.
std::string chosenPoint(const ChartInput& input);

/// The point of a chart: median, interval, quartiles, samples, all times `factor`.
ChartPoint timePoint(const profiling::RunResult& result, double x, double factor = 1.0);

/// FASTER, SLOWER, SAME, UNCLEAR, NO RESULT; translated.
QString verdictWord(Verdict verdict);
/// "2.04× [1.98, 2.11], FASTER"; without an interval "2.04× (n < 5), UNCLEAR".
QString comparisonText(const Comparison& comparison);
/// What follows a caption: " Of runs in three processes or more ..."; empty where no drawn run is of so many.
QString overProcessesSentence(const ChartInput& input);
/// "1.24 ms", three significant digits, C locale.
QString millisecondsText(double ms);
/// "[1.20, 1.31] ms": both ends in one unit.
QString intervalText(const Interval& ms);
QString significant(double value, int digits = 3);

} // namespace heteroscope::ui
