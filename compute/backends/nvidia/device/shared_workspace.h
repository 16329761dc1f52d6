// SPDX-License-Identifier: Apache-2.0
// Scratch memory that all operations of a session use in turn: they are ordered on its one stream.
#pragma once

#include "compute/backends/nvidia/device/cuda_session.h"

#include <memory>

namespace heteroscope::compute::nvidia {

class SharedWorkspace {
  public:
    /// Makes it at least that large; work under way is waited for before it grows.
    Status reserve(CudaSession& session, std::size_t bytes) {
        if (bytes == 0 || (m_memory != nullptr && m_memory->bytes() >= bytes))
            return {};
        if (m_memory != nullptr) {
            if (const Status status = session.synchronize(); !status)
                return status;
            m_memory.reset();
        }
        auto memory = session.allocate(bytes);
        if (!memory)
            return memory.error();
        m_memory = std::move(*memory);
        return {};
    }
    /// Where it is now; operations ask each time they start. nullptr when nothing was reserved.
    void* memory() const { return m_memory == nullptr ? nullptr : m_memory->devicePointer(); }

  private:
    std::unique_ptr<DeviceBuffer> m_memory;
};

} // namespace heteroscope::compute::nvidia
