// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/training_view.h"

#include "compute/experiment/spec/axes.h"
#include "profiling/analysis/training_curves.h"
#include "ui/analyze/confusion_matrix.h"
#include "ui/analyze/prediction_list.h"
#include "ui/charts/chart_input.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/target_style.h"
#include "ui/common/format.h"
#include "ui/common/placeholder.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QSplitter>
#include <QStackedLayout>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr int kWeights = 100; ///< steps of the slider; the last one would never move

/// A run without its samples: what this view keeps of it.
profiling::StudyRun withoutSamples(const profiling::StudyRun& run) {
    profiling::StudyRun copy;
    copy.run = run.run;
    copy.target = run.target;
    copy.point = run.point;
    copy.training = run.training;
    return copy;
}

std::int64_t batchAt(const profiling::Study& study, const Json& point) {
    const Json document = compute::experimentAt(study.experiment, point);
    const Json::json_pointer pointer("/training/batch");
    return document.contains(pointer) && document.at(pointer).is_number_integer()
               ? document.at(pointer).get<std::int64_t>()
               : 0;
}

/// The folder that paths in the experiment are relative to; runs of earlier versions do not say it.
std::string directoryOf(const profiling::Study& study) {
    const auto found = study.environment.find("directory");
    return found != study.environment.end() && found->is_string() ? found->get<std::string>() : std::string();
}

} // namespace

TrainingView::TrainingView(QWidget* parent)
    : QWidget(parent), m_stack(new QStackedLayout(this)), m_placeholder(new Placeholder) {
    m_stack->addWidget(m_placeholder);
    auto* scroll = new QScrollArea; // beside docks the page keeps what it needs
    scroll->setWidget(buildPage());
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    m_stack->addWidget(scroll);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        if (!m_runs.empty())
            showRun();
    });
    showEmpty({}, false);
}

QWidget* TrainingView::buildPage() {
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    split->addWidget(buildCurves());
    split->addWidget(buildResults());
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 4);
    split->setSizes({560, 470});
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(2 * Theme::kSpacing, Theme::kSpacing, 2 * Theme::kSpacing, Theme::kSpacing);
    column->setSpacing(Theme::kSpacing);
    column->addWidget(buildTiles());
    column->addWidget(buildBar());
    column->addWidget(split, 1);
    return page;
}

QWidget* TrainingView::buildBar() {
    m_choice = new QComboBox;
    m_choice->setObjectName(QStringLiteral("trainingRun"));
    m_choice->setAccessibleName(tr("Run whose training is shown"));
    m_smoothing = new QSlider(Qt::Horizontal);
    m_smoothing->setObjectName(QStringLiteral("trainingSmoothing"));
    m_smoothing->setAccessibleName(tr("Smoothing of the curves"));
    m_smoothing->setToolTip(
        tr("Weight w of the moving average m(t) = w m(t-1) + (1-w) x(t), shown as m(t) / (1 - "
           "w^t) (bias correction as in Kingma and Ba, 2015)"));
    m_smoothing->setRange(0, kWeights - 1);
    m_smoothing->setValue(90);
    m_smoothing->setFixedWidth(160);
    m_weight = makeLabel({}, "muted");
    m_log = new QCheckBox(tr("Log axis"));
    m_log->setObjectName(QStringLiteral("trainingLog"));
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Theme::kSpacing);
    auto* run = makeLabel(tr("&Run"), "muted");
    run->setBuddy(m_choice);
    auto* smoothing = makeLabel(tr("S&moothing"), "muted");
    smoothing->setBuddy(m_smoothing);
    row->addWidget(run);
    row->addWidget(m_choice);
    row->addSpacing(2 * Theme::kSpacing);
    row->addWidget(smoothing);
    row->addWidget(m_smoothing);
    row->addWidget(m_weight);
    row->addSpacing(2 * Theme::kSpacing);
    row->addWidget(m_log);
    row->addStretch(1);
    connect(m_choice, &QComboBox::activated, this, [this] { showRun(); });
    connect(m_smoothing, &QSlider::valueChanged, this, [this] { showCurves(); });
    connect(m_log, &QCheckBox::toggled, this, [this] { showCurves(); });
    return bar;
}

