// SPDX-License-Identifier: Apache-2.0
// The runs of a study before anything runs, and what only this machine can say of an experiment.
#include "compute/data/input.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec_json.h"

#include <map>

namespace heteroscope::compute {
namespace {

/// Shapes of input files, each read once.
class FileShapes {
  public:
    explicit FileShapes(std::string directory) : m_directory(std::move(directory)) {}

    Result<std::optional<Shape4>> of(const ExperimentSpec& spec) {
        const InputSpec& input = spec.pooling.input;
        const bool fromFile = input.source == InputSource::Image || input.source == InputSource::Npy;
        if (spec.kind != ExperimentKind::Pooling || !fromFile)
            return std::optional<Shape4>();
        const std::string key = (input.grey ? "grey " : "rgb ") + input.path;
        if (const auto known = m_known.find(key); known != m_known.end())
            return std::optional<Shape4>(known->second);
        const auto shape = inputShape(input, m_directory);
        if (!shape)
            return shape.error();
        m_known[key] = *shape;
        return std::optional<Shape4>(*shape);
    }

  private:
    std::string m_directory;
    std::map<std::string, Shape4> m_known;
};

Diagnostic toDiagnostic(const Error& error, std::string pointer) {
    return {Diagnostic::Severity::Error, std::move(pointer), error.message, error.allowed,
            error.wholeAdvice()};
}

/// The estimate's place is a name such as "kernel" when a file's shape turns out too small: make it a
/// pointer.
std::string pointerOf(const Error& error) {
    if (error.where.starts_with("/pooling/input/path"))
        return "/pooling/input/path";
    if (error.where.starts_with('/'))
        return error.where;
    return "/pooling/" + error.where;
}

} // namespace

Result<std::vector<RunDefinition>> planRuns(const ExperimentSpec& spec) {
    const auto points = expandPoints(spec);
    if (!points)
        return points.error();
    std::vector<RunDefinition> runs;
    FileShapes shapes(spec.directory);
    for (const ExperimentPoint& point : *points) {
        const auto shape = shapes.of(point.spec);
        if (!shape)
            return shape.error();
        const auto estimate = estimatePoint(point.spec, *shape);
        if (!estimate) {
            Error error = estimate.error();
            error.where = pointerOf(error);
            return error;
        }
        for (const Target& target : spec.targets)
            runs.push_back({static_cast<int>(runs.size()), target.text(), point.values,
                            estimate->hostBytes + estimate->deviceBytes, estimate->flops,
                            estimate->minimumBytes});
    }
    return runs;
}

std::vector<Diagnostic> checkAgainstMachine(const ExperimentSpec& spec, const BackendRegistry& registry) {
    std::vector<Diagnostic> findings;
    for (std::size_t i = 0; i < spec.targets.size(); ++i) {
        const auto session = registry.open(spec.targets[i]);
        if (session)
            continue;
        findings.push_back(toDiagnostic(session.error(), "/targets/" + std::to_string(i)));
        if (session.error().code == ErrorCode::TargetUnavailable)
            findings.back().severity = Diagnostic::Severity::Warning;
    }
    if (const auto runs = planRuns(spec); !runs)
        findings.push_back(toDiagnostic(runs.error(), pointerOf(runs.error())));
    return findings;
}

} // namespace heteroscope::compute
