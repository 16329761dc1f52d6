// SPDX-License-Identifier: Apache-2.0
// What the names of an ONNX graph stand for while it is read, and the numbers of its tensors. One thread.
#pragma once

#include "compute/base/npy.h"
#include "compute/base/result.h"
#include "compute/core/shape.h"

#include <cstdint>
#include <limits>
#include <onnx/onnx_pb.h>
#include <string>
#include <variant>
#include <vector>

namespace heteroscope::compute {

/// What a layer computes, or the input.
struct Activation {
    std::string layer;         ///< "input", or the layer's name
    Shape4 shape;              ///< of one image; n is 1
    Padding2d padding = {};    ///< zeros that a Pad put around it, which the layer that reads it takes over
    bool row = false;          ///< two dimensions in the graph, [batch, features]; else four
    bool channelsLast = false; ///< a Transpose made it [batch, height, width, channels]
};

/// An initializer or a Constant node's tensor; the graph outlives it.
struct Constant {
    const onnx::TensorProto* tensor = nullptr;
    bool transposed = false; ///< a matrix, read with its dimensions exchanged
};

/// Whole numbers that shapes are made of.
struct Wholes {
    std::vector<std::int64_t> values;
};
/// Stands for the batch, which is chosen later.
inline constexpr std::int64_t kBatchMark = std::numeric_limits<std::int64_t>::min();

using GraphValue = std::variant<Activation, Constant, Wholes>;

/// float32 numbers with their shape. Errors name the tensor: another type, data outside of the file, sizes
/// that do not agree.
Result<NpyArray> readFloats(const Constant& constant, const std::string& file);
/// 32- or 64-bit whole numbers, a few: shapes, axes.
Result<std::vector<std::int64_t>> readWholes(const onnx::TensorProto& tensor, const std::string& file);
bool isWhole(const onnx::TensorProto& tensor);

} // namespace heteroscope::compute
