// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/flow_index.h"

#include <algorithm>

namespace heteroscope::profiling {

namespace {

constexpr std::size_t kFirstBuckets = 64; ///< a table holds as many flows as it has buckets

} // namespace

FlowIndex::Table::Table(std::size_t buckets)
    : mask(buckets - 1),
      heads(new std::atomic<std::uint32_t>[buckets]),
      next(new std::uint32_t[2 * buckets]) {
    for (std::size_t i = 0; i < buckets; ++i)
        heads[i].store(0, std::memory_order_relaxed);
}

void FlowIndex::Table::link(std::uint32_t link, SpanRef ref) {
    auto& head = heads[bucketOf(ref, mask)];
    next[link] = head.load(std::memory_order_relaxed);
    head.store(link + 1, std::memory_order_release);
}

std::size_t FlowIndex::bucketOf(SpanRef ref, std::size_t mask) {
    const std::uint64_t key = (std::uint64_t{ref.track} << 32 | ref.index) * 0x9e3779b97f4a7c15ull;
    return (key >> 32) & mask;
}

FlowIndex::FlowIndex() : m_table(new Table(kFirstBuckets)) {}

FlowIndex::~FlowIndex() {
    delete m_table.load();
}

void FlowIndex::add(const Flow& flow, Reclaimer& reclaimer) {
    const std::uint32_t index = m_flows.push(flow);
    Table* table = m_table.load(std::memory_order_relaxed);
    const bool full = index > table->mask;
    const std::uint32_t first = full ? 0 : index;
    if (full)
        table = new Table((table->mask + 1) * 2);
    for (std::uint32_t i = first; i <= index; ++i) {
        table->link(2 * i, m_flows[i].from);
        if (!(m_flows[i].to == m_flows[i].from))
            table->link(2 * i + 1, m_flows[i].to);
    }
    if (full)
        reclaimer.retire(std::unique_ptr<Table>(m_table.exchange(table)));
}

std::vector<Flow> FlowIndex::of(SpanRef ref) const {
    std::vector<Flow> flows;
    const Table& table = *m_table.load(std::memory_order_acquire);
    std::uint32_t link = table.heads[bucketOf(ref, table.mask)].load(std::memory_order_acquire);
    while (link != 0) {
        const Flow& flow = m_flows[(link - 1) / 2];
        if ((link - 1) % 2 ? flow.to == ref : flow.from == ref)
            flows.push_back(flow);
        link = table.next[link - 1];
    }
    std::reverse(flows.begin(), flows.end());
    return flows;
}

std::size_t FlowIndex::bytes() const {
    const std::size_t buckets = m_table.load(std::memory_order_acquire)->mask + 1;
    return m_flows.bytes() + buckets * 3 * sizeof(std::uint32_t);
}

} // namespace heteroscope::profiling
