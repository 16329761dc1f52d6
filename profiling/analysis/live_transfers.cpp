// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/live_transfers.h"

#include "profiling/analysis/transfers.h"

#include <algorithm>

namespace heteroscope::profiling {
namespace {

constexpr std::size_t kArgsKept = 1u << 16; // far more than a study has kinds of copies

double quotient(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

} // namespace

void RunningUnion::add(NsRange range) {
    if (m_settledNs)
        range.startNs = std::max(range.startNs, *m_settledNs);
    if (range.endNs <= range.startNs)
        return;
    const auto first =
        std::lower_bound(m_latest.begin(), m_latest.end(), range.startNs,
                         [](const NsRange& kept, std::int64_t startNs) { return kept.endNs < startNs; });
    auto last = first;
    for (; last != m_latest.end() && last->startNs <= range.endNs; ++last) {
        range.startNs = std::min(range.startNs, last->startNs);
        range.endNs = std::max(range.endNs, last->endNs);
        m_lengthNs -= last->lengthNs();
    }
    m_lengthNs += range.lengthNs();
    m_latest.insert(m_latest.erase(first, last), range);
    if (m_latest.size() > 2 * kKept) {
        const auto kept = m_latest.end() - static_cast<std::ptrdiff_t>(kKept);
        m_settledNs = std::prev(kept)->endNs;
        m_latest.erase(m_latest.begin(), kept);
    }
}

double LiveTransferGroup::gbPerS() const {
    return quotient(bytes, busyNs); // bytes per ns are GB/s
}

double LiveTransferGroup::shareOf(std::int64_t wallNs) const {
    return quotient(busyNs, wallNs);
}

void TransferWatch::update(const Trace& trace) {
    for (const TrackId tracks = trace.trackCount(); m_tracksSeen < tracks; ++m_tracksSeen)
        if (trace.track(m_tracksSeen).kind == TrackKind::Copy) {
            m_rows.push_back(m_tracksSeen);
            m_taken.push_back(0);
        }
    std::vector<Copy> copies;
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        for (const std::uint64_t there = trace.spanCount(m_rows[row]); m_taken[row] < there; ++m_taken[row])
            if (const auto span = trace.span({m_rows[row], 0, m_taken[row]}))
                take(trace, *span, copies);
    // Rows come one after the other; the union wants their copies in order.
    std::sort(copies.begin(), copies.end(),
              [](const Copy& a, const Copy& b) { return a.time.startNs < b.time.startNs; });
    for (const Copy& copy : copies)
        for (Sums* sums : {copy.group, &m_all}) {
            ++sums->count;
            sums->bytes += copy.bytes;
            sums->busy.add(copy.time);
        }
    m_wallNs = trace.endNs() - trace.startNs();
}

void TransferWatch::take(const Trace& trace, const Span& span, std::vector<Copy>& copies) {
    const auto [entry, isNew] = m_categories.try_emplace(span.category, nullptr);
    if (isNew)
        if (const auto category = copyCategory(trace.string(span.category)))
            entry->second = &m_groups[{category->route, category->memory}];
    if (entry->second == nullptr)
        return;
    if (const auto bytes = bytesOf(trace, span.args))
        copies.push_back({{span.startNs, span.startNs + span.durationNs}, *bytes, entry->second});
}

std::optional<std::int64_t> TransferWatch::bytesOf(const Trace& trace, std::uint32_t args) {
    if (m_bytes.size() > kArgsKept)
        m_bytes.clear();
    const auto [entry, isNew] = m_bytes.try_emplace(args);
    if (isNew) {
        const ArgList list = trace.args(args);
        const bool probe = std::any_of(list.begin(), list.end(), [](const auto& arg) {
            return arg.first == "op" && arg.second == kLinkProbeOp;
        });
        if (!probe)
            entry->second = copyBytes(list);
    }
    return entry->second;
}

LiveTransfers TransferWatch::now() const {
    LiveTransfers now;
    now.wallNs = m_wallNs;
    now.count = m_all.count;
    now.bytes = m_all.bytes;
    now.busyNs = m_all.busy.lengthNs();
    for (const auto& [key, sums] : m_groups)
        if (sums.count > 0) // else only the recorder copied so
            now.groups.push_back({key.first, key.second, sums.count, sums.bytes, sums.busy.lengthNs()});
    return now;
}

} // namespace heteroscope::profiling
