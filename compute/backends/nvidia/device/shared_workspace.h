// SPDX-License-Identifier: Apache-2.0
// Scratch memory that the operations of a session use in turn, one piece for each of its streams.
#pragma once

#include "compute/backends/nvidia/device/cuda_session.h"

#include <memory>
#include <vector>

namespace heteroscope::compute::nvidia {

class SharedWorkspace {
  public:
    /// Makes it at least that large; work under way is waited for before it grows.
    Status reserve(const CudaSession& session, std::size_t bytes) {
        const std::size_t each = (bytes + 255) / 256 * 256;
        if (bytes == 0 || (m_memory != nullptr && m_each >= each))
            return {};
        if (m_memory != nullptr) {
            if (const Status status = session.waitForStream(); !status)
                return status;
            if (session.hasRecorded()) // recordings go on using it
                m_retired.push_back(std::move(m_memory));
            m_memory.reset();
        }
        auto memory = session.allocateFor(each * session.lanes(), "the operations' workspace");
        if (!memory)
            return memory.error();
        m_memory = std::move(*memory);
        m_each = each;
        return {};
    }
    /// Where that of the session's present stream is now; operations ask each time they start. nullptr when
    /// nothing was reserved.
    void* memory(const CudaSession& session) const {
        if (m_memory == nullptr)
            return nullptr;
        return static_cast<char*>(m_memory->devicePointer()) +
               m_each * static_cast<std::size_t>(session.lane());
    }

  private:
    std::unique_ptr<DeviceBuffer> m_memory;
    std::vector<std::unique_ptr<DeviceBuffer>> m_retired;
    std::size_t m_each = 0; ///< bytes of one stream
};

} // namespace heteroscope::compute::nvidia
