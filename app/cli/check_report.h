// SPDX-License-Identifier: Apache-2.0
// What `check` finds out about an experiment before anything runs: mistakes, shapes, memory, work, fit.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"
#include "compute/core/backend_registry.h"
#include "compute/experiment/chosen_implementations.h"
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec.h"
#include "compute/experiment/spec/spec_json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::cli {

struct CheckedPoint {
    Json values; ///< axis pointer -> value
    compute::PointEstimate estimate;
    std::string formulaHeight, formulaWidth; ///< pooling only
    compute::ExperimentSpec spec;            ///< with the values put in
};

/// What computes the operations of a point.
struct PointImplementations {
    Json values; ///< axis pointer -> value
    std::vector<compute::OperationImplementations> operations;
};

struct CheckedTarget {
    std::string target;
    std::string reason; ///< why it cannot be used; empty: it can
    std::int64_t neededBytes = 0, freeBytes = 0;
    std::int64_t comparisonBytes = 0; ///< of the host, to compare results; 0: nothing more
    std::int64_t allowedBytes = 0;    ///< the limit that was given, else most of what is free
    std::string largestPoint;         ///< the point that needs the most
    std::string whatFits;             ///< where it does not fit, what would; else empty
    std::string refusal; ///< why a point cannot be computed although the target is available; else empty
    std::vector<PointImplementations> implementations; ///< of each point; none where it is not available
    bool fits() const { return reason.empty() && refusal.empty() && neededBytes <= allowedBytes; }
};

struct CheckReport {
    compute::ExperimentSpec spec;
    std::vector<compute::Diagnostic> warnings;
    std::vector<CheckedPoint> points;
    std::vector<CheckedTarget> targets;
    std::size_t runs() const { return points.size() * targets.size(); }
};

/// `memoryLimit`: bytes that a run may take; 0: what the device has free. Errors: the first point that cannot
/// be expanded, estimated, or whose input file cannot be read; a target with an option that is wrong or has
/// no effect.
Result<CheckReport> checkReport(compute::ExperimentSpec spec, const compute::BackendRegistry& registry,
                                std::int64_t memoryLimit = 0);

/// What `run` and `evaluate` check before they compute anything: that each target's ?impl= names
/// implementations of the experiment. Error: the target, by its place.
Status checkAskedImplementations(const compute::ExperimentSpec& spec,
                                 const compute::BackendRegistry& registry);

/// `withReasons`: also what else could compute each operation, and why it is not taken.
Json checkReportJson(const CheckReport& report, bool withReasons);
std::string checkReportText(const CheckReport& report, bool withReasons);
Json diagnosticJson(const compute::Diagnostic& diagnostic);
/// "error: /pooling/kernel: message; allowed: ...; advice".
std::string diagnosticText(const compute::Diagnostic& diagnostic);
/// "/pooling/input/size=4 /pooling/kernel=2", or "the only point".
std::string pointText(const Json& values);

} // namespace heteroscope::cli
