// SPDX-License-Identifier: Apache-2.0
// Append-only storage that never moves: segments that grow by an eighth of the whole, so that at most 12.5 %
// lie idle. One writer; readers may read every element that was published to them (the caller publishes a
// count with release/acquire).
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace heteroscope::profiling {

/// Where element `index` lies.
struct SegmentPlace {
    std::uint32_t segment;
    std::uint32_t offset;
    std::uint32_t length; ///< elements of that segment
};

constexpr std::uint32_t kFirstSegments = 512; ///< elements in the first eight segments together
constexpr std::uint32_t kSegmentCount = 192;  ///< enough for 2^32 elements

inline SegmentPlace segmentOf(std::uint32_t index) {
    const std::uint64_t v = std::uint64_t{index} + kFirstSegments;
    const auto exponent = static_cast<std::uint32_t>(std::bit_width(v) - 1);
    const std::uint32_t shift = exponent - 3;
    const auto length = std::uint32_t{1} << shift;
    return {(exponent - 9) * 8 + static_cast<std::uint32_t>((v >> shift) & 7),
            static_cast<std::uint32_t>(v & (length - 1)), length};
}

template <class T>
class SegmentedVector {
  public:
    /// Writer. The element is visible to whoever reads size() afterwards.
    std::uint32_t push(T value) {
        const std::uint32_t index = m_size.load(std::memory_order_relaxed);
        const SegmentPlace place = segmentOf(index);
        if (!m_segments[place.segment]) {
            m_segments[place.segment] = std::make_unique<T[]>(place.length);
            m_bytes.fetch_add(place.length * sizeof(T), std::memory_order_relaxed);
        }
        m_segments[place.segment][place.offset] = std::move(value);
        m_size.store(index + 1, std::memory_order_release);
        return index;
    }
    std::uint32_t size() const { return m_size.load(std::memory_order_acquire); }
    const T& operator[](std::uint32_t index) const {
        const SegmentPlace place = segmentOf(index);
        return m_segments[place.segment][place.offset];
    }
    T& at(std::uint32_t index) {
        const SegmentPlace place = segmentOf(index);
        return m_segments[place.segment][place.offset];
    }
    std::size_t bytes() const { return m_bytes.load(std::memory_order_relaxed); }

  private:
    std::array<std::unique_ptr<T[]>, kSegmentCount> m_segments;
    std::atomic<std::uint32_t> m_size{0};
    std::atomic<std::size_t> m_bytes{0};
};

} // namespace heteroscope::profiling
