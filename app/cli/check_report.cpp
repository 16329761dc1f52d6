// SPDX-License-Identifier: Apache-2.0
#include "app/cli/check_report.h"

#include "app/cli/network_report.h"
#include "app/cli/output.h"
#include "compute/base/activity.h"
#include "compute/base/printable.h"
#include "compute/base/units.h"
#include "compute/core/implementation_list.h"
#include "compute/core/ops/window_extent.h"
#include "compute/data/input.h"
#include "compute/experiment/memory_check.h"
#include "compute/experiment/spec/enum_text.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace heteroscope::cli {
namespace {

using compute::ExperimentKind;
using compute::Shape4;

Json shapeJson(const Shape4& shape) {
    return {shape.n, shape.c, shape.h, shape.w};
}

bool fromFile(const compute::InputSpec& input) {
    return input.source == compute::InputSource::Image || input.source == compute::InputSource::Npy;
}

Result<CheckedPoint> checkPoint(const compute::ExperimentPoint& point) {
    std::optional<Shape4> fileShape;
    const compute::PoolingSpec& pooling = point.spec.pooling;
    const bool isPooling = point.spec.kind == ExperimentKind::Pooling;
    if (isPooling && fromFile(pooling.input)) {
        const auto shape = compute::inputShape(pooling.input, point.spec.directory);
        if (!shape)
            return shape.error();
        fileShape = *shape;
    }
    auto estimate = compute::estimatePoint(point.spec, fileShape);
    if (!estimate)
        return estimate.error();
    compute::addDataset(*estimate, point.spec);
    CheckedPoint checked{point.values, *estimate, {}, {}, point.spec};
    if (isPooling) {
        const compute::PoolParams& p = pooling.params;
        checked.formulaHeight =
            compute::outputFormula(estimate->src.h, p.padding.top, p.padding.bottom, p.kernel.h, p.stride.h);
        checked.formulaWidth =
            compute::outputFormula(estimate->src.w, p.padding.left, p.padding.right, p.kernel.w, p.stride.w);
    }
    return checked;
}

/// What the program's last words say where a library ends it while it plans.
void notePlanning(const compute::Target& target, const CheckedPoint& point) {
    setActivity("planning for " + target.text() + ", operands of " +
                formatBytes(static_cast<double>(point.estimate.hostBytes)));
}

/// Operands alone.
std::int64_t operandBytes(const CheckedPoint& point, bool onHost) {
    const compute::MemoryNeed need = compute::memoryNeed(point.estimate, 0, {}, onHost);
    return onHost ? need.ofHost() : need.deviceBytes;
}

/// As the runner counts; operands alone without a session.
std::int64_t neededBytes(const CheckedPoint& point, const compute::Target& target,
                         compute::Session* session) {
    const bool onHost = target.device == "cpu";
    if (session == nullptr)
        return operandBytes(point, onHost);
    const bool keepsReference = compute::keepsReference(target, point.spec);
    const compute::MemoryNeed need =
        compute::memoryNeed(point.spec, point.estimate, *session, keepsReference);
    return onHost ? need.ofHost() : need.deviceBytes;
}

/// `session`: of the target. Networks set theirs up, so that each of them has another one. Error: a name that
/// ?impl= asks for and no operation of any point has.
Status addImplementations(CheckedTarget& checked, const compute::Target& target,
                          const std::vector<CheckedPoint>& points, const compute::BackendRegistry& registry,
                          std::unique_ptr<compute::Session> session) {
    std::vector<compute::ImplementationRow> all;
    for (const CheckedPoint& point : points) {
        if (point.spec.kind == ExperimentKind::Network && &point != &points.front()) {
            auto next = registry.open(target);
            if (!next)
                return next.error();
            session = std::move(*next);
        }
        notePlanning(target, point);
        PointImplementations chosen{point.values,
                                    compute::chosenImplementations(point.spec, point.estimate.src, *session)};
        for (const compute::OperationImplementations& operation : chosen.operations)
            if (operation.operation != compute::kReorderOperation) // nothing else makes one
                all.insert(all.end(), operation.candidates.begin(), operation.candidates.end());
        const std::string refusal = compute::firstRefusal(chosen.operations, target.text());
        if (checked.refusal.empty() && !refusal.empty())
            checked.refusal = refusal + " (" + pointText(point.values) + ")";
        checked.implementations.push_back(std::move(chosen));
    }
    return compute::checkAskedImplementations(session->askedImplementations(), all,
                                              "target '" + target.text() + "'");
}

/// An unavailable target has its reason; an option that the implementation does not know is an error.
Result<CheckedTarget> checkTarget(const compute::Target& target, const std::vector<CheckedPoint>& points,
                                  const compute::BackendRegistry& registry,
                                  const std::vector<compute::DeviceInfo>& devices, std::int64_t limit) {
    CheckedTarget checked;
    checked.target = target.text();
    auto session = registry.open(target);
    if (!session) {
        if (session.error().code == ErrorCode::BadInput)
            return session.error();
        checked.reason = session.error().sentence();
    }
    for (const compute::DeviceInfo& device : devices)
        if (device.id == target.device) {
            checked.freeBytes = device.memoryFreeBytes;
            checked.allowedBytes = compute::allowedBytes(device, limit);
        }
    const bool onHost = target.device == "cpu";
    compute::Session* const asked = session ? session->get() : nullptr;
    const CheckedPoint* largest = nullptr;
    for (const CheckedPoint& point : points) {
        notePlanning(target, point);
        const std::int64_t bytes = neededBytes(point, target, asked);
        if (bytes <= checked.neededBytes)
            continue;
        checked.neededBytes = bytes;
        checked.comparisonBytes = compute::comparisonBytes(point.spec, point.estimate);
        checked.largestPoint = pointText(point.values);
        largest = &point;
    }
    if (largest != nullptr && asked != nullptr)
        checked.whatFits = compute::memoryRefusal(
            largest->spec, checked.neededBytes, checked.allowedBytes,
            onHost ? compute::hostNeedOf(*asked, compute::keepsReference(target, largest->spec),
                                         largest->estimate)
                   : compute::deviceNeedOf(*asked, largest->estimate));
    if (session)
        if (const Status status = addImplementations(checked, target, points, registry, std::move(*session));
            !status)
            return status.error();
    setActivity({});
    return checked;
}

Json pointJson(const CheckedPoint& point) {
    const compute::PointEstimate& e = point.estimate;
    Json record = {{"point", point.values},
                   {"input_shape", shapeJson(e.src)},
                   {"output_shape", shapeJson(e.dst)},
                   {"windows", e.windows},
                   {"input_bytes", e.srcBytes},
                   {"padded_bytes", e.paddedBytes},
                   {"output_bytes", e.dstBytes},
                   {"gradient_bytes", e.gradientBytes},
                   {"host_bytes", e.hostBytes},
                   {"dataset_bytes", e.datasetBytes},
                   {"reading_bytes", e.readingBytes},
                   {"device_bytes", e.deviceBytes},
                   {"flops", e.flops},
                   {"minimum_bytes", e.minimumBytes}};
    if (!point.formulaHeight.empty())
        record["output_formula"] = {{"height", point.formulaHeight}, {"width", point.formulaWidth}};
    return record;
}

Json operationJson(const compute::OperationImplementations& operation, bool withReasons) {
    const compute::ImplementationRow* const taken = operation.taken();
    Json record = {{"layer", operation.layer},
                   {"phase", operation.phase},
                   {"operation", operation.operation},
                   {"detail", operation.detail},
                   {"implementation", taken != nullptr ? taken->implementation : ""}};
    if (!withReasons)
        return record;
    Json candidates = Json::array();
    for (const compute::ImplementationRow& row : operation.candidates)
        candidates.push_back({{"name", row.name},
                              {"implementation", row.implementation},
                              {"taken", row.taken},
                              {"accepts", row.accepts},
                              {"reason", row.reason}});
    record["candidates"] = std::move(candidates);
    return record;
}

Json implementationsJson(const CheckedTarget& target, bool withReasons) {
    Json all = Json::array();
    for (const PointImplementations& point : target.implementations) {
        Json operations = Json::array();
        for (const compute::OperationImplementations& operation : point.operations)
            operations.push_back(operationJson(operation, withReasons));
        all.push_back({{"point", point.values}, {"operations", std::move(operations)}});
    }
    return all;
}

Json targetJson(const CheckedTarget& target, bool withReasons) {
    return {{"target", target.target},
            {"available", target.reason.empty()},
            {"reason", target.reason},
            {"refusal", target.refusal},
            {"fits", target.fits()},
            {"advice", target.whatFits},
            {"needed_bytes", target.neededBytes},
            {"comparison_bytes", target.comparisonBytes},
            {"free_bytes", target.freeBytes},
            {"allowed_bytes", target.allowedBytes},
            {"largest_point", target.largestPoint},
            {"implementations", implementationsJson(target, withReasons)}};
}

std::vector<std::string> pointRow(const CheckedPoint& point, ExperimentKind kind) {
    const bool isPooling = kind == ExperimentKind::Pooling, isNetwork = kind == ExperimentKind::Network;
    const compute::PointEstimate& e = point.estimate;
    std::vector<std::string> row{pointText(point.values)};
    if (isPooling)
        row.insert(row.end(), {compute::shapeText(e.src), compute::shapeText(e.dst), formatCount(e.windows)});
    else if (isNetwork)
        row.insert(row.end(), {compute::shapeText(e.src), compute::shapeText(e.dst)});
    else
        row.insert(row.end(), {std::to_string(e.src.h) + "x" + std::to_string(e.src.w),
                               std::to_string(e.dst.h) + "x" + std::to_string(e.dst.w)});
    row.insert(row.end(),
               {wholeBytesText(e.srcBytes), wholeBytesText(e.dstBytes),
                wholeBytesText(saturatingAdd(e.hostBytes, e.datasetBytes)), wholeBytesText(e.deviceBytes),
                formatCount(static_cast<std::int64_t>(std::min(e.flops, 9e18)))});
    return row;
}

std::string pointTable(const CheckReport& report) {
    const bool isPooling = report.spec.kind == ExperimentKind::Pooling;
    std::vector<std::string> head{"point", "input shape", "output shape"};
    if (isPooling)
        head.push_back("windows");
    head.insert(head.end(), {"input", "output", "host memory", "device memory", "operations"});
    std::vector<std::vector<std::string>> rows{head};
    for (const CheckedPoint& point : report.points)
        rows.push_back(pointRow(point, report.spec.kind));
    return textTable(rows);
}

std::string fitText(const CheckedTarget& target) {
    if (!target.reason.empty())
        return "not available: " + target.reason;
    if (!target.refusal.empty())
        return "cannot run: " + target.refusal;
    if (!target.fits())
        return "does NOT fit: " + target.whatFits + " (" + target.largestPoint + ")";
    const std::string comparison = target.comparisonBytes > 0
                                       ? "; comparing its results takes up to " +
                                             wholeBytesText(target.comparisonBytes) +
                                             " more of the host's memory, where that is there"
                                       : "";
    return "fits: needs " + wholeBytesText(target.neededBytes) + " of " +
           wholeBytesText(target.allowedBytes) + " that may be used (" + target.largestPoint + ")" +
           comparison;
}

/// What computes the operations of all points, each once: "openmp:conv_direct:avx512, openmp:softmax:avx512".
std::string namesText(const CheckedTarget& target) {
    std::vector<std::string> names;
    std::string text;
    for (const PointImplementations& point : target.implementations)
        for (const compute::OperationImplementations& operation : point.operations) {
            const compute::ImplementationRow* const taken = operation.taken();
            const std::string name =
                taken != nullptr ? taken->implementation : "nothing for " + operation.operation;
            if (std::find(names.begin(), names.end(), name) != names.end())
                continue;
            names.push_back(name);
            text += (text.empty() ? "" : ", ") + name;
        }
    return text;
}

/// "pool_2x2: windows leave the input; pool_3x3: ..." of those that refuse the operation; or the names of the
/// others that are not taken.
std::string othersText(const compute::OperationImplementations& operation, bool refusing) {
    std::string text;
    for (const compute::ImplementationRow& row : operation.candidates) {
        if (row.taken || row.accepts == refusing)
            continue;
        text += (text.empty() ? "" : refusing ? "; " : ", ") + row.name + (refusing ? ": " + row.reason : "");
    }
    return text;
}

std::string implementationsText(const CheckedTarget& target) {
    std::string text;
    for (const PointImplementations& point : target.implementations) {
        const bool isNetwork = !point.operations.empty() && !point.operations.front().phase.empty();
        std::vector<std::vector<std::string>> rows{
            {"operation", "implementation", "cannot compute it", "could, too"}};
        if (isNetwork)
            rows.front().insert(rows.front().begin(), {"layer", "phase"});
        for (const compute::OperationImplementations& operation : point.operations) {
            const compute::ImplementationRow* const taken = operation.taken();
            std::vector<std::string> row{operation.operation,
                                         taken != nullptr ? taken->implementation : "none",
                                         othersText(operation, true), othersText(operation, false)};
            if (isNetwork)
                row.insert(row.begin(), {printable(operation.layer), operation.phase});
            rows.push_back(std::move(row));
        }
        text += "\n" + target.target + ", " + pointText(point.values) + "\n" + textTable(rows);
    }
    return text;
}

std::string formulaText(const CheckReport& report) {
    if (report.points.empty() || report.points.front().formulaHeight.empty())
        return {};
    const CheckedPoint& last = report.points.back();
    return "\noutput size of the last point: height " + last.formulaHeight + ", width " + last.formulaWidth +
           "\n";
}

/// "1 point", "2 points"
std::string counted(std::size_t count, const char* what) {
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace

Result<CheckReport> checkReport(compute::ExperimentSpec spec, const compute::BackendRegistry& registry,
                                std::int64_t memoryLimit) {
    CheckReport report;
    const auto points = compute::expandPoints(spec);
    if (!points)
        return points.error();
    for (const compute::ExperimentPoint& point : *points) {
        auto checked = checkPoint(point);
        if (!checked)
            return checked.error();
        report.points.push_back(std::move(*checked));
    }
    const auto devices = registry.devices();
    for (std::size_t i = 0; i < spec.targets.size(); ++i) {
        auto checked = checkTarget(spec.targets[i], report.points, registry, devices, memoryLimit);
        if (!checked) {
            Error error = checked.error();
            error.where = "/targets/" + std::to_string(i);
            return error;
        }
        report.targets.push_back(std::move(*checked));
    }
    report.spec = std::move(spec);
    return report;
}

Status checkAskedImplementations(const compute::ExperimentSpec& spec,
                                 const compute::BackendRegistry& registry) {
    const bool asks =
        std::any_of(spec.targets.begin(), spec.targets.end(),
                    [](const compute::Target& target) { return target.options.contains("impl"); });
    if (!asks)
        return {};
    const auto report = checkReport(spec, registry);
    return report ? Status() : Status(report.error());
}

std::string pointText(const Json& values) {
    std::string text;
    for (const auto& [pointer, value] : values.items())
        text += (text.empty() ? "" : " ") + pointer + "=" + value.dump();
    return text.empty() ? "the only point" : text;
}

Json diagnosticJson(const compute::Diagnostic& diagnostic) {
    const bool isError = diagnostic.severity == compute::Diagnostic::Severity::Error;
    return {{"severity", isError ? "error" : "warning"},
            {"pointer", diagnostic.pointer},
            {"message", diagnostic.message},
            {"allowed", diagnostic.allowed},
            {"advice", diagnostic.advice}};
}

std::string diagnosticText(const compute::Diagnostic& diagnostic) {
    const bool isError = diagnostic.severity == compute::Diagnostic::Severity::Error;
    const Error error =
        badInput(diagnostic.pointer, diagnostic.message, diagnostic.allowed, diagnostic.advice);
    return (isError ? "error: " : "warning: ") + error.sentence();
}

Json checkReportJson(const CheckReport& report, bool withReasons) {
    Json points = Json::array(), targets = Json::array(), diagnostics = Json::array();
    std::int64_t largest = 0;
    for (const CheckedPoint& point : report.points) {
        points.push_back(pointJson(point));
        largest = std::max(largest, operandBytes(point, true));
    }
    for (const CheckedTarget& target : report.targets)
        targets.push_back(targetJson(target, withReasons));
    for (const compute::Diagnostic& warning : report.warnings)
        diagnostics.push_back(diagnosticJson(warning));
    Json network;
    if (report.spec.kind == ExperimentKind::Network)
        network = networkReportJson(report.spec.network);
    Json json = {{"ok", true},
                 {"name", report.spec.name},
                 {"kind", compute::enumText(report.spec.kind)},
                 {"diagnostics", diagnostics},
                 {"run_count", report.runs()},
                 {"memory_bytes", largest},
                 {"points", points},
                 {"targets", targets}};
    if (!network.is_null())
        json["network"] = std::move(network);
    return json;
}

std::string checkReportText(const CheckReport& report, bool withReasons) {
    std::string text = printable(report.spec.name) + ": " + counted(report.points.size(), "point") + " on " +
                       counted(report.targets.size(), "target") + ", " + counted(report.runs(), "run") +
                       "\n\n" + pointTable(report) + formulaText(report) + "\n";
    std::vector<std::vector<std::string>> rows;
    for (const CheckedTarget& target : report.targets)
        rows.push_back({target.target, fitText(target)});
    text += textTable(rows);
    for (const CheckedTarget& target : report.targets)
        if (withReasons)
            text += implementationsText(target);
        else if (!target.implementations.empty())
            text += target.target + " runs " + namesText(target) + "\n";
    if (report.spec.kind == ExperimentKind::Network)
        text += "\n" + networkReportText(report.spec.network);
    for (const compute::Diagnostic& warning : report.warnings)
        text += diagnosticText(warning) + "\n";
    return text;
}

} // namespace heteroscope::cli
