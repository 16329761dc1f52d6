// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/training_codec.h"

#include "profiling/stream/columns.h"

#include <algorithm>
#include <limits>

namespace heteroscope::profiling {
namespace {

constexpr std::int64_t kMostRuns = std::numeric_limits<int>::max();
constexpr std::int64_t kMostCount = std::int64_t{1} << 53;

template <class T>
Json columnOf(const std::vector<T>& values) {
    return column<T>(std::span(values), [](T value) { return value; });
}

/// An optional column: absent when empty.
template <class T>
void putColumn(Json& map, const char* key, const std::vector<T>& values) {
    if (!values.empty())
        map[key] = columnOf(values);
}

template <class T>
Status takeColumn(const Payload& payload, const char* key, std::size_t count, std::vector<T>& into) {
    const auto view = ColumnView<T>::of(payload.json(), key, count);
    if (!view)
        return payload.wrong(view.error());
    into.resize(count);
    for (std::size_t i = 0; i < count; ++i)
        into[i] = (*view)[i];
    return {};
}

Json encode(const TrainingSteps& steps) {
    Json map = {{"run", steps.run},         {"what", "steps"},
                {"first", steps.firstStep}, {"stepsPerEpoch", steps.stepsPerEpoch},
                {"epochs", steps.epochs},   {"n", steps.loss.size()}};
    map["loss"] = columnOf(steps.loss);
    map["accuracy"] = columnOf(steps.accuracy);
    map["learningRate"] = columnOf(steps.learningRate);
    map["stepMs"] = columnOf(steps.stepMs);
    putColumn(map, "gradientNorm", steps.gradientNorm);
    return map;
}

Result<TrainingEvent> decodeSteps(Payload& payload, int run) {
    TrainingSteps steps;
    steps.run = run;
    steps.firstStep = payload.whole("first", 0, kMostCount);
    steps.stepsPerEpoch = payload.whole("stepsPerEpoch", 1, kMostCount);
    steps.epochs = payload.whole("epochs", 0, kMostCount);
    const auto count =
        static_cast<std::size_t>(payload.whole("n", 1, static_cast<std::int64_t>(kMostStepsAtOnce)));
    Status status = payload.status();
    const auto take = [&](const char* key, std::vector<double>& into) {
        if (status)
            status = takeColumn(payload, key, count, into);
    };
    take("loss", steps.loss);
    take("accuracy", steps.accuracy);
    take("learningRate", steps.learningRate);
    take("stepMs", steps.stepMs);
    if (payload.json().contains("gradientNorm"))
        take("gradientNorm", steps.gradientNorm);
    if (!status)
        return status.error();
    return TrainingEvent(std::move(steps));
}

Json encode(const TrainingEpoch& epoch) {
    Json map = {{"run", epoch.run},
                {"what", "epoch"},
                {"epoch", epoch.epoch},
                {"trainingLoss", epoch.trainingLoss},
                {"trainingAccuracy", epoch.trainingAccuracy},
                {"seconds", epoch.seconds},
                {"best", epoch.best}};
    if (epoch.validationLoss)
        map["validationLoss"] = *epoch.validationLoss;
    if (epoch.validationAccuracy)
        map["validationAccuracy"] = *epoch.validationAccuracy;
    return map;
}

Result<TrainingEvent> decodeEpoch(Payload& payload, int run) {
    TrainingEpoch epoch;
    epoch.run = run;
    epoch.epoch = payload.whole("epoch", 1, kMostCount);
    epoch.trainingLoss = payload.number("trainingLoss");
    epoch.trainingAccuracy = payload.number("trainingAccuracy");
    epoch.validationLoss = payload.maybeNumber("validationLoss");
    epoch.validationAccuracy = payload.maybeNumber("validationAccuracy");
    epoch.seconds = payload.number("seconds", 0);
    epoch.best = payload.flag("best");
    if (payload.error())
        return *payload.error();
    return TrainingEvent(epoch);
}

Json encode(const TrainingEvaluation& evaluation) {
    Json map = {{"run", evaluation.run},
                {"what", "evaluation"},
                {"part", evaluation.part},
                {"epoch", evaluation.epoch},
                {"examples", evaluation.examples},
                {"loss", evaluation.loss},
                {"accuracy", evaluation.accuracy},
                {"classes", evaluation.classes},
                {"samples", evaluation.samples.size()},
                {"pairs", evaluation.predicted.size()}};
    putColumn(map, "counts", evaluation.counts);
    const std::span samples(evaluation.samples);
    using Sample = PredictionSample;
    if (!samples.empty()) {
        map["example"] = column<std::int64_t>(samples, [](const Sample& s) { return s.example; });
        map["actual"] = column<std::int64_t>(samples, [](const Sample& s) { return s.actual; });
        map["predictedClass"] = column<std::int64_t>(samples, [](const Sample& s) { return s.predicted; });
        map["probability"] = column<double>(samples, [](const Sample& s) { return s.probability; });
    }
    putColumn(map, "predicted", evaluation.predicted);
    putColumn(map, "target", evaluation.target);
    return map;
}

Status takeClasses(const Payload& payload, TrainingEvaluation& evaluation) {
    const auto classes = payload.json().find("classes");
    const bool list =
        classes != payload.json().end() && classes->is_array() && classes->size() <= kMostClasses &&
        std::all_of(classes->begin(), classes->end(), [](const Json& name) { return name.is_string(); });
    if (!list)
        return payload.wrong("classes", "a list of at most " + std::to_string(kMostClasses) + " texts",
                             "something else");
    for (const Json& name : *classes)
        evaluation.classes.push_back(name.get<std::string>());
    const std::size_t count = evaluation.classes.size();
    if (count == 0)
        return {};
    if (const Status status = takeColumn(payload, "counts", count * count, evaluation.counts); !status)
        return status;
    if (std::any_of(evaluation.counts.begin(), evaluation.counts.end(), [](auto n) { return n < 0; }))
        return payload.wrong("counts", "counts from 0", "a negative one");
    return {};
}

Status takeSamples(Payload& payload, TrainingEvaluation& evaluation) {
    const auto count = static_cast<std::size_t>(
        payload.whole("samples", 0, static_cast<std::int64_t>(kMostPredictionSamples), 0));
    Status status = payload.status();
    std::vector<std::int64_t> example, actual, predicted;
    std::vector<double> probability;
    if (status && count > 0)
        status = takeColumn(payload, "example", count, example);
    if (status && count > 0)
        status = takeColumn(payload, "actual", count, actual);
    if (status && count > 0)
        status = takeColumn(payload, "predictedClass", count, predicted);
    if (status && count > 0)
        status = takeColumn(payload, "probability", count, probability);
    if (!status)
        return status;
    const auto classes = static_cast<std::int64_t>(evaluation.classes.size());
    for (std::size_t i = 0; i < count; ++i) {
        const PredictionSample sample{example[i], actual[i], predicted[i], probability[i]};
        if (std::min({sample.example, sample.actual, sample.predicted}) < 0 ||
            std::max(sample.actual, sample.predicted) >= classes)
            return payload.wrong("actual",
                                 "examples from 0 and numbers of the " + std::to_string(classes) + " classes",
                                 "others");
        evaluation.samples.push_back(sample);
    }
    return {};
}

Status takePairs(Payload& payload, TrainingEvaluation& evaluation) {
    const auto count = static_cast<std::size_t>(
        payload.whole("pairs", 0, static_cast<std::int64_t>(kMostPredictionPairs), 0));
    if (const Status status = payload.status(); !status || count == 0)
        return status;
    if (const Status status = takeColumn(payload, "predicted", count, evaluation.predicted); !status)
        return status;
    return takeColumn(payload, "target", count, evaluation.target);
}

Result<TrainingEvent> decodeEvaluation(Payload& payload, int run) {
    TrainingEvaluation evaluation;
    evaluation.run = run;
    evaluation.part = payload.text("part");
    evaluation.epoch = payload.whole("epoch", 0, kMostCount);
    evaluation.examples = payload.whole("examples", 0, kMostCount, 0);
    evaluation.loss = payload.number("loss", 0);
    evaluation.accuracy = payload.number("accuracy", 0);
    Status status = payload.status();
    if (status && evaluation.part != "validation" && evaluation.part != "test")
        status = payload.wrong("part", "validation or test", "\"" + evaluation.part + "\"");
    if (status)
        status = takeClasses(payload, evaluation);
    if (status)
        status = takeSamples(payload, evaluation);
    if (status)
        status = takePairs(payload, evaluation);
    if (!status)
        return status.error();
    return TrainingEvent(std::move(evaluation));
}

} // namespace

Json encodeTraining(const TrainingEvent& event) {
    return std::visit([](const auto& one) { return encode(one); }, event);
}

Result<TrainingEvent> decodeTraining(Payload& payload) {
    const auto run = static_cast<int>(payload.whole("run", 0, kMostRuns));
    const std::string what = payload.text("what");
    if (payload.error())
        return *payload.error();
    if (what == "steps")
        return decodeSteps(payload, run);
    if (what == "epoch")
        return decodeEpoch(payload, run);
    if (what == "evaluation")
        return decodeEvaluation(payload, run);
    return payload.wrong("what", "steps, epoch or evaluation", "\"" + what + "\"");
}

int runOfTraining(const TrainingEvent& event) {
    return std::visit([](const auto& one) { return one.run; }, event);
}

} // namespace heteroscope::profiling
