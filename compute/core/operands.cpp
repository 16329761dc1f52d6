// SPDX-License-Identifier: Apache-2.0
#include "compute/core/operands.h"

#include <cstdint>
#include <vector>

namespace heteroscope::compute {
namespace {

class Taker {
  public:
    Taker(const std::string& op, const char* side, BufferPointer pointer, const char* memory)
        : m_op(op), m_side(side), m_pointer(pointer), m_memory(memory) {}

    Status take(std::span<DeviceBuffer* const> buffers, const std::vector<std::int64_t>& elements,
                const std::vector<std::int64_t>& optional, std::span<float*> pointers) const {
        const std::size_t most = elements.size() + optional.size();
        if (buffers.size() < elements.size() || buffers.size() > most || most > pointers.size())
            return fail("has " + std::to_string(buffers.size()) + " operands instead of " +
                        std::to_string(elements.size()));
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            const std::int64_t wanted = i < elements.size() ? elements[i] : optional[i - elements.size()];
            if (const Status status = takeOne(buffers[i], i, wanted, pointers[i]); !status)
                return status;
        }
        return {};
    }

  private:
    Status takeOne(DeviceBuffer* buffer, std::size_t index, std::int64_t wanted, float*& pointer) const {
        void* address = buffer == nullptr ? nullptr : (buffer->*m_pointer)();
        if (address == nullptr)
            return fail("operand " + std::to_string(index) + " is not " + m_memory);
        if (buffer->bytes() / sizeof(float) < static_cast<std::size_t>(wanted))
            return fail("operand " + std::to_string(index) + " has " + std::to_string(buffer->bytes()) +
                        " bytes, " + std::to_string(wanted) + " floats are needed");
        pointer = static_cast<float*>(address);
        return {};
    }

    Error fail(const std::string& what) const {
        return Error{ErrorCode::RunFailed, std::string(m_side) + " " + what, m_op, {}, {}};
    }

    const std::string& m_op;
    const char* m_side;
    BufferPointer m_pointer;
    const char* m_memory;
};

} // namespace

Result<OperandPointers> operandPointers(const std::string& op, const OperandSizes& sizes,
                                        std::span<DeviceBuffer* const> src,
                                        std::span<DeviceBuffer* const> dst, BufferPointer pointer,
                                        const char* memory) {
    OperandPointers pointers;
    if (const Status status =
            Taker(op, "input", pointer, memory).take(src, sizes.src, sizes.optionalSrc, pointers.src);
        !status)
        return status.error();
    if (const Status status = Taker(op, "output", pointer, memory).take(dst, sizes.dst, {}, pointers.dst);
        !status)
        return status.error();
    return pointers;
}

} // namespace heteroscope::compute
