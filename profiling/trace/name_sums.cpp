// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/name_sums.h"

#include <algorithm>
#include <limits>

namespace heteroscope::profiling {

namespace {

std::size_t slotOf(StringId name, StringId category, std::size_t slots) {
    const std::uint64_t key = (std::uint64_t{name} << 32 | category) * 0x9e3779b97f4a7c15ull;
    return (key >> 32) & (slots - 1);
}

/// Durations are not negative, so only the upper end can be passed.
std::int64_t saturatedSum(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

} // namespace

NameSums::NameSums() : m_slots(64, 0) {}

SpanStats& NameSums::entry(StringId name, StringId category) {
    std::size_t slot = slotOf(name, category, m_slots.size());
    while (m_slots[slot] != 0) {
        SpanStats& sums = m_sums[m_slots[slot] - 1];
        if (sums.name == name && sums.category == category)
            return sums;
        slot = (slot + 1) & (m_slots.size() - 1);
    }
    m_sums.push_back({name, category, 0, 0, std::numeric_limits<std::int64_t>::max(), 0});
    m_slots[slot] = static_cast<std::uint32_t>(m_sums.size());
    if (m_sums.size() * 2 > m_slots.size())
        grow();
    return m_sums.back();
}

void NameSums::grow() {
    m_slots.assign(m_slots.size() * 2, 0);
    for (std::size_t i = 0; i < m_sums.size(); ++i) {
        std::size_t slot = slotOf(m_sums[i].name, m_sums[i].category, m_slots.size());
        while (m_slots[slot] != 0)
            slot = (slot + 1) & (m_slots.size() - 1);
        m_slots[slot] = static_cast<std::uint32_t>(i + 1);
    }
}

void NameSums::add(StringId name, StringId category, std::int64_t durationNs) {
    SpanStats& sums = entry(name, category);
    ++sums.count;
    sums.totalNs = saturatedSum(sums.totalNs, durationNs);
    sums.minNs = std::min(sums.minNs, durationNs);
    sums.maxNs = std::max(sums.maxNs, durationNs);
}

void NameSums::add(const SpanStats& other) {
    SpanStats& sums = entry(other.name, other.category);
    sums.count += other.count;
    sums.totalNs = saturatedSum(sums.totalNs, other.totalNs);
    sums.minNs = std::min(sums.minNs, other.minNs);
    sums.maxNs = std::max(sums.maxNs, other.maxNs);
}

} // namespace heteroscope::profiling
