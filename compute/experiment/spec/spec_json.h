// SPDX-License-Identifier: Apache-2.0
// Experiment files: JSON to ExperimentSpec and back, with every mistake named by its JSON pointer. Pure; any
// thread.
#pragma once

#include "compute/base/result.h"
#include "compute/experiment/spec/spec.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

/// A finding about an experiment: `pointer` is the JSON pointer of the value it is about.
struct Diagnostic {
    enum class Severity { Error, Warning };
    Severity severity = Severity::Error;
    std::string pointer;
    std::string message;
    std::string allowed;
    std::string advice;
    /// Of an error: OutOfMemory where what it names may be right and is too large for the memory limit.
    ErrorCode code = ErrorCode::BadInput;
};

/// Limits on what a file may ask for; larger is refused with the figure.
struct SpecLimits {
    static constexpr std::size_t kMaxFileBytes = 16u << 20;
    static constexpr int kMaxDepth = 64;
    static constexpr std::size_t kMaxPoints = 100000;
};

// Axes. A key of "axes" is a JSON pointer to a parameter ("/pooling/input/size"), to one number of an [h, w]
// list that the file gives ("/pooling/kernel/0"), or several pointers that take each value together,
// separated by commas: { "/matmul/m,/matmul/n,/matmul/k": [64, 128] } multiplies square matrices. Each
// parameter lies in one axis at most. The point of a run repeats the key as it is written.

/// Text to JSON: bounded size and depth, no key twice; the error carries pointer, line, column and byte
/// offset.
Result<Json> parseJsonText(std::string_view text);

/// All mistakes of a document; empty when it can run. Checks unknown keys, types, ranges, targets' syntax,
/// axes (each value put in and checked), impossible pooling shapes. Does not touch the file system.
std::vector<Diagnostic> checkExperiment(const Json& document);

/// The typed experiment, or the first error of checkExperiment.
Result<ExperimentSpec> specFromJson(const Json& document, std::string directory = {});
Result<ExperimentSpec> loadExperiment(const std::filesystem::path& file);

/// "/pooling/input/size=1024": the value is read as JSON when it parses, else as a string. Unknown pointers
/// are errors. A parameter that an axis varies keeps its axis, with this one value.
Status applyOverride(Json& document, std::string_view assignment);

/// Once all assignments are applied: an error where one changed what others leave without effect.
Status checkOverrideEffect(const Json& document, std::string_view assignment);

/// A document with every default written out, keys in canonical order.
Json specToJson(const ExperimentSpec& spec);

/// Every combination of the axes, the first axis slowest; one point when there is none. The parameters come
/// from spec.document (from the typed fields when it is empty); targets and sampling from the typed fields.
/// The points' own documents stay empty.
Result<std::vector<ExperimentPoint>> expandPoints(const ExperimentSpec& spec);

/// The documents a new experiment starts from.
Json defaultPoolingDocument();
Json defaultMatmulDocument();
Json defaultNetworkDocument();

} // namespace heteroscope::compute
