// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/training_work.h"

#include "compute/base/stop_rule.h"
#include "compute/exec/checkpoint_manifest.h"
#include "compute/exec/network_work.h"
#include "compute/exec/prediction.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <span>
#include <utility>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kSearchedAtOnce = 5; ///< steps before the search looks whether it is over

/// Tells the search what every step gave, beside the feed.
class SearchListener final : public StepListener {
  public:
    SearchListener(RateSearch& search, StepListener& next) : m_search(search), m_next(next) {}
    void stepDone(const TrainedStep& step) override {
        m_search.add(step.learningRate, step.loss);
        m_next.stepDone(step);
    }

  private:
    RateSearch& m_search;
    StepListener& m_next;
};

/// "training loss 0.4312, accuracy 84.31 %", or with numbers as targets "training loss 0.0031, mean error
/// 0.042"
std::string figuresText(const char* what, const TrainingFigures& figures, bool numbers) {
    char text[120];
    if (numbers)
        std::snprintf(text, sizeof text, "%s loss %.4g, mean error %.4g", what, figures.loss,
                      figures.accuracy);
    else
        std::snprintf(text, sizeof text, "%s loss %.4f, accuracy %.2f %%", what, figures.loss,
                      100.0 * figures.accuracy);
    return text;
}

/// What the data call the classes that a loss tells apart.
std::vector<std::string> namesOfClasses(const Dataset& dataset, LossKind loss, std::int64_t units) {
    std::vector<std::string> names = classNames(loss, units);
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i] = dataset.className(static_cast<std::int64_t>(i));
    return names;
}

} // namespace

TrainingWork::TrainingWork(const NetworkExperiment& experiment, const PointData& data, Session& session)
    : m_experiment(experiment),
      m_dataset(*data.dataset),
      m_trainer(experiment, *data.dataset, session),
      m_feed(m_trainer.stepsPerEpoch(), experiment.training.epochs),
      m_series(m_dataset.validation.count > 0 ? 4 : 2) {
    m_trainer.rateBy([this](std::int64_t step) { return rateOf(step); });
    if (experiment.training.findLearningRate)
        m_search.emplace();
}

double TrainingWork::rateOf(std::int64_t step) const {
    if (m_search)
        return RateSearch::rateAt(std::min(step, RateSearch::kSteps - 1));
    const TrainingSpec& training = m_experiment.training;
    const std::span<const double> validation =
        m_series.size() > 2 ? std::span(m_series[2]) : std::span<const double>();
    return scheduledRate(training.schedule, training.learningRate,
                         {step, m_trainer.stepsPerEpoch(), training.epochs}, validation);
}

void TrainingWork::keepState(const KeptStates& states) {
    if (!m_search) // which has nothing to go on with
        m_states = states;
}

Status TrainingWork::firstUse(const RepeatContext& context) {
    if (const Status status = m_trainer.train(1, context.observer, context.stop); !status)
        return status;
    auto outputs = trainingOutputs(m_trainer.executor());
    if (!outputs)
        return outputs.error();
    m_outputs = std::move(*outputs);
    m_metrics["steps_per_epoch"] = m_trainer.stepsPerEpoch();
    m_metrics["images_per_epoch"] = m_trainer.stepsPerEpoch() * m_experiment.training.batch;
    if (const Status status = m_trainer.reset(); !status)
        return status;
    if (m_states.stem.empty())
        return {};
    if (const Status status = openFiles(); !status)
        return status;
    return m_files->kept() ? restore(context) : Status{};
}

Status TrainingWork::openFiles() {
    m_files.reset(); // before the name is taken again
    const bool beginsAnew = m_states.replace && !m_states.resume;
    auto files = CheckpointFiles::open(m_states.stem, m_states.inputs, systemFiles(), beginsAnew);
    if (!files)
        return files.error();
    m_files = std::move(*files);
    m_files->describe(m_states.description);
    if (m_files->kept())
        if (const Status status = mayUseKept(*m_files->kept(), m_files->manifestFile(), m_states); !status)
            return status;
    if (!m_states.resume) {
        m_files->startOver();
        return {};
    }
    return m_files->kept() ? Status{} : refuseStateWithoutManifest();
}

/// States had this name and no manifest once: resuming must not quietly begin anew beside one.
Status TrainingWork::refuseStateWithoutManifest() const {
    const std::filesystem::path stem = m_states.stem;
    std::filesystem::path state = std::filesystem::path(stem).concat(".npz");
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(stem.parent_path(), failure))
        if (isGeneration(entry.path().filename().string(), stem.filename().string()))
            state = entry.path();
    if (!std::filesystem::exists(state, failure))
        return {};
    return badInput(state.string(), "this state was kept by an earlier version, or its manifest is missing",
                    m_files->manifestFile().filename().string() + " beside it",
                    "put the manifest back, or train anew without --resume or in another folder");
}

