// SPDX-License-Identifier: Apache-2.0
// Spans on their way from one recording thread to the writing thread: a ring without locks. When it is full
// the span is dropped and counted; recording never waits.
#pragma once

#include "profiling/trace/trace.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace heteroscope::profiling {

class SpanRing {
  public:
    enum class Pushed { Yes, YesHalfFull, Dropped };

    explicit SpanRing(std::size_t capacity)
        : m_mask(std::bit_ceil(capacity) - 1), m_slots(new Span[std::bit_ceil(capacity)]) {}

    /// Recording thread.
    Pushed push(const Span& span) {
        const std::uint64_t head = m_head.load(std::memory_order_relaxed);
        const std::uint64_t half = (m_mask + 1) / 2;
        if (head - m_knownTail >= half)
            m_knownTail = m_tail.load(std::memory_order_acquire);
        if (head - m_knownTail > m_mask) {
            m_dropped.store(m_dropped.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return Pushed::Dropped;
        }
        m_slots[head & m_mask] = span;
        m_head.store(head + 1, std::memory_order_release);
        return head - m_knownTail == half ? Pushed::YesHalfFull : Pushed::Yes;
    }

    /// Writing thread: moves everything that is there to the end of `out`.
    void drain(std::vector<Span>& out) {
        const std::uint64_t head = m_head.load(std::memory_order_acquire);
        std::uint64_t tail = m_tail.load(std::memory_order_relaxed);
        for (; tail != head; ++tail)
            out.push_back(m_slots[tail & m_mask]);
        m_tail.store(tail, std::memory_order_release);
    }

    std::uint64_t recorded() const { return m_head.load(std::memory_order_relaxed); }
    std::uint64_t dropped() const { return m_dropped.load(std::memory_order_relaxed); }

  private:
    const std::uint64_t m_mask;
    const std::unique_ptr<Span[]> m_slots;
    alignas(64) std::atomic<std::uint64_t> m_head{0}; ///< written by the recording thread, with the next two
    std::uint64_t m_knownTail = 0;
    std::atomic<std::uint64_t> m_dropped{0};
    alignas(64) std::atomic<std::uint64_t> m_tail{0}; ///< written by the writing thread
};

} // namespace heteroscope::profiling
