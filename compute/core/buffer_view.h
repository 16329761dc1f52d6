// SPDX-License-Identifier: Apache-2.0
// Part of another buffer. One thread at a time, as backend.h says.
#pragma once

#include "compute/core/backend.h"

#include <cstddef>

namespace heteroscope::compute {

/// `bytes` of `base` from `offset` on, which must lie inside it. The base outlives the view and owns the
/// memory.
class BufferView final : public DeviceBuffer {
  public:
    BufferView(DeviceBuffer& base, std::size_t offset, std::size_t bytes)
        : m_base(base), m_offset(offset), m_bytes(bytes) {}

    std::size_t bytes() const override { return m_bytes; }
    void* hostPointer() override { return shifted(m_base.hostPointer()); }
    void* devicePointer() override { return shifted(m_base.devicePointer()); }

  private:
    void* shifted(void* pointer) const {
        return pointer == nullptr ? nullptr : static_cast<char*>(pointer) + m_offset;
    }

    DeviceBuffer& m_base;
    std::size_t m_offset, m_bytes;
};

} // namespace heteroscope::compute
