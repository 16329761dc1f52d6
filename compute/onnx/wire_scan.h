// SPDX-License-Identifier: Apache-2.0
// Counts what an ONNX file holds by walking its protobuf fields, so that a small file cannot ask for a lot of
// memory. Field numbers: onnx.proto. Pure; any thread.
#pragma once

#include "compute/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace heteroscope::compute {

/// What a file's fields take.
struct OnnxSizes {
    std::int64_t structureBytes = 0;   ///< all but the numbers of its tensors
    std::int64_t rawBytes = 0;         ///< numbers as bytes
    std::int64_t packedFloatBytes = 0; ///< numbers one by one
    /// What the parsed model and the weights made of it take at most.
    std::int64_t memoryBytes() const;
};

/// An error when the bytes are not fields of the format, or beyond OnnxLimits.
Result<OnnxSizes> scanOnnxWire(std::span<const std::byte> bytes, const std::string& name);

} // namespace heteroscope::compute