QWidget* TrainingView::buildTiles() {
    const std::array<QString, kTiles> names{tr("Epoch"),         tr("Step"),          tr("Loss"),
                                            tr("Accuracy"),      tr("Step time"),     tr("Examples per s"),
                                            tr("Learning rate"), tr("Gradient norm"), tr("Remaining")};
    auto* strip = new QFrame;
    setRole(strip, "card");
    auto* grid = new QGridLayout(strip);
    grid->setContentsMargins(2 * Theme::kSpacing, Theme::kSpacing, 2 * Theme::kSpacing, Theme::kSpacing);
    grid->setHorizontalSpacing(2 * Theme::kSpacing);
    grid->setVerticalSpacing(0);
    for (int i = 0; i < kTiles; ++i) {
        const auto at = static_cast<std::size_t>(i);
        m_values[at] = makeLabel({}, "heading");
        m_values[at]->setObjectName(QStringLiteral("trainingTile%1").arg(i));
        m_values[at]->setTextInteractionFlags(Qt::TextSelectableByMouse);
        grid->addWidget(makeLabel(names[at], "muted"), 0, i);
        grid->addWidget(m_values[at], 1, i);
        grid->setColumnStretch(i, 1);
    }
    return strip;
}

QWidget* TrainingView::buildCurves() {
    m_loss = new FigureView;
    m_loss->setObjectName(QStringLiteral("trainingLoss"));
    m_loss->setAccessibleName(tr("Loss while training"));
    m_lower = new FigureView;
    m_lower->setObjectName(QStringLiteral("trainingLower"));
    m_lowerReason = makeLabel({}, "muted");
    m_lowerReason->setWordWrap(true);
    m_lowerReason->setAlignment(Qt::AlignCenter);
    m_lowerChoice = new QComboBox;
    m_lowerChoice->setObjectName(QStringLiteral("trainingLowerChoice"));
    m_lowerChoice->setAccessibleName(tr("What the lower chart shows"));
    m_lowerChoice->addItems({tr("Accuracy"), tr("Step time"), tr("Learning rate"), tr("Gradient norm")});
    connect(m_lowerChoice, &QComboBox::currentIndexChanged, this, [this] { showCurves(); });
    auto* curves = new QWidget;
    auto* column = new QVBoxLayout(curves);
    column->setContentsMargins(0, 0, Theme::kSpacing, 0);
    column->setSpacing(Theme::kSpacing / 2);
    column->addWidget(m_loss, 1);
    column->addWidget(m_lowerChoice, 0, Qt::AlignLeft);
    column->addWidget(m_lower, 1);
    column->addWidget(m_lowerReason, 1);
    for (FigureView* view : {m_loss, m_lower})
        view->setMinimumHeight(140);
    return curves;
}

QWidget* TrainingView::buildResults() {
    m_confusion = new ConfusionMatrix;
    m_predictions = new PredictionList;
    m_scatter = new FigureView;
    m_scatter->setAccessibleName(tr("Predicted against true values"));
    m_noResults = makeLabel({}, "muted");
    m_noResults->setWordWrap(true);
    m_noResults->setAlignment(Qt::AlignCenter);
    m_results = new QTabWidget;
    m_results->setObjectName(QStringLiteral("trainingResults"));
    m_results->setAccessibleName(tr("Results on examples that are not learnt from"));
    auto* classes = new QSplitter(Qt::Vertical);
    classes->setChildrenCollapsible(false);
    classes->addWidget(m_confusion);
    classes->addWidget(m_predictions);
    classes->setStretchFactor(0, 3);
    classes->setStretchFactor(1, 2);
    classes->setSizes({430, 190});
    m_results->addTab(classes, tr("Confusion matrix"));
    m_results->addTab(m_scatter, tr("Predicted against true"));
    connect(m_confusion, &ConfusionMatrix::cellChosen, m_predictions, &PredictionList::showCell);
    auto* results = new QWidget;
    auto* column = new QVBoxLayout(results);
    column->setContentsMargins(Theme::kSpacing, 0, 0, 0);
    column->addWidget(m_results, 1);
    column->addWidget(m_noResults, 1);
    return results;
}

bool TrainingView::hasTraining(const profiling::Study& study) {
    return std::any_of(study.runs.begin(), study.runs.end(), isTraining);
}

void TrainingView::showEmpty(const profiling::Study& study, bool live) {
    const bool waits = live && isNetworkStudy(study);
    m_placeholder->setBusy(waits);
    if (waits)
        m_placeholder->setContent(QStringLiteral("analyze"), tr("The training has not begun"),
                                  tr("Curves appear with its first steps."));
    else
        m_placeholder->setContent(
            QStringLiteral("analyze"), tr("No training was recorded"),
            tr("Run a network with the task \"train\" on a data set to watch its loss and "
               "accuracy here."));
    m_stack->setCurrentIndex(0);
}

void TrainingView::setStudy(const profiling::Study& study, bool live) {
    m_live = live;
    m_targets = studyTargets(study);
    if (!hasTraining(study)) {
        m_runs.clear();
        return showEmpty(study, live);
    }
    fillRuns(study);
    showRun();
    m_stack->setCurrentIndex(1);
}

