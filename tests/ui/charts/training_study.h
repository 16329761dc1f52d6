// SPDX-License-Identifier: GPL-3.0-or-later
// A training made up for tests and pictures, from a formula with seeded noise. SYNTHETIC: nothing in it was
// measured.
#pragma once

#include "tests/ui/charts/synthetic_study.h"

#include <QtGlobal>

#include <cmath>
#include <random>

namespace heteroscope::ui::test {

inline TrainingSteps madeUpSteps(std::int64_t first, std::int64_t count, std::int64_t perEpoch,
                                 std::int64_t epochs, double speed, std::mt19937& random) {
    std::normal_distribution<double> noise(0, 1);
    TrainingSteps steps;
    steps.firstStep = first;
    steps.stepsPerEpoch = perEpoch;
    steps.epochs = epochs;
    for (std::int64_t i = first; i < first + count; ++i) {
        const double left = std::exp(-static_cast<double>(i) / 180.0);
        steps.loss.push_back((0.25 + 2.05 * left) * (1 + 0.12 * noise(random)));
        steps.accuracy.push_back(std::min(1.0, 0.92 - 0.8 * left + 0.03 * noise(random)));
        steps.learningRate.push_back(
            0.01 * (1 + std::cos(M_PI * static_cast<double>(i) / static_cast<double>(perEpoch * epochs))) /
            2);
        steps.stepMs.push_back(speed * (1 + 0.04 * std::fabs(noise(random))));
        steps.gradientNorm.push_back(0.5 + 3 * left * (1 + 0.2 * std::fabs(noise(random))));
    }
    return steps;
}

inline TrainingEvaluation madeUpClasses(std::mt19937& random) {
    TrainingEvaluation evaluation;
    evaluation.part = "validation";
    evaluation.epoch = 4;
    evaluation.classes = {"T-shirt", "Trouser", "Pullover", "Dress", "Coat",
                          "Sandal",  "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
    std::uniform_int_distribution<int> some(0, 9);
    for (int actual = 0; actual < 10; ++actual)
        for (int predicted = 0; predicted < 10; ++predicted)
            evaluation.counts.push_back(actual == predicted ? 80 + some(random) : some(random) / 4);
    evaluation.counts[6] = 14; // T-shirts taken for shirts
    for (int i = 0; i < 64; ++i) {
        const int actual = some(random);
        evaluation.samples.push_back(
            {i * 13, actual, i % 7 == 0 ? (actual + 6) % 10 : actual, 0.6 + 0.006 * i});
    }
    evaluation.samples.push_back({999, 0, 6, 0.51});
    evaluation.examples = 1000;
    evaluation.accuracy = 0.9;
    return evaluation;
}

/// Two targets, `epochs` of 4 done.
inline Study trainingStudy(int epochs = 4, bool numbers = false) {
    std::mt19937 random(7);
    Study study = studyFrame("Model 2 on Fashion-MNIST",
                             {{"kind", "network"}, {"task", "train"}, {"training", {{"batch", 32}}}});
    std::int64_t clock = 0;
    for (const auto& [target, speed] : {std::pair("cpu/openmp", 3.1), {"cpu/onednn", 1.9}}) {
        addRun(study, target, Json::object(), speed * 125, 0.02, 6, random, clock);
        profiling::TrainingRecord& record = study.runs.back().training;
        constexpr std::int64_t kPerEpoch = 125;
        for (int epoch = 1; epoch <= epochs; ++epoch) {
            if (!record.add(madeUpSteps((epoch - 1) * kPerEpoch, kPerEpoch, kPerEpoch, 4, speed, random)))
                qFatal("the steps do not fit");
            const double left = std::exp(-epoch * 125.0 / 180.0);
            (void)record.add(TrainingEpoch{0, epoch, 0.3 + 2 * left, 0.9 - 0.8 * left, 0.32 + 2 * left,
                                           0.89 - 0.8 * left, speed * 0.125, true});
        }
        TrainingEvaluation evaluation = madeUpClasses(random);
        if (numbers) {
            std::normal_distribution<double> noise(0, 30);
            evaluation = {};
            evaluation.part = "test";
            for (int i = 0; i < 400; ++i) {
                evaluation.target.push_back(i * 2.5);
                evaluation.predicted.push_back(i * 2.5 + noise(random));
            }
        }
        if (epochs > 0)
            (void)record.add(evaluation);
    }
    return study;
}

/// The same for a training on pictures that are drawn, or on those of files: what it predicted is made up,
/// the true classes are those of the data. `experiment` has at least 40 examples for validation, `labels` are
/// theirs.
inline Study pictureStudy(const Json& experiment, const std::vector<std::string>& classes,
                          const std::vector<std::int64_t>& labels) {
    Study study = trainingStudy();
    study.experiment = experiment;
    const auto count = static_cast<std::int64_t>(classes.size());
    TrainingEvaluation evaluation;
    evaluation.part = "validation";
    evaluation.epoch = 4;
    evaluation.classes = classes;
    evaluation.counts.resize(classes.size() * classes.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const std::int64_t actual = labels[i], predicted = i % 5 == 0 ? (actual + 1) % count : actual;
        ++evaluation.counts[static_cast<std::size_t>(actual * count + predicted)];
        evaluation.samples.push_back(
            {static_cast<std::int64_t>(i), actual, predicted,
             0.99 - 0.5 * static_cast<double>(i) / static_cast<double>(labels.size())});
    }
    for (auto& run : study.runs)
        (void)run.training.add(evaluation);
    return study;
}

/// Grey or coloured pictures of shapes, 100 of them for validation, with the classes in turn.
inline Study shapesStudy(int channels = 1) {
    const Json experiment = Json::parse(
        R"({"heteroscope": 1, "kind": "network", "name": "Shapes", "task": "train", "targets": ["cpu/openmp"],
        "network": {"input": {"shape": [1, 28, 28]}, "layers": [{"type": "dense", "units": 4}]},
        "training": {"batch": 32}, "data": {"source": "shapes", "count": 1000}})");
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < 100; ++i)
        labels.push_back(i % 4); // 900 come before them, a multiple of 4
    Study study = pictureStudy(experiment, {"disc", "square", "cross", "triangle"}, labels);
    study.experiment["network"]["input"]["shape"][0] = channels;
    return study;
}

} // namespace heteroscope::ui::test
