// SPDX-License-Identifier: Apache-2.0
#include "app/cli/counters_pass.h"

#include "app/cli/module_loader.h"
#include "app/cli/output.h"
#include "app/cli/worker_child.h"
#include "compute/data/input.h"
#include "compute/exec/work.h"
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec_json.h"
#include "profiling/collectors/gpu/gpu_counters.h"

#include <algorithm>
#include <memory>
#include <regex>
#include <string>
#include <vector>

namespace heteroscope::cli {
namespace {

using Buffers = std::vector<std::unique_ptr<compute::DeviceBuffer>>;

/// Any values do: what a kernel moves and computes hardly depends on them. Zeros alone would suit max
/// pooling.
std::vector<float> someValues(std::int64_t count) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i * 7919 % 10);
    return values;
}

Result<Buffers> operands(compute::Session& session, const std::vector<std::int64_t>& elements) {
    Buffers buffers;
    for (const std::int64_t count : elements) {
        auto buffer = compute::uploadedBuffer(session, someValues(count));
        if (!buffer)
            return buffer.error();
        buffers.push_back(std::move(*buffer));
    }
    return buffers;
}

class CountersPass {
  public:
    CountersPass(profiling::GpuCounters& counters, std::regex chosen)
        : m_counters(counters), m_chosen(std::move(chosen)) {}

    /// The ops of a point on a session, one after the other.
    Result<Json> countAll(const compute::ExperimentSpec& point, const compute::Shape4& src,
                          compute::Session& session) const {
        Json all = Json::array();
        for (const compute::Op& op : compute::workOps(point, src)) {
            const auto counted = countOp(op, session);
            if (!counted)
                return counted.error();
            all.push_back(profiling::toJson(*counted));
        }
        return all;
    }

  private:
    Result<profiling::OpCounters> countOp(const compute::Op& op, compute::Session& session) const {
        const auto sizes = compute::operandElements(op);
        if (!sizes)
            return sizes.error();
        auto prepared = session.prepare(op);
        if (!prepared)
            return prepared.error();
        const auto src = operands(session, sizes->src), dst = operands(session, sizes->dst);
        for (const auto* buffers : {&src, &dst})
            if (!*buffers)
                return buffers->error();
        const auto from = compute::bufferPointers(*src), to = compute::bufferPointers(*dst);
        const auto once = [&] {
            const Status status = (*prepared)->run(from, to, nullptr);
            return status ? session.synchronize() : status;
        };
        if (const Status first = once(); !first) // what happens at first use alone is not counted
            return first.error();
        const auto raw = m_counters.count(once);
        if (!raw)
            return raw.error();
        return named(op, (*prepared)->implementation(), *raw);
    }

    Result<profiling::OpCounters> named(const compute::Op& op, const std::string& implementation,
                                        const std::vector<profiling::RawKernelCounters>& raw) const {
        profiling::OpCounters result{compute::opName(op), compute::opDetail(op), implementation, {}};
        for (const auto& kernel : raw) {
            auto counters = profiling::kernelCounters(kernel);
            if (!counters)
                return counters.error();
            if (std::regex_search(counters->kernel, m_chosen))
                result.kernels.push_back(std::move(*counters));
        }
        return result;
    }

    profiling::GpuCounters& m_counters;
    const std::regex m_chosen;
};

Result<compute::PointEstimate> estimate(const compute::ExperimentSpec& point) {
    std::optional<compute::Shape4> shape;
    if (point.kind == compute::ExperimentKind::Pooling) {
        const auto found = compute::inputShape(point.pooling.input, point.directory);
        if (!found)
            return found.error();
        shape = *found;
    }
    return compute::estimatePoint(point, shape);
}

Json countRun(const CountersPass& pass, const compute::ExperimentPoint& point, std::size_t target,
              const compute::BackendRegistry& registry) {
    const auto problem = [](const Error& error) { return Json{{"error", error.sentence()}}; };
    const auto sizes = estimate(point.spec);
    if (!sizes)
        return problem(sizes.error());
    const auto session = registry.open(point.spec.targets[target]);
    if (!session)
        return problem(session.error());
    auto counters = pass.countAll(point.spec, sizes->src, **session);
    if (!counters)
        return problem(counters.error());
    return {{"counters", std::move(*counters)}};
}

/// "run 3: SENTENCE" of the first run without counters; empty when all have them.
std::string takeAnswers(const Json& answer, TraceBridge& bridge) {
    std::string first;
    std::size_t without = 0;
    for (const Json& entry : answer.at("runs")) {
        const int run = entry.at("run").get<int>();
        if (entry.contains("counters")) {
            bridge.metric(run, profiling::kKernelCountersMetric, entry.at("counters"));
            continue;
        }
        if (without++ == 0)
            first = "run " + std::to_string(run) + ": " + entry.value("error", "no reason given");
    }
    return without > 1 ? first + " (and " + std::to_string(without - 1) + " runs more)" : first;
}

Error noCounters(const std::string& why) {
    return Error{ErrorCode::RunFailed, "no counters: " + why, {}, {}, {}};
}

} // namespace

ExitCode countHere(const compute::ExperimentSpec& spec, const RunArguments& arguments) {
    const auto entry = loadEntry<profiling::GpuCountersEntry>("cupti", profiling::kGpuCountersEntryName);
    if (!entry)
        return reportError(entry.error());
    const auto points = compute::expandPoints(spec);
    if (!points)
        return reportError(points.error());
    const std::unique_ptr<profiling::GpuCounters> counters((*entry)->create());
    const CountersPass pass(*counters, std::regex(arguments.countersKernel));
    const auto registry = makeRegistry({false, spec.targets});
    Json runs = Json::array();
    int run = 0;
    for (const compute::ExperimentPoint& point : *points)
        for (std::size_t target = 0; target < spec.targets.size(); ++target, ++run) {
            if (!compute::namesGpu(spec.targets[target].device))
                continue;
            Json answer = countRun(pass, point, target, registry);
            answer["run"] = run;
            runs.push_back(std::move(answer));
        }
    return reportStatus(printJson({{"runs", runs}}));
}

Status countInWorker(const compute::ExperimentSpec& spec, const RunArguments& arguments,
                     const StopRequest& stop, TraceBridge& bridge) {
    std::vector<std::string> words{"run", "-", "--only-counters"};
    if (!arguments.countersKernel.empty())
        words.insert(words.end(), {"--counters-kernel", arguments.countersKernel});
    if (!spec.directory.empty())
        words.insert(words.end(), {"--directory", spec.directory});
    if (!arguments.source.confine.empty())
        words.insert(words.end(), {"--confine", arguments.source.confine});
    WorkerChild child;
    if (const Status status = child.start(words); !status)
        return status;
    const std::string line = spec.document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (const Status status = child.send(line); !status)
        return status;
    std::string text;
    const Status read = child.readToEnd(stop, [&](std::span<const std::uint8_t> bytes) {
        text.append(bytes.begin(), bytes.end());
        return Status();
    });
    if (!read)
        return read;
    const std::string ending = child.wait();
    if (stop.requested() && !ending.empty())
        return noCounters(stop.error().message);
    if (!ending.empty())
        return noCounters(ending + "; its own words are above");
    const Json answer = Json::parse(text, nullptr, false);
    if (!answer.is_object() || !answer.contains("runs"))
        return noCounters("the worker's answer cannot be read");
    const std::string problem = takeAnswers(answer, bridge);
    return problem.empty() ? Status() : Status(noCounters(problem));
}

} // namespace heteroscope::cli
