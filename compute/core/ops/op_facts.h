// SPDX-License-Identifier: Apache-2.0
// What is known of an operation without computing it. One overload of opFacts() an operation, beside its
// struct.
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// Elements of each operand, in the order given at the operation.
struct OperandSizes {
    std::vector<std::int64_t> src; ///< those that must be there
    std::vector<std::int64_t> dst;
    std::vector<std::int64_t> optionalSrc; ///< those that may follow src
};

struct OpFacts {
    std::string name;           ///< "conv2d.forward": in traces and messages
    std::string detail;         ///< shape and parameters in short: "32x64x112x112 k2x2 s2x2 p0"
    Result<OperandSizes> sizes; ///< an error where a shape is impossible
    double bytes = 0;           ///< fewest that must move: each input read once, each output written once
    double flops = 0;       ///< comparisons count as one, a multiply-add as two; 0 where sizes is an error
    bool isReorder = false; ///< see OpEvent
};

/// 4 bytes for every element of the operands that must be there.
double operandBytes(const OperandSizes& sizes);

/// The product of extents, each at least 1; nothing when one is not or the product does not fit 63 bits.
std::optional<std::int64_t> elementsOf(std::initializer_list<std::int64_t> extents);

/// Facts of an operation that reads and writes each operand once. An operand larger than 63 bits of bytes,
/// empty or without a size (nullopt) becomes the error.
OpFacts plainFacts(std::string name, std::string detail, std::vector<std::optional<std::int64_t>> src,
                   std::vector<std::optional<std::int64_t>> dst, double flops);

/// Facts of an operation whose parameters are impossible.
OpFacts impossible(std::string name, std::string detail, Error error);

} // namespace heteroscope::compute
