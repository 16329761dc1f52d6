// SPDX-License-Identifier: Apache-2.0
// Experiment files to typed experiments, and the points of their axes.
#include "compute/experiment/spec/spec_json.h"

#include "compute/base/file_kind.h"
#include "compute/base/units.h"
#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/read_spec.h"
#include "compute/experiment/spec/semantic_check.h"

#include <algorithm>
#include <cerrno>
#include <fstream>

namespace heteroscope::compute {
namespace {

Error toError(const Diagnostic& finding) {
    return badInput(finding.pointer, finding.message, finding.allowed, finding.advice);
}

std::optional<Error> firstError(const std::vector<Diagnostic>& findings) {
    const auto found = std::find_if(findings.begin(), findings.end(), [](const Diagnostic& finding) {
        return finding.severity == Diagnostic::Severity::Error;
    });
    if (found == findings.end())
        return std::nullopt;
    return toError(*found);
}

std::string textAt(const Json& document, const char* key) {
    const auto found = document.find(key);
    return found == document.end() ? std::string() : found->get<std::string>();
}

Result<std::string> readTextFile(const std::filesystem::path& file) {
    std::error_code failure;
    if (const Status status = requireRegularFile(file, "an experiment file (.json)"); !status)
        return status.error();
    const auto size = std::filesystem::file_size(file, failure);
    if (failure)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", failure.value());
    if (size > SpecLimits::kMaxFileBytes)
        return badInput(file.string(), "the file has " + formatBytes(static_cast<double>(size)),
                        "at most " + formatBytes(static_cast<double>(SpecLimits::kMaxFileBytes)),
                        "keep large inputs in .npy or image files beside the experiment");
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", errno, {},
                             "check the permissions of the file");
    std::string text(static_cast<std::size_t>(size), '\0');
    if (!stream.read(text.data(), static_cast<std::streamsize>(text.size())))
        return badInput(file.string(), "cannot be read", {}, "check the permissions of the file");
    return text;
}

Json pointValues(const std::vector<Axis>& axes, const AxisCounter& counter) {
    Json values = Json::object();
    for (std::size_t i = 0; i < axes.size(); ++i)
        values[axes[i].pointer] = axes[i].values[counter.at(i)];
    return values;
}

/// What stays the same at every point.
ExperimentSpec pointTemplate(const ExperimentSpec& spec) {
    ExperimentSpec point;
    point.name = spec.name;
    point.notes = spec.notes;
    point.targets = spec.targets;
    point.directory = spec.directory;
    return point;
}

} // namespace

Result<ExperimentSpec> specFromJson(const Json& document, std::string directory) {
    if (const auto error = firstError(checkExperiment(document)))
        return *error;
    ExperimentSpec spec;
    readParameters(withDefaults(document), spec);
    spec.name = textAt(document, "name");
    spec.notes = textAt(document, "notes");
    for (const Json& target : document.at("targets"))
        spec.targets.push_back(parseTarget(target.get_ref<const std::string&>()).value());
    spec.axes = readAxes(document);
    spec.document = document;
    spec.directory = std::move(directory);
    return spec;
}

Result<ExperimentSpec> loadExperiment(const std::filesystem::path& file) {
    const auto text = readTextFile(file);
    if (!text)
        return text.error();
    const auto document = parseJsonText(*text);
    if (!document) {
        Error error = document.error();
        if (error.where.empty())
            error.where = file.string();
        return error;
    }
    return specFromJson(*document, file.parent_path().string());
}

Result<std::vector<ExperimentPoint>> expandPoints(const ExperimentSpec& spec) {
    const Json given = spec.document.is_object() ? spec.document : specToJson(spec);
    if (const auto error = firstError(checkExperiment(given)))
        return *error;
    Json document = withDefaults(given);
    const std::vector<Axis> axes = readAxes(document);
    std::vector<std::size_t> sizes;
    sizes.reserve(axes.size());
    for (const Axis& axis : axes)
        sizes.push_back(axis.values.size());
    std::vector<ExperimentPoint> points;
    AxisCounter counter(sizes);
    do {
        const Json values = pointValues(axes, counter);
        for (const auto& [axis, value] : values.items())
            setAxisValue(document, axis, value);
        points.push_back({values, pointTemplate(spec)});
        readParameters(document, points.back().spec);
        points.back().spec.sampling = spec.sampling;
        points.back().spec.network.training.weights = spec.network.training.weights;
    } while (counter.next());
    return points;
}

} // namespace heteroscope::compute