Result<TrainingProgress> TrainingWork::readState() {
    const std::filesystem::path file = m_files->latestFile();
    const auto arrays = readNpz(file);
    if (!arrays)
        return arrays.error();
    auto progress = restoreTrainingState(m_trainer.executor(), *arrays);
    if (!progress) {
        Error error = progress.error();
        error.where = file.string() + ", " + error.where;
        return error;
    }
    if (progress->series.size() != m_series.size())
        return badInput(file.string(), "it was kept with other validation images", {},
                        "resume with the same /data/validation_share");
    return progress;
}

Status TrainingWork::restore(const RepeatContext& context) {
    auto progress = readState();
    if (!progress)
        return progress.error();
    m_series = std::move(progress->series);
    m_trainer.goOnFrom(progress->epoch, progress->step);
    const CheckpointManifest& kept = *m_files->kept();
    if (kept.latest.epoch != progress->epoch || (kept.best ? kept.best->epoch : 0) != bestEpoch())
        return badInput(m_files->manifestFile().string(), "it does not belong to the states beside it", {},
                        "put back the files as they were kept, or begin anew in another folder");
    m_metrics["resumed_from_epoch"] = progress->epoch;
    for (std::int64_t epoch = 1; epoch <= progress->epoch && context.study != nullptr; ++epoch)
        sayEpoch(epoch, 0.0, context);
    noteIfDone();
    sayHowItWasKept(context);
    if (m_stoppedBy.empty() || m_dataset.test.count == 0)
        return {};
    std::string ignored; // nothing is left to train: the test figures are all that is said
    return addTest(ignored, context);
}

void TrainingWork::sayHowItWasKept(const RepeatContext& context) const {
    if (context.study == nullptr)
        return;
    const std::string manifest = m_files->manifestFile().string();
    if (!m_files->kept()->run.is_object())
        context.study->log(LogLevel::Warning,
                           manifest +
                               ": it does not say of which training its state is: it cannot be compared with "
                               "the experiment");
    if (!m_stoppedBy.empty())
        context.study->log(LogLevel::Warning,
                           manifest + ": the training had ended before (" + stopPhrase(m_stoppedBy).text() +
                               "), so that nothing was left to train; raise /training/epochs or "
                               "/training/patience to go on, or train anew in another folder");
}

Status TrainingWork::keep() {
    if (!m_files)
        return {};
    const auto arrays = trainingState(m_trainer.executor(), {m_trainer.epoch(), m_trainer.step(), m_series});
    if (!arrays)
        return arrays.error();
    return m_files->keep(*arrays, m_trainer.epoch(), bestEpoch() == m_trainer.epoch());
}

std::int64_t TrainingWork::bestEpoch() const {
    if (m_series.size() < 3 || m_series[2].empty())
        return 0;
    return std::min_element(m_series[2].begin(), m_series[2].end()) - m_series[2].begin() + 1;
}

void TrainingWork::noteIfDone() {
    m_stoppedBy = whyDone();
    m_trained = m_stoppedBy.empty() ? 0 : m_trainer.step();
}

Json TrainingWork::whyDone() const {
    if (m_search)
        return m_search->diverged() ? stoppedByRateSearchDiverged() : stoppedByRateSearch(RateSearch::kSteps);
    const TrainingSpec& training = m_experiment.training;
    if (m_trainer.epoch() >= training.epochs)
        return stoppedByEpochs(m_trainer.epoch(), training.epochs);
    const bool waited =
        training.patience > 0 && bestEpoch() > 0 && m_trainer.epoch() - bestEpoch() >= training.patience;
    return waited ? stoppedByEarlyStopping(training.patience) : Json();
}

Status TrainingWork::repeat(int repetitions, const RepeatContext& context) {
    const std::int64_t all = m_trainer.stepsPerEpoch();
    const bool tracing = context.observer != nullptr;
    const std::int64_t steps = tracing ? std::min(kTracedSteps, all) : all;
    if (tracing && m_trained > 0 && m_trainer.step() + steps > m_trained)
        if (const Status status = m_trainer.reset(); !status)
            return status;
    m_feed.listen(context.study, context.run);
    const Status status = m_search && !tracing ? search(context) : trainEpochs(repetitions, steps, context);
    m_feed.flush();
    m_trainer.listen(nullptr);
    return status;
}

Status TrainingWork::trainEpochs(int repetitions, std::int64_t steps, const RepeatContext& context) {
    m_trainer.listen(&m_feed);
    const bool crossesEpochs = context.observer != nullptr; // whose samples begin anywhere in one
    for (int i = 0; i < repetitions; ++i) {
        const std::int64_t end = m_trainer.step() + steps;
        do {
            const std::int64_t left = end - m_trainer.step();
            if (const Status status = m_trainer.train(left, context.observer, context.stop); !status)
                return status;
        } while (crossesEpochs && m_trainer.step() < end);
    }
    return {};
}

Status TrainingWork::search(const RepeatContext& context) {
    SearchListener listener(*m_search, m_feed);
    m_trainer.listen(&listener);
    const Status status = searchSteps(context);
    m_trainer.listen(nullptr);
    return status;
}

