// SPDX-License-Identifier: Apache-2.0
// Any text as an experiment file: parsing, all checks, and for the faultless ones points, networks, plans,
// estimates and the canonical form, which must be faultless again. Documents are mutated value by value with
// the words of the catalogue, or drawn from it anew.
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/fuzz/support/experiment_grammar.h"
#include "tests/fuzz/support/gzip_mutation.h"
#include "tests/fuzz/support/require.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

using namespace heteroscope;
using namespace heteroscope::compute;
using heteroscope::fuzz::require;

namespace {

constexpr std::size_t kMostPoints = 64; // more only make the fuzzer slow

std::size_t pointCount(const ExperimentSpec& spec) {
    std::size_t count = 1;
    for (const Axis& axis : spec.axes)
        count *= axis.values.size();
    return count;
}

bool hasErrors(const std::vector<Diagnostic>& findings) {
    return std::any_of(findings.begin(), findings.end(), [](const Diagnostic& finding) {
        return finding.severity == Diagnostic::Severity::Error;
    });
}

/// Tensors lie inside their blocks, and steps name tensors that there are.
void checkPlan(const NetworkPlan& plan) {
    for (const PlanTensor& tensor : plan.tensors) {
        require(tensor.offset >= 0 && tensor.offset % kTensorAlignment == 0, "a tensor is aligned");
        require(tensor.elements >= 0 && tensor.offset + tensor.elements <= plan.elementsOf(tensor.block),
                "a tensor lies inside its block");
    }
    const auto count = static_cast<int>(plan.tensors.size());
    for (const PlanStep& step : plan.steps)
        for (const auto* side : {&step.src, &step.dst})
            for (const int number : *side)
                require(number >= 0 && number < count, "a step names a tensor that there is");
}

void useNetwork(const NetworkExperiment& experiment) {
    PlanOptions options = planOptions(experiment);
    for (const bool everything : {false, true}) {
        options.keepEverything = everything;
        const auto plan = planNetwork(experiment.network, networkRequest(experiment), options);
        if (plan)
            checkPlan(*plan);
        else
            fuzz::requireGoodError(plan.error());
    }
}

void usePoint(const ExperimentSpec& spec) {
    const auto estimate = estimatePoint(spec);
    if (estimate) {
        require(estimate->hostBytes >= 0 && estimate->deviceBytes >= 0 && estimate->dstBytes >= 0,
                "an estimate is no negative size");
        require(std::isfinite(estimate->flops) && estimate->flops >= 0, "an estimate of work is a number");
    }
    if (spec.kind == ExperimentKind::Network)
        useNetwork(spec.network);
}

void useSpec(const ExperimentSpec& spec) {
    const Json canonical = specToJson(spec);
    require(!hasErrors(checkExperiment(canonical)), "the canonical form is faultless");
    const ExperimentSpec again = specFromJson(canonical).value();
    require(specToJson(again) == canonical, "the canonical form stays as it is");
    if (pointCount(spec) > kMostPoints)
        return;
    const auto points = expandPoints(spec);
    require(points.ok() && points->size() == pointCount(spec), "a faultless experiment has its points");
    const auto kept = expandPoints(again);
    require(kept.ok() && kept->size() == points->size(), "the canonical form has the same points");
    for (std::size_t i = 0; i < points->size(); ++i) {
        require(specToJson((*kept)[i].spec) == specToJson((*points)[i].spec),
                "the canonical form keeps each point");
        usePoint((*points)[i].spec);
    }
}

/// The document, or what is no value: damaged, or nested so deeply that a walk would exhaust the stack.
Json documentOf(std::string_view text) {
    std::size_t depth = 0, deepest = 0;
    for (const char each : text) {
        depth += each == '[' || each == '{' ? 1 : 0;
        depth -= (each == ']' || each == '}') && depth > 0 ? 1 : 0;
        deepest = std::max(deepest, depth);
    }
    return deepest > 256 ? Json(Json::value_t::discarded) : Json::parse(text, nullptr, false);
}

std::size_t handBack(const Json& document, std::uint8_t* data, std::size_t mostBytes) {
    const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > mostBytes)
        return 0;
    std::memcpy(data, text.data(), text.size());
    return text.size();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto document = parseJsonText(text);
    if (!document) {
        require(!document.error().message.empty(), "an error says what happened");
        return 0;
    }
    const auto findings = checkExperiment(*document);
    const auto spec = specFromJson(*document);
    require(spec.ok() == !hasErrors(findings), "what has no error can be read, and nothing else");
    if (spec)
        useSpec(*spec);
    (void)applyOverride(*document, text.substr(0, std::min<std::size_t>(size, 200)));
    (void)applyOverride(*document, "/pooling/input/size=[3, 4]");
    (void)checkExperiment(*document);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t mostBytes,
                                               unsigned seed) {
    fuzz::Random random(seed);
    Json document = random.oneIn(10) ? fuzz::randomExperiment(random)
                                     : documentOf({reinterpret_cast<const char*>(data), size});
    if (document.is_discarded() || random.oneIn(20))
        return LLVMFuzzerMutate(data, size, mostBytes);
    for (std::size_t count = random.below(4); count > 0; --count)
        fuzz::mutateJson(document, fuzz::experimentWords(), random);
    const std::size_t written = handBack(document, data, mostBytes);
    return written > 0 ? written : LLVMFuzzerMutate(data, size, mostBytes);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t sizeA,
                                                 const std::uint8_t* b, std::size_t sizeB, std::uint8_t* out,
                                                 std::size_t mostBytes, unsigned seed) {
    fuzz::Random random(seed);
    Json document = documentOf({reinterpret_cast<const char*>(a), sizeA});
    const Json other = documentOf({reinterpret_cast<const char*>(b), sizeB});
    if (document.is_discarded() || other.is_discarded())
        return 0;
    fuzz::spliceJson(document, other, random);
    return handBack(document, out, mostBytes);
}
