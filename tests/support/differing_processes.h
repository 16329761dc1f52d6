// SPDX-License-Identifier: Apache-2.0
// A study whose processes differ strongly: what pools their samples gives other figures than what compares
// them.
#pragma once

#include "profiling/stream/study.h"

#include <string>
#include <vector>

namespace heteroscope::profiling {

/// One run of three processes that took 3, 5 and 9 samples. SYNTHETIC.
inline StudyRun differingRun(int number, const std::string& target, Json point,
                             const std::vector<double>& processMs) {
    constexpr int kSamples[] = {3, 5, 9};
    StudyRun run;
    run.run = number;
    run.target = target;
    run.point = std::move(point);
    run.status = StudyRunStatus::Ok;
    run.minimumBytes = 4e6;
    run.flops = 1e6;
    run.metrics = {{"bandwidth_gb_s", 1.0}, {"gflop_s", 1.0}, {"launched_ms", 7.0}};
    for (std::size_t process = 0; process < processMs.size(); ++process)
        for (int i = 0; i < kSamples[process % 3]; ++i) {
            StudySample sample;
            sample.run = number;
            sample.sample = static_cast<int>(run.samples.size());
            sample.process = static_cast<int>(process);
            sample.wallMs = processMs[process] * (1 + 0.01 * (i % 3 - 1));
            sample.startNs = static_cast<std::int64_t>(run.samples.size()) * 1000000000;
            run.samples.push_back(sample);
        }
    return run;
}

/// One and more threads at one point, or at two sizes; of four threads the last process is far slower.
inline Study differingStudy(bool sizes = false) {
    Study study;
    study.version = "1.0.0";
    study.startedUtc = "2026-01-01T00:00:00Z";
    study.experiment = {{"kind", "pooling"}, {"name", "differing (synthetic)"}};
    study.ended = true;
    study.endStatus = "done";
    for (int size = sizes ? 1 : 2; size <= 2; ++size) {
        const Json point = sizes ? Json{{"/pooling/input/size", 64 * size}} : Json::object();
        const auto add = [&](const std::string& target, const std::vector<double>& ms) {
            study.runs.push_back(differingRun(static_cast<int>(study.runs.size()), target, point, ms));
        };
        add("cpu/openmp?threads=1", {16.0 * size, 20.0 * size, 50.0 * size});
        add("cpu/openmp?threads=2", {9.0 * size, 10.0 * size, 31.0 * size});
        add("cpu/openmp?threads=4", {4.0 * size, 6.0 * size, 29.0 * size});
    }
    return study;
}

} // namespace heteroscope::profiling
