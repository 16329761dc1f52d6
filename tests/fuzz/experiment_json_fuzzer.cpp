// SPDX-License-Identifier: Apache-2.0
// Any bytes as an experiment file: parsing, all checks, and for the faultless ones points, estimates and the
// canonical form, which must be faultless again.
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec_json.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

using namespace heteroscope;
using namespace heteroscope::compute;

namespace {

constexpr std::size_t kMostPoints = 64; // more only make the fuzzer slow

std::size_t pointCount(const ExperimentSpec& spec) {
    std::size_t count = 1;
    for (const Axis& axis : spec.axes)
        count *= axis.values.size();
    return count;
}

void require(bool truth) {
    if (!truth)
        std::abort();
}

bool hasErrors(const std::vector<Diagnostic>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Diagnostic& finding) {
        return finding.severity == Diagnostic::Severity::Error;
    });
}

void useSpec(const ExperimentSpec& spec) {
    const Json canonical = specToJson(spec);
    require(!hasErrors(checkExperiment(canonical)));
    require(specToJson(specFromJson(canonical).value()) == canonical);
    if (pointCount(spec) > kMostPoints)
        return;
    const auto points = expandPoints(spec);
    require(points.ok() && points->size() == pointCount(spec));
    for (const ExperimentPoint& point : *points)
        (void)estimatePoint(point.spec);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto document = parseJsonText(text);
    if (!document) {
        require(!document.error().message.empty());
        return 0;
    }
    const auto findings = checkExperiment(*document);
    const auto spec = specFromJson(*document);
    require(spec.ok() == !hasErrors(findings));
    if (spec)
        useSpec(*spec);
    (void)applyOverride(*document, text.substr(0, std::min<std::size_t>(size, 200)));
    (void)applyOverride(*document, "/pooling/input/size=[3, 4]");
    (void)checkExperiment(*document);
    return 0;
}
