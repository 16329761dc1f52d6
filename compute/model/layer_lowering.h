// SPDX-License-Identifier: Apache-2.0
// What a layer becomes: its output's shape, what it learns, and the operations of both directions. Plain
// values.
#pragma once

#include "compute/core/op.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::compute {

enum class NetworkMode { Infer, Train };

enum class OperandKind {
    Input,         ///< index: which of the layer's inputs
    Output,        ///< of the layer
    Parameter,     ///< index: which of its parameters
    State,         ///< index: what changes without a gradient, e.g. running statistics
    Saved,         ///< index: kept from forward to backward
    OutputGrad,    ///< gradient of the output
    InputGrad,     ///< index
    ParameterGrad, ///< index
    Step           ///< one element: the bits of the training step's number
};

struct Operand {
    OperandKind kind;
    std::size_t index = 0;
};

/// An operation with the places of its operands.
struct LoweredOp {
    Op op;
    std::vector<Operand> src, dst;
};

/// How a parameter is filled before training.
enum class InitialValue { Weights, Zero, One };

/// Something that is learned.
struct ParameterTensor {
    std::string name; ///< "weight", "bias": "<layer>.<name>" names it in files
    std::vector<std::int64_t> dims;
    InitialValue initial = InitialValue::Zero;
    std::int64_t fanIn = 1, fanOut = 1; ///< inputs and outputs that meet in one weight's sum; for Weights
};

struct StateTensor {
    std::string name; ///< "running_mean"
    std::vector<std::int64_t> dims;
    float initial = 0;
};

struct LayerLowering {
    Shape4 output;
    std::vector<ParameterTensor> parameters = {};
    std::vector<StateTensor> states = {};
    std::vector<std::int64_t> saved = {}; ///< elements of each
    std::vector<LoweredOp> forward = {}, backward = {};
    bool viewsInput = false; ///< no operation: the output is the first input's memory, the gradient likewise
    bool passesGradient = false; ///< the gradient of each input is the output's
    double multiplyAdds = 0;     ///< of convolutions and products, for the whole batch
};

} // namespace heteroscope::compute
