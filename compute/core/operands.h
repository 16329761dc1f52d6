// SPDX-License-Identifier: Apache-2.0
// Checks the buffers that an op was given and takes their pointers. Any thread.
#pragma once

#include "compute/core/backend.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace heteroscope::compute {

inline constexpr std::size_t kMaxOperands = 8;

/// How a buffer's memory is reached: DeviceBuffer::hostPointer or DeviceBuffer::devicePointer.
using BufferPointer = void* (DeviceBuffer::*)();

struct OperandPointers {
    std::array<float*, kMaxOperands> src{}, dst{};
};

/// The operands' addresses. Error (RunFailed) when the number of buffers is wrong, one is unreachable
/// (`memory` names what was wanted: "host memory"), or one holds fewer floats than it has to.
Result<OperandPointers> operandPointers(const std::string& op, const OperandSizes& sizes,
                                        std::span<DeviceBuffer* const> src,
                                        std::span<DeviceBuffer* const> dst, BufferPointer pointer,
                                        const char* memory);

} // namespace heteroscope::compute
