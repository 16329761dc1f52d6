// SPDX-License-Identifier: Apache-2.0
// How many frames of each kind a stream has had, and which: the end frame tells it, so that a reader notices
// frames that were taken out, doubled or put in another order. One thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"
#include "profiling/stream/frame.h"
#include "profiling/stream/payload.h"

#include <array>
#include <cstdint>
#include <span>

namespace heteroscope::profiling {

class FrameTally {
  public:
    bool empty() const { return m_frames == 0; }
    /// `header`: the bytes before the payload, whose checksum is among them.
    void add(FrameKind kind, std::span<const std::uint8_t, kFrameHeaderBytes> header);
    /// Adds "frames" and "chain" to the payload of an end frame.
    void put(Json& end) const;
    /// Errors (BadInput): the end frame counted others than these. One of an earlier version counts nothing.
    Status agreesWith(const Payload& end) const;

  private:
    std::array<std::uint64_t, 256> m_counts{}; ///< by kind
    std::uint64_t m_frames = 0;
    std::uint32_t m_chain = 0; ///< checksum of the one before and of the frame's header, frame after frame
};

} // namespace heteroscope::profiling
