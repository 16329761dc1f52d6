// SPDX-License-Identifier: GPL-3.0-or-later
// Studies made up for tests and pictures: plausible times from a simple cost model with seeded noise.
// SYNTHETIC: no figure here was measured, and each study says so in its name.
#pragma once

#include "profiling/stream/study.h"

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace heteroscope::ui::test {

using profiling::Study;
using profiling::StudyRun;
using profiling::StudyRunStatus;
using profiling::StudySample;

/// A target's cost: fixed part and nanoseconds an output element.
struct Cost {
    std::string target;
    double fixedMs = 0, nsPerOutput = 1, noise = 0.02;
};

inline void addSamples(StudyRun& run, double ms, double noise, int count, std::mt19937& random,
                       std::int64_t& clockNs) {
    std::gamma_distribution<double> delay(2.0, noise / 2);
    for (int i = -2; i < count; ++i) {
        StudySample sample;
        sample.run = run.run;
        sample.sample = i < 0 ? i + 2 : i; // warm-ups are numbered apart
        sample.warmup = i < 0;
        sample.wallMs = ms * (1 + delay(random)) * (i % 13 == 12 ? 1.25 : 1.0);
        sample.startNs = clockNs;
        sample.repetitions = std::max(1, static_cast<int>(10 / sample.wallMs));
        clockNs += static_cast<std::int64_t>(sample.wallMs * sample.repetitions * 1e6) + 200000;
        run.samples.push_back(sample);
    }
}

inline Study studyFrame(const std::string& name, Json experiment) {
    Study study;
    study.id = "2026-01-01T00-00-00Z-00000000";
    study.program = "heteroscope-cli";
    study.version = "0.1.0";
    study.startedUtc = "2026-01-01T00:00:00Z";
    study.environment = {{"cpu", "Example CPU"},
                         {"cores", 8},
                         {"os", "Debian 12"},
                         {"compiler", {{"id", "GCC 12.2"}, {"build_type", "Release"}, {"debug", false}}}};
    experiment["heteroscope"] = 1;
    experiment["name"] = name + " (synthetic)";
    study.experiment = std::move(experiment);
    study.devices.push_back(
        {{"id", "cpu"}, {"kind", "cpu"}, {"name", "Example CPU"}, {"properties", {{"cores", 8}}}});
    study.ended = true;
    study.endStatus = "done";
    return study;
}

inline void addRun(Study& study, const std::string& target, Json point, double ms, double noise, int samples,
                   std::mt19937& random, std::int64_t& clockNs) {
    StudyRun run;
    run.run = static_cast<int>(study.runs.size());
    run.target = target;
    run.point = std::move(point);
    run.status = StudyRunStatus::Ok;
    run.implementation = target.substr(target.find('/') + 1) + " maxpool.forward";
    run.stopRule = "ci95 within 1 % after " + std::to_string(samples) + " samples";
    run.outputDigest = "same";
    run.maxAbsError = 0.0;
    run.maxRelError = 0.0;
    run.firstUseMs = ms * 1.8;
    addSamples(run, ms, noise, samples, random, clockNs);
    study.runs.push_back(std::move(run));
}

inline Json poolingExperiment() {
    return {{"kind", "pooling"},
            {"pooling",
             {{"mode", "max"},
              {"kernel", 2},
              {"stride", 2},
              {"padding", 0},
              {"input", {{"source", "random"}, {"size", 1024}, {"seed", 35}}}}},
            {"targets", Json::array({"cpu/sequential"})}};
}

/// Max pooling of 4 ... 4096: openmp overtakes sequential at some size; onednn lies close to openmp. `factor`
/// scales all times of openmp.
inline Study sweepStudy(double factor = 1.0, int samples = 14, unsigned seed = 1) {
    Study study = studyFrame("Max pooling, size sweep", poolingExperiment());
    std::mt19937 random(seed);
    std::int64_t clockNs = 1000000000;
    const std::vector<Cost> costs = {{"cpu/sequential", 2e-5, 1.9, 0.03},
                                     {"cpu/openmp", 2.6e-3, 0.16 * factor, 0.06},
                                     {"cpu/onednn", 1.4e-3, 0.21, 0.05}};
    for (int size = 4; size <= 4096; size *= 2) {
        const double outputs = size * size / 4.0;
        for (const Cost& cost : costs) {
            addRun(study, cost.target, {{"/pooling/input/size", size}},
                   cost.fixedMs * (cost.target == "cpu/openmp" ? factor : 1) +
                       outputs * cost.nsPerOutput * 1e-6,
                   cost.noise, samples, random, clockNs);
            study.runs.back().minimumBytes = outputs * 20;
        }
    }
    return study;
}

/// Matrix product at one size with 1, 2, 4, 6, 8 threads, 4 % serial.
inline Study threadStudy(int samples = 14) {
    Study study = studyFrame("Matrix product, threads",
                             {{"kind", "matmul"}, {"matmul", {{"m", 1024}, {"n", 1024}, {"k", 1024}}}});
    std::mt19937 random(2);
    std::int64_t clockNs = 1000000000;
    for (const int threads : {1, 2, 4, 6, 8}) {
        const double ms = 24.0 * (0.04 + 0.96 / threads);
        addRun(study, "cpu/openmp?threads=" + std::to_string(threads), Json::object(), ms, 0.03, samples,
               random, clockNs);
        study.runs.back().flops = 2.0 * 1024 * 1024 * 1024;
    }
    return study;
}

/// One point, five targets: much faster, a little slower, unclear, failed, skipped.
inline Study onePointStudy(int samples = 14) {
    Study study = studyFrame("Max pooling, one size", poolingExperiment());
    std::mt19937 random(3);
    std::int64_t clockNs = 1000000000;
    addRun(study, "cpu/sequential", Json::object(), 3.2, 0.03, samples, random, clockNs);
    addRun(study, "cpu/openmp?threads=2", Json::object(), 0.82, 0.04, samples, random, clockNs);
    addRun(study, "cpu/openmp?threads=1", Json::object(), 3.19, 0.12, samples, random, clockNs);
    addRun(study, "cpu/onednn", Json::object(), 4.3, 0.03, samples, random, clockNs);
    StudyRun failed;
    failed.run = static_cast<int>(study.runs.size());
    failed.target = "cuda:0/cudnn";
    failed.status = StudyRunStatus::Skipped;
    failed.reason = "CUDA driver not found";
    study.runs.push_back(failed);
    return study;
}

/// The window strategy: a fixed cost a window.
inline Study windowStudy(int samples = 10) {
    Json experiment = poolingExperiment();
    experiment["pooling"]["strategy"] = "window";
    Study study = studyFrame("Max pooling by windows", std::move(experiment));
    std::mt19937 random(4);
    std::int64_t clockNs = 1000000000;
    for (int size = 4; size <= 512; size *= 2) {
        const double windows = size * size / 4.0;
        addRun(study, "cpu/sequential", {{"/pooling/input/size", size}}, 1e-4 + windows * 45e-6, 0.03,
               samples, random, clockNs);
        addRun(study, "cpu/openmp", {{"/pooling/input/size", size}}, 3e-3 + windows * 24e-6, 0.06, samples,
               random, clockNs);
    }
    return study;
}

} // namespace heteroscope::ui::test
