// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/gpu/causal_order.h"

#include <algorithm>
#include <optional>

namespace heteroscope::profiling {
namespace {

using Waits = std::multimap<std::int64_t, std::int64_t>;

/// End of the first wait that began when the call had returned.
std::optional<std::int64_t> firstAfter(const Waits& waits, std::int64_t callEndNs) {
    const auto found = waits.lower_bound(callEndNs);
    return found == waits.end() ? std::nullopt : std::optional(found->second);
}

} // namespace

void CausalOrder::count(std::int64_t causeNs, std::int64_t effectNs) {
    ++m_counts.pairs;
    if (effectNs >= causeNs)
        return;
    ++m_counts.violations;
    m_counts.largestByNs = std::max(m_counts.largestByNs, causeNs - effectNs);
}

void CausalOrder::keepFew(Waits& kept) {
    while (kept.size() > kMostKept)
        kept.erase(kept.begin());
}

void CausalOrder::work(const GpuPlace& place, std::int64_t callStartNs, std::int64_t callEndNs,
                       std::int64_t startNs, std::int64_t endNs) {
    count(callStartNs, startNs);
    Stream& stream = m_streams[{place.context, place.stream}];
    auto end = firstAfter(stream.waits, callEndNs);
    if (const auto all = m_deviceWaits.find(place.context); all != m_deviceWaits.end())
        if (const auto ofDevice = firstAfter(all->second, callEndNs))
            end = std::min(*ofDevice, end.value_or(*ofDevice));
    if (end)
        return count(endNs, *end);
    stream.open.emplace(callEndNs, endNs);
    keepFew(stream.open);
}

/// What was launched before the wait began is what it waits for.
void CausalOrder::resolve(Stream& stream, const Times& wait) {
    const auto last = stream.open.upper_bound(wait.startNs);
    for (auto work = stream.open.begin(); work != last; ++work)
        count(work->second, wait.endNs);
    stream.open.erase(stream.open.begin(), last);
}

void CausalOrder::wait(const GpuSynchronization& wait, std::int64_t startNs, std::int64_t endNs) {
    if (wait.waitsFor == WaitsFor::Stream) {
        Stream& stream = m_streams[{wait.context, wait.stream}];
        resolve(stream, {startNs, endNs});
        stream.waits.emplace(startNs, endNs);
        keepFew(stream.waits);
    } else if (wait.waitsFor == WaitsFor::Device) {
        for (auto stream = m_streams.lower_bound({wait.context, 0});
             stream != m_streams.end() && stream->first.first == wait.context; ++stream)
            resolve(stream->second, {startNs, endNs});
        m_deviceWaits[wait.context].emplace(startNs, endNs);
        keepFew(m_deviceWaits[wait.context]);
    }
}

} // namespace heteroscope::profiling
