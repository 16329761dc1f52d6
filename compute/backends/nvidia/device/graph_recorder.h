// SPDX-License-Identifier: Apache-2.0
// Records what is submitted to a stream as a CUDA graph. Work that does not touch the same memory is put on
// streams beside each other, so that the graph may run it at the same time. One thread.
#pragma once

#include "compute/base/result.h"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {
class Recording;
}

namespace heteroscope::compute::nvidia {

struct MemoryRange {
    const char* begin = nullptr;
    std::size_t bytes = 0;
    bool overlaps(const MemoryRange& other) const {
        return begin < other.begin + other.bytes && other.begin < begin + bytes;
    }
};

class GraphRecorder {
  public:
    /// `origin`: the stream on which the recording is launched later.
    GraphRecorder(std::string where, cudaStream_t origin);
    ~GraphRecorder();
    GraphRecorder(const GraphRecorder&) = delete;
    GraphRecorder& operator=(const GraphRecorder&) = delete;

    Status begin(int lanes);
    /// What is submitted from now until the next call reads and writes these.
    Status next(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes);
    Result<std::unique_ptr<Recording>> end();

    cudaStream_t stream() const { return m_lanes[static_cast<std::size_t>(m_lane)]; }
    int lane() const { return m_lane; }

  private:
    struct Work {
        std::vector<MemoryRange> reads, writes;
        int lane = 0;
        cudaEvent_t done = nullptr;
    };

    Status check(cudaError_t code) const;
    Status mark(); ///< an event after what was submitted last
    bool needs(const Work& later, const Work& earlier) const;
    int chooseLane(const std::vector<int>& latest) const;

    std::string m_where;
    std::vector<cudaStream_t> m_lanes; ///< the first is the origin
    std::vector<int> m_last;           ///< of each lane: its last work, or -1
    std::vector<Work> m_work;
    int m_lane = 0;
    bool m_recording = false;
    cudaEvent_t m_start = nullptr;
};

} // namespace heteroscope::compute::nvidia