/// The choice stays with its run; until one is made, the newest run is followed.
void TrainingView::fillRuns(const profiling::Study& study) {
    const QSignalBlocker blocker(m_choice);
    const bool follow = m_live || m_choice->count() == 0 || m_runs.empty();
    const bool atNewest = m_choice->currentIndex() == m_choice->count() - 1;
    const int kept = m_choice->currentData().toInt();
    m_runs.clear();
    m_choice->clear();
    for (const profiling::StudyRun& run : study.runs) {
        if (!isTraining(run))
            continue;
        const QString point = pointText(run.point);
        const QString name = targetLabel(run.target, m_targets);
        m_choice->addItem(point.isEmpty() ? name : QStringLiteral("%1, %2").arg(name, point), run.run);
        m_runs.push_back(withoutSamples(run));
    }
    const int row = m_choice->findData(kept);
    m_choice->setCurrentIndex((follow && atNewest) || row < 0 ? m_choice->count() - 1 : row);
    m_batch = batchAt(study, m_runs.back().point);
    m_experiment = study.experiment;
    m_directory = directoryOf(study);
}

TrainingStyle TrainingView::style() const {
    return {static_cast<double>(m_smoothing->value()) / kWeights, m_log->isChecked()};
}

void TrainingView::setTile(Tile tile, const QString& value) {
    m_values[static_cast<std::size_t>(tile)]->setText(value.isEmpty() ? QStringLiteral("–") : value);
}

void TrainingView::showRun() {
    const int index = std::clamp(m_choice->currentIndex(), 0, static_cast<int>(m_runs.size()) - 1);
    m_run = m_runs[static_cast<std::size_t>(index)];
    showTiles();
    showCurves();
    showResults();
}

void TrainingView::showTiles() {
    const profiling::TrainingNow now = profiling::trainingNow(m_run.training, m_batch);
    const bool numbers = shownEvaluation(m_run) != nullptr && shownEvaluation(m_run)->classes.empty() &&
                         !shownEvaluation(m_run)->predicted.empty();
    setTile(Epoch, tr("%1 of %2").arg(countText(now.epoch), countText(now.epochs)));
    setTile(Step, now.steps > 0 ? tr("%1 of %2").arg(countText(now.step), countText(now.steps))
                                : countText(now.step));
    setTile(LossNow, significant(now.loss, 4));
    setTile(AccuracyNow, numbers ? QString() : shareText(now.accuracy));
    setTile(StepTime, now.stepMs > 0 ? formatMs(now.stepMs) : QString());
    setTile(Rate, now.examplesPerS ? significant(*now.examplesPerS) : QString());
    setTile(LearningRate, significant(now.learningRate));
    setTile(Gradient, now.gradientNorm ? significant(*now.gradientNorm) : QString());
    setTile(Remaining, m_live ? formatRemaining(now.remainingS) : tr("done"));
}

void TrainingView::showCurves() {
    m_weight->setText(QString::number(style().smoothing, 'f', 2));
    if (m_runs.empty())
        return;
    m_loss->setChart(trainingChart(TrainingFigure::Loss, {&m_run}, m_targets, style()));
    const auto at = static_cast<std::size_t>(std::max(0, m_lowerChoice->currentIndex()));
    TrainingStyle lowerStyle = style();
    lowerStyle.logScale = lowerStyle.logScale && kLower[at] != TrainingFigure::Accuracy;
    const ChartData lower = trainingChart(kLower[at], {&m_run}, m_targets, lowerStyle);
    m_lower->setAccessibleName(lower.title);
    m_lower->setVisible(lower.drawable());
    m_lowerReason->setVisible(!lower.drawable());
    if (lower.drawable())
        m_lower->setChart(lower);
    else
        m_lowerReason->setText(lower.reason + QLatin1Char(' ') + lower.advice);
}

void TrainingView::showResults() {
    const TrainingEvaluation* evaluation = shownEvaluation(m_run);
    const ChartData scatter = trainingChart(TrainingFigure::Predicted, {&m_run}, m_targets, style());
    const bool classes = evaluation != nullptr && !evaluation->counts.empty();
    m_results->setVisible(classes || scatter.drawable());
    m_noResults->setVisible(m_results->isHidden()); // also while nothing of this view is on screen
    m_noResults->setText(evaluation == nullptr
                             ? tr("After the first epoch this shows how the network does on examples that it "
                                  "does not learn from.")
                             : tr("Neither classes nor numbers were recorded of this network's results."));
    m_results->setTabVisible(0, classes);
    m_results->setTabVisible(1, scatter.drawable());
    if (classes) {
        m_confusion->setEvaluation(*evaluation);
        m_predictions->setEvaluation(*evaluation, compute::experimentAt(m_experiment, m_run.point),
                                     m_directory);
    }
    if (scatter.drawable())
        m_scatter->setChart(scatter);
}

} // namespace heteroscope::ui

#include "moc_training_view.cpp"
