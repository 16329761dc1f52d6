// SPDX-License-Identifier: Apache-2.0
// Flows by the spans they touch: chains in a hash table that only grows. One writer, lock-free readers.
#pragma once

#include "profiling/trace/reclaim.h"
#include "profiling/trace/segments.h"
#include "profiling/trace/trace.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace heteroscope::profiling {

class FlowIndex {
  public:
    FlowIndex();
    ~FlowIndex();
    void add(const Flow& flow, Reclaimer& reclaimer);
    std::vector<Flow> of(SpanRef ref) const; ///< reader, inside a Reclaimer::Reading
    std::uint32_t size() const { return m_flows.size(); }
    const Flow& operator[](std::uint32_t index) const { return m_flows[index]; }
    std::size_t bytes() const;

  private:
    /// Each flow has two links, 2 * index for its start and 2 * index + 1 for its end; 0 ends a chain.
    struct Table {
        explicit Table(std::size_t buckets);
        std::size_t mask;
        std::unique_ptr<std::atomic<std::uint32_t>[]> heads; ///< link + 1
        std::unique_ptr<std::uint32_t[]> next;               ///< link + 1, two per flow
        void link(std::uint32_t link, SpanRef ref);
    };
    static std::size_t bucketOf(SpanRef ref, std::size_t mask);

    SegmentedVector<Flow> m_flows;
    std::atomic<Table*> m_table;
};

} // namespace heteroscope::profiling
