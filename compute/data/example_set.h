// SPDX-License-Identifier: Apache-2.0
// Examples as a source gives them, before they are split. Host memory; plain values.
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/result.h"
#include "compute/core/shape.h"
#include "compute/experiment/spec/data_spec.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace heteroscope::compute {

struct Examples {
    std::int64_t count = 0;
    std::vector<float> images;  ///< count x image elements
    std::vector<float> targets; ///< count x target elements; a class is its number
};

struct ExampleSet {
    Shape4 image;                    ///< n = 1; a row of a table has its features as channels
    std::int64_t targetElements = 1; ///< of one example
    Examples examples;
    std::vector<std::string> classNames; ///< empty: classes are called by their numbers
};

/// What is to be read. `input` is the network's, n = 1: drawn examples have its shape, image files its
/// channels.
struct ReadRequest {
    const DataSpec& data;
    std::filesystem::path directory; ///< that relative paths start from
    Shape4 input;
    bool test = false;                   ///< the test files instead
    std::vector<std::string> classNames; ///< for test files: those of the training files
    /// Of so many examples those to be read, each from 0 to below their number; nothing: all.
    std::function<std::vector<std::int64_t>(std::int64_t count)> which;
    /// Of everything that is read for one dataset; copies of the request share it.
    std::shared_ptr<MemoryBudget> budget = std::make_shared<MemoryBudget>();

    std::vector<std::int64_t> chosenOf(std::int64_t count) const;
};

// Values are (v - mean) / deviation; v is byte / 255 for pixels and the number itself in tables and arrays.
// Errors are BadInput with file and byte, line or entry, or OutOfMemory before anything is allocated.

Result<ExampleSet> readIdxSet(const ReadRequest& request);
Result<ExampleSet> readCifarSet(const ReadRequest& request);
/// Where the first transform is a resize it has been done.
Result<ExampleSet> readImageFolder(const ReadRequest& request);
Result<ExampleSet> readCsvSet(const ReadRequest& request);
Result<ExampleSet> readNpySet(const ReadRequest& request);
/// Shapes, brain slices, irradiance maps and tables: functions of seed and number of the example alone.
Result<ExampleSet> drawExamples(const ReadRequest& request);

/// The source's reader.
Result<ExampleSet> readExamples(const ReadRequest& request);

/// Charges so many examples as float32, with one target each. Errors stand at /data.
Status chargeExamples(MemoryBudget& budget, std::int64_t count, std::int64_t elements);
/// What examples hold, to be released.
std::int64_t bytesOf(const Examples& examples);

/// At most so many bytes of one file, uncompressed.
inline constexpr std::int64_t kMostFileBytes = std::int64_t{4} << 30;

/// v * scale + shift, for values that are `largest` where they mean one.
struct Scaling {
    float scale = 1, shift = 0;
    Scaling(const DataSpec& data, double largest)
        : scale(static_cast<float>(1.0 / (largest * data.deviation))),
          shift(static_cast<float>(-data.mean / data.deviation)) {}
    float operator()(float value) const { return value * scale + shift; }
};

} // namespace heteroscope::compute
