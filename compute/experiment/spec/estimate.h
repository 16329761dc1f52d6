// SPDX-License-Identifier: Apache-2.0
// What a point will need, computed before anything is allocated: shapes, windows, bytes, work. Pure; any
// thread.
#pragma once

#include "compute/base/result.h"
#include "compute/experiment/spec/spec.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heteroscope::compute {

struct PointEstimate {
    Shape4 src;                   ///< matmul: 1 x 1 x m x k
    Shape4 dst;                   ///< matmul: 1 x 1 x m x n
    std::int64_t windows = 0;     ///< pooling: windows extracted (output elements); 0 for matmul
    std::int64_t srcBytes = 0;    ///< all inputs
    std::int64_t paddedBytes = 0; ///< the input with its padding, were it stored
    std::int64_t dstBytes = 0;
    std::int64_t gradientBytes = 0; ///< backward: dstGrad and srcGrad
    std::int64_t hostBytes = 0; ///< host memory of a whole run, at the most: inputs, outputs, reference copy
    /// Of hostBytes, for a network: without weights and images as they are made and written before anything
    /// else.
    std::int64_t hostRunBytes = 0;
    std::int64_t referenceCopyBytes =
        0;                        ///< of hostBytes and hostRunBytes: results that others are compared with
    bool weightsComeLast = false; ///< they are made when all else is there: a training on a dataset
    std::int64_t resultBytes = 0; ///< on the host, as they are compared
    std::int64_t readBytes = 0;   ///< of hostRunBytes, for a network: what it takes to read its results
    std::int64_t deviceBytes =
        0; ///< on the device; equals the op's operands; workspace of a library not included
    /// Of the host's memory, for the examples of a dataset: during the run, and at the most while they are
    /// read. 0 where whoever asks does not fill them in (compute/data/dataset_memory.h): they lie in files.
    std::int64_t datasetBytes = 0, readingBytes = 0;
    std::optional<ExampleCounts> examples = {}; ///< of the dataset, likewise
    double flops = 0, minimumBytes = 0;
};

/// Image and npy inputs need the shape of the file: give it in `fileShape`. `examples`: of a dataset; without
/// them the most that a network could take beside its own plan, and the results of one batch, are counted.
Result<PointEstimate> estimatePoint(const ExperimentSpec& pointSpec,
                                    std::optional<Shape4> fileShape = std::nullopt,
                                    const std::optional<ExampleCounts>& examples = std::nullopt);

/// The output size formula with the numbers put in, e.g. "floor((1024 + 0 + 0 - 2) / 2) + 1 = 512" for one
/// axis.
std::string outputFormula(std::int64_t in, std::int64_t before, std::int64_t after, std::int64_t kernel,
                          std::int64_t stride);

} // namespace heteroscope::compute
