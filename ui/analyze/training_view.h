// SPDX-License-Identifier: GPL-3.0-or-later
// A training as it goes: where it stands, its curves, and how it does on examples that it does not learn
// from. Live in mode Run, and of a stored run in mode Analyze. GUI thread.
#pragma once

#include "profiling/stream/study.h"
#include "ui/charts/training_charts.h"

#include <QWidget>

#include <array>

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QStackedLayout;
class QTabWidget;

namespace heteroscope::ui {

class ConfusionMatrix;
class FigureView;
class Placeholder;
class PredictionList;

class TrainingView : public QWidget {
    Q_OBJECT
  public:
    explicit TrainingView(QWidget* parent = nullptr);
    /// What there is to say so far. `live`: more is to come.
    void setStudy(const profiling::Study& study, bool live);
    /// Whether a run of the study trains.
    static bool hasTraining(const profiling::Study& study);

  private:
    enum Tile {
        Epoch,
        Step,
        LossNow,
        AccuracyNow,
        StepTime,
        Rate,
        LearningRate,
        Gradient,
        Remaining,
        kTiles
    };
    /// The figures that the lower chart can show.
    static constexpr std::array kLower{TrainingFigure::Accuracy, TrainingFigure::StepTime,
                                       TrainingFigure::LearningRate, TrainingFigure::GradientNorm};

    QWidget* buildPage();
    QWidget* buildBar();
    QWidget* buildTiles();
    QWidget* buildCurves();
    QWidget* buildResults();
    void showEmpty(const profiling::Study& study, bool live);
    void fillRuns(const profiling::Study& study);
    void showRun();
    void showTiles();
    void showCurves();
    void showResults();
    void setTile(Tile tile, const QString& value);
    TrainingStyle style() const;

    profiling::StudyRun m_run; ///< the one shown, without its samples
    std::vector<profiling::StudyRun> m_runs;
    std::vector<std::string> m_targets;
    std::int64_t m_batch = 0;
    Json m_experiment;       ///< of the whole study
    std::string m_directory; ///< that its paths are relative to; empty: not known
    bool m_live = false;

    QStackedLayout* m_stack;
    Placeholder* m_placeholder;
    QComboBox* m_choice = nullptr;
    QSlider* m_smoothing = nullptr;
    QLabel* m_weight = nullptr;
    QCheckBox* m_log = nullptr;
    std::array<QLabel*, kTiles> m_values{};
    FigureView* m_loss = nullptr;
    FigureView* m_lower = nullptr;
    QComboBox* m_lowerChoice = nullptr;
    QLabel* m_lowerReason = nullptr;
    QTabWidget* m_results = nullptr;
    ConfusionMatrix* m_confusion = nullptr;
    PredictionList* m_predictions = nullptr;
    FigureView* m_scatter = nullptr;
    QLabel* m_noResults = nullptr;
};

} // namespace heteroscope::ui
