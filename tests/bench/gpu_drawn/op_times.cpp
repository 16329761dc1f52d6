// SPDX-License-Identifier: Apache-2.0
// op_times PROBLEMS RESULTS TARGET...: times every operation of the problems on every target, as work that is
// recorded once (a CUDA graph of several in a row) and started as a whole, by the device's own clock.
//
// PROBLEMS is a JSON array of objects: {"op": "conv" | "pool", "src": [n, c, h, w], "kernel": [h, w],
// "stride": [h, w], "padding": [h, w]} and for conv "dilation": [h, w], "filters", "groups", for pool "mode":
// "max" | "average". RESULTS becomes an array of {"problem": index, "direction", "target", "implementation",
// "ms": [samples]} or, where a target refuses, {..., "reason"}.
#include "compute/core/op.h"
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/op_runner.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace heteroscope::bench {
namespace {

using namespace compute;
using nlohmann::json;

constexpr int kSamples = 7, kMostInARow = 50, kMostLaunches = 200;
constexpr double kRecordingMs = 0.5, kSampleMs = 3.0; ///< what a recording and a sample take at least

struct Direction {
    std::string name;
    Op op;
};

Extent2d extent(const json& value) {
    return {value.at(0).get<std::int64_t>(), value.at(1).get<std::int64_t>()};
}

Padding2d paddingOf(const json& value) {
    const Extent2d padding = extent(value);
    return {padding.h, padding.h, padding.w, padding.w};
}

Shape4 shapeOf(const json& value) {
    return {value.at(0), value.at(1), value.at(2), value.at(3)};
}

std::vector<Direction> directionsOf(const json& problem) {
    const Shape4 src = shapeOf(problem.at("src"));
    if (problem.at("op") == "conv") {
        ConvParams params;
        params.filters = problem.at("filters");
        params.kernel = extent(problem.at("kernel"));
        params.stride = extent(problem.at("stride"));
        params.padding = paddingOf(problem.at("padding"));
        params.dilation = extent(problem.at("dilation"));
        params.groups = problem.at("groups");
        return {{"forward", ConvForward{params, src}},
                {"data", ConvBackwardData{params, src}},
                {"weights", ConvBackwardWeights{params, src}}};
    }
    PoolParams params;
    params.mode = problem.at("mode") == "max" ? PoolMode::Max : PoolMode::Average;
    params.kernel = extent(problem.at("kernel"));
    params.stride = extent(problem.at("stride"));
    params.padding = paddingOf(problem.at("padding"));
    return {{"forward", PoolForward{params, src}}, {"backward", PoolBackward{params, src}}};
}

/// What a target made of an operation, ready to run. Any failure here or in its members throws.
class Timed {
  public:
    Timed(Session& session, const Op& op) : m_session(session) {
        auto prepared = session.prepare(op);
        must(prepared);
        m_op = std::move(*prepared);
        const auto inputs = makeInputs(Data::Reals, op, 1);
        for (const auto& values : inputs) {
            m_src.push_back(buffer(values.size()));
            must(session.upload(*m_src.back(), values.data(), values.size() * sizeof(float)));
        }
        const auto sizes = operandElements(op);
        must(sizes);
        for (const std::int64_t elements : sizes->dst)
            m_dst.push_back(buffer(std::size_t(elements)));
    }

    const std::string& implementation() const { return m_op->implementation(); }

    std::vector<double> samples() {
        runInARow(1);
        const double once = timeMs([&] { runInARow(3); }) / 3;
        const int inARow = std::clamp(int(kRecordingMs / once), 1, kMostInARow);
        std::unique_ptr<Recording> recording;
        if (m_session.records()) {
            must(m_session.beginRecording());
            runInARow(inARow);
            auto recorded = m_session.endRecording();
            must(recorded);
            recording = std::move(*recorded);
        }
        const auto run = [&] {
            if (recording)
                must(recording->launch());
            else
                runInARow(inARow);
        };
        run();
        const double ms = timeMs(run) / inARow;
        const int launches = std::clamp(int(kSampleMs / (ms * inARow)), 1, kMostLaunches);
        std::vector<double> samples;
        for (int sample = 0; sample < kSamples; ++sample)
            samples.push_back(timeMs([&] {
                                  for (int i = 0; i < launches; ++i)
                                      run();
                              }) /
                              (double(launches) * inARow));
        return samples;
    }

  private:
    static void must(const auto& result) {
        if (!result)
            throw std::runtime_error(result.error().message);
    }

    std::unique_ptr<DeviceBuffer> buffer(std::size_t elements) {
        auto made = m_session.allocate(elements * sizeof(float));
        must(made);
        return std::move(*made);
    }

    void runInARow(int times) {
        std::vector<DeviceBuffer*> src, dst;
        for (const auto& one : m_src)
            src.push_back(one.get());
        for (const auto& one : m_dst)
            dst.push_back(one.get());
        for (int i = 0; i < times; ++i)
            must(m_op->run(src, dst, nullptr));
    }

    double timeMs(const auto& work) {
        must(m_session.synchronize());
        must(m_session.startDeviceTimer());
        work();
        const auto ms = m_session.stopDeviceTimerMs();
        must(ms);
        if (!*ms)
            throw std::runtime_error("the device has no clock of its own");
        return **ms;
    }

    Session& m_session;
    std::vector<std::unique_ptr<DeviceBuffer>> m_src, m_dst;
    std::unique_ptr<PreparedOp> m_op;
};

json timed(Session& session, const Op& op) {
    try {
        Timed work(session, op);
        std::vector<double> samples = work.samples();
        return {{"implementation", work.implementation()}, {"ms", samples}};
    } catch (const std::runtime_error& error) {
        return {{"reason", error.what()}};
    }
}

int run(const std::string& problemsFile, const std::string& resultsFile,
        const std::vector<std::string>& targets) {
    std::ifstream file(problemsFile);
    const json problems = json::parse(file);
    json rows = json::array();
    for (const std::string& target : targets) {
        auto session = openTarget(target);
        if (!session) {
            std::fprintf(stderr, "op_times: %s: %s\n", target.c_str(), session.error().message.c_str());
            return 1;
        }
        for (std::size_t i = 0; i < problems.size(); ++i)
            for (const Direction& direction : directionsOf(problems[i])) {
                json row = timed(**session, direction.op);
                row.update({{"problem", i}, {"direction", direction.name}, {"target", target}});
                rows.push_back(std::move(row));
            }
    }
    std::ofstream(resultsFile) << rows.dump(1) << "\n";
    return 0;
}

} // namespace
} // namespace heteroscope::bench

int main(int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: op_times PROBLEMS RESULTS TARGET...\n");
        return 2;
    }
    try {
        return heteroscope::bench::run(argv[1], argv[2], {argv + 3, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "op_times: %s: %s\n", argv[1], error.what());
        return 2;
    }
}