Status TrainingWork::searchSteps(const RepeatContext& context) {
    while (!m_search->over()) {
        const std::int64_t left = RateSearch::kSteps - m_trainer.step();
        const Status status =
            m_trainer.train(std::min(kSearchedAtOnce, left), context.observer, context.stop);
        if (m_trainer.diverged())
            m_search->add(0.0, std::numeric_limits<double>::infinity());
        else if (!status)
            return status;
    }
    return {};
}

void TrainingWork::sayEpoch(std::int64_t epoch, double seconds, const RepeatContext& context) const {
    const auto index = static_cast<std::size_t>(epoch - 1);
    TrainingEpoch said;
    said.run = context.run;
    said.epoch = epoch;
    said.trainingLoss = m_series[0][index];
    said.trainingAccuracy = m_series[1][index];
    said.seconds = seconds;
    if (m_series.size() > 2) {
        said.validationLoss = m_series[2][index];
        said.validationAccuracy = m_series[3][index];
        const auto first = m_series[2].begin(), here = first + static_cast<std::ptrdiff_t>(index);
        said.best = std::min_element(first, here + 1) == here;
    }
    context.study->trainingEpoch(said);
}

Result<TrainingFigures> TrainingWork::evaluate(const char* part, const Examples& examples,
                                               const RepeatContext& context) {
    if (context.study == nullptr)
        return m_trainer.measure(examples, context.stop);
    const Shape4 output = m_trainer.executor().plan().network.output();
    const std::int64_t units = output.c * output.h * output.w;
    const LossKind loss = m_experiment.training.loss;
    Evaluation evaluation(loss, units, namesOfClasses(m_dataset, loss, units));
    const auto figures = m_trainer.measure(examples, context.stop, &evaluation);
    if (!figures)
        return figures;
    TrainingEvaluation said = evaluation.take();
    said.run = context.run;
    said.part = part;
    said.epoch = m_trainer.epoch();
    said.loss = figures->loss;
    said.accuracy = figures->accuracy;
    context.study->trainingEvaluation(said);
    return figures;
}

double TrainingWork::tracedShare() const {
    return static_cast<double>(std::min(kTracedSteps, m_trainer.stepsPerEpoch())) / opsPerRepetition();
}

double TrainingWork::opsPerRepetition() const {
    if (!m_search)
        return static_cast<double>(m_trainer.stepsPerEpoch());
    return static_cast<double>(
        m_search->rates().empty() ? RateSearch::kSteps : static_cast<std::int64_t>(m_search->rates().size()));
}

Status TrainingWork::addTest(std::string& text, const RepeatContext& context) {
    const auto test = evaluate("test", m_dataset.test, context);
    if (!test)
        return test.error();
    m_metrics["test_loss"] = test->loss;
    if (m_experiment.data.isRegression()) {
        m_metrics["test_mae"] = test->accuracy;
        if (const auto share = explainedShare(test->loss, m_dataset.test.targets))
            m_metrics["test_r2"] = *share;
    } else {
        m_metrics["test_accuracy"] = test->accuracy;
    }
    text += "; " + figuresText("test", *test, m_experiment.data.isRegression());
    return {};
}

Status TrainingWork::addValidation(std::string& text, const RepeatContext& context) {
    const auto validation = evaluate("validation", m_dataset.validation, context);
    if (!validation)
        return validation.error();
    m_series[2].push_back(validation->loss);
    m_series[3].push_back(validation->accuracy);
    text += "; " + figuresText("validation", *validation, m_experiment.data.isRegression());
    return {};
}

Result<std::string> TrainingWork::afterSample(const RepeatContext& context) {
    if (m_search) {
        noteIfDone();
        return m_search->sentence();
    }
    const TrainingFigures training = m_trainer.trainingFigures();
    m_series[0].push_back(training.loss);
    m_series[1].push_back(training.accuracy);
    std::string text = "epoch " + std::to_string(m_trainer.epoch()) + ": " +
                       figuresText("training", training, m_experiment.data.isRegression());
    if (m_series.size() > 2)
        if (const Status status = addValidation(text, context); !status)
            return status.error();
    if (context.study != nullptr)
        sayEpoch(m_trainer.epoch(), m_feed.takeSeconds(), context);
    if (const Status status = keep(); !status)
        return status.error();
    noteIfDone();
    if (!m_stoppedBy.empty() && m_dataset.test.count > 0)
        if (const Status status = addTest(text, context); !status)
            return status.error();
    return text;
}

Json TrainingWork::metrics() const {
    Json metrics = m_metrics;
    if (m_search) {
        metrics["finder_rates"] = m_search->rates();
        metrics["finder_losses"] = m_search->losses();
        metrics["finder_smoothed_losses"] = m_search->smoothed();
        if (const auto rate = m_search->suggestion())
            metrics["suggested_learning_rate"] = *rate;
        return metrics;
    }
    for (std::size_t i = 0; i < m_series.size(); ++i)
        metrics[kSeries[i]] = m_series[i];
    if (bestEpoch() > 0)
        metrics["best_epoch"] = bestEpoch();
    return metrics;
}

} // namespace heteroscope::compute
