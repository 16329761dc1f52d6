// SPDX-License-Identifier: GPL-3.0-or-later
// A study of networks with times of layers, made up. SYNTHETIC: nothing in it was measured.
#pragma once

#include "tests/ui/charts/synthetic_study.h"
#include "ui/charts/chart_input.h"

namespace heteroscope::ui::test {

inline profiling::LayerPhaseTime madeUpTime(double ms, std::mt19937& random) {
    std::gamma_distribution<double> delay(2.0, 0.02);
    std::vector<double> passes;
    for (int i = 0; i < 40; ++i)
        passes.push_back(ms * (1 + delay(random)));
    return {passes.size(), summarize(passes), 0.1};
}

inline profiling::RunLayerTimes madeUpLayers(const Study& study, int run, double slow) {
    std::mt19937 random(11);
    profiling::RunLayerTimes times;
    times.run = run;
    times.target = study.runs[static_cast<std::size_t>(run)].target;
    times.tracingOverheadPercent = 1.4;
    struct Made {
        const char *name, *type;
        double forward, backward;
    };
    for (const Made& made : {Made{"conv1", "conv2d", 0.30, 0.62},
                             {"relu1", "relu", 0.04, 0.05},
                             {"pool1", "maxpool", 0.06, 0.09},
                             {"conv2", "conv2d", 0.41, 0.97},
                             {"relu2", "relu", 0.02, 0.02},
                             {"pool2", "maxpool", 0.03, 0.05},
                             {"dense1", "dense", 0.22, 0.43},
                             {"dense2", "dense", 0.01, 0.02}}) {
        profiling::LayerTime layer;
        layer.name = made.name;
        layer.type = made.type;
        layer.phases[0] = madeUpTime(made.forward * slow, random);
        layer.phases[2] = madeUpTime(made.backward * slow, random);
        times.layers.push_back(std::move(layer));
    }
    return times;
}

inline Json modelLayers(int filters) {
    return Json::array({{{"name", "conv1"}, {"type", "conv2d"}, {"filters", filters}, {"padding", 1}},
                        {{"name", "flatten"}, {"type", "flatten"}},
                        {{"name", "dense"}, {"type", "dense"}, {"units", 10}}});
}

/// Three networks on four targets.
inline Study modelsStudy() {
    std::mt19937 random(5);
    const std::string axis = "/network/layers";
    Study study =
        studyFrame("Models", {{"kind", "network"},
                              {"task", "train"},
                              {"network", {{"input", {{"shape", {3, 32, 32}}}}, {"layers", modelLayers(8)}}},
                              {"training", {{"loss", "softmax_cross_entropy"}, {"batch", 32}}},
                              {"targets", {"cpu/sequential", "cpu/openmp", "cuda:0/cuda", "cuda:0/cudnn"}},
                              {"axes", {{axis, {modelLayers(8), modelLayers(16), modelLayers(64)}}}}});
    std::int64_t clock = 0;
    for (const int filters : {8, 16, 64})
        for (const auto& [target, ms] : {std::pair("cpu/sequential", 40.0),
                                         {"cpu/openmp", 12.0},
                                         {"cuda:0/cuda", 1.1},
                                         {"cuda:0/cudnn", 1.6}})
            addRun(study, target, {{axis, modelLayers(filters)}}, ms * filters / 8, 0.02, 12, random, clock);
    return study;
}

/// One network on four targets, with the times of its layers.
inline ChartInput layersInput() {
    std::mt19937 random(5);
    Study study = studyFrame("Model 0", {{"kind", "network"}, {"task", "train"}});
    std::int64_t clock = 0;
    const std::vector<std::pair<std::string, double>> targets{
        {"cpu/sequential", 12}, {"cpu/openmp", 3}, {"cuda:0/cuda", 0.4}, {"cuda:0/cudnn", 0.5}};
    auto layers = std::make_shared<std::vector<profiling::RunLayerTimes>>();
    for (const auto& [target, slow] : targets) {
        addRun(study, target, Json::object(), 4 * slow, 0.02, 12, random, clock);
        layers->push_back(madeUpLayers(study, static_cast<int>(study.runs.size()) - 1, slow));
    }
    ChartInput input = analyzeStudies({study});
    input.layers = layers;
    return input;
}

} // namespace heteroscope::ui::test
