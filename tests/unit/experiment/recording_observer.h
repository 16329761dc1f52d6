// SPDX-License-Identifier: Apache-2.0
// An observer that keeps everything, for tests of the runner.
#pragma once

#include "compute/experiment/runner.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::compute {

class RecordingObserver : public StudyObserver {
  public:
    Json environment, experiment;
    std::vector<RunDefinition> runs;
    std::vector<int> begun;
    std::vector<SampleRecord> samples;
    std::vector<RunOutcome> outcomes;
    std::vector<double> fractions;
    std::vector<std::string> logs;
    std::vector<RunActivity> activities;
    int ops = 0, copies = 0, ended = 0, toldWhileTimed = 0;
    bool inSample = false;

    void studyBegin(const Json& e, const Json& x, const std::vector<RunDefinition>& r) override {
        environment = e;
        experiment = x;
        runs = r;
    }
    void runBegin(int run) override { begun.push_back(run); }
    void activity(const RunActivity& doing) override {
        activities.push_back(doing);
        toldWhileTimed += inSample ? 1 : 0;
    }
    void sampleBegin(int, int, bool, bool) override { inSample = true; }
    void sampleEnd(const SampleRecord& record) override {
        samples.push_back(record);
        inSample = false;
    }
    void runEnd(const RunOutcome& outcome) override { outcomes.push_back(outcome); }
    void progress(const ProgressRecord& progress) override { fractions.push_back(progress.fraction); }
    void log(LogLevel, const std::string& text) override { logs.push_back(text); }
    void studyEnd() override { ++ended; }
    void opBegin(const OpEvent&) override { ++ops; }
    void copied(CopyDirection, std::int64_t, std::int64_t, std::int64_t) override { ++copies; }

    const RunOutcome& outcome(int run) const {
        for (const RunOutcome& each : outcomes)
            if (each.run == run)
                return each;
        static const RunOutcome none;
        return none;
    }
    int count(int run, bool warmup, bool traced) const {
        int n = 0;
        for (const SampleRecord& sample : samples)
            n += sample.run == run && sample.warmup == warmup && sample.traced == traced;
        return n;
    }
};

/// Outputs by run and name.
using Outputs = std::map<std::pair<int, std::string>, std::vector<float>>;

inline RunOptions keepingOutputs(Outputs& outputs) {
    RunOptions options;
    options.keepOutputs = true;
    options.onOutput = [&outputs](int run, const std::string& name, const Shape4& shape, const float* data) {
        outputs[{run, name}] = {data, data + *shape.elements()};
    };
    return options;
}

inline ExperimentSpec specOf(const char* text) {
    return specFromJson(Json::parse(text)).value();
}

} // namespace heteroscope::compute
