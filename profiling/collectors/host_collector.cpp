// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/host_collector.h"

#include "profiling/collectors/span_ring.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <thread>
#include <unordered_map>
#include <utility>

namespace heteroscope::profiling {

namespace {

constexpr std::chrono::milliseconds kWriteEvery{20};

/// Which ring the current thread writes to, remembered from its last span.
struct ThreadRing {
    std::uint64_t collector = 0;
    SpanRing* ring = nullptr;
};
thread_local ThreadRing t_ring;

std::uint64_t nextCollectorId() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

} // namespace

struct HostCollector::Impl {
    Impl(StreamWriter& target, const HostCollectorLimits& limit) : writer(target), limits(limit) {}

    using ArgSet = std::vector<std::pair<StringId, std::string>>;
    /// Definitions and counters that are not written yet.
    struct Pending {
        std::vector<std::string> texts;
        std::vector<Track> tracks;
        std::vector<ArgSet> args;
        std::map<TrackId, std::vector<CounterPoint>> counters;
    };
    /// Spans and flows of recordBatch() that are not written yet.
    struct Batches {
        std::vector<Span> spans;
        std::vector<Flow> flows;
    };

    StreamWriter& writer;
    const HostCollectorLimits limits;
    const std::uint64_t id = nextCollectorId();

    mutable std::mutex mutex; ///< guards all down to `stopping`
    std::unordered_map<std::string, StringId> strings{{"", 0}};
    StringId firstPendingText = 1;
    std::uint32_t trackCount = 0, firstPendingArgs = 1;
    std::size_t pendingPoints = 0;
    Pending pending;
    Batches batches;
    std::uint64_t batchedSpans = 0;
    std::vector<std::unique_ptr<SpanRing>> rings;
    std::unordered_map<std::thread::id, SpanRing*> ringOfThread;
    std::uint64_t droppedPoints = 0;
    bool wake = false, stopping = false;

    std::condition_variable wakeWriter;
    std::atomic<std::uint64_t> droppedWithoutRing{0};
    std::mutex writing; ///< one drain at a time
    std::vector<Span> batch;
    std::uint64_t reportedDrops = 0;
    /// Memory ended while definitions were written, which nothing makes up for: what refers to them, or is
    /// numbered after them, could not be read.
    bool isTorn = false, isTornTold = false;
    std::thread thread;

    SpanRing* findRing();
    StringId internLocked(std::string_view text);
    std::uint64_t dropped() const;
    void drain();
    void writeQuality();
    void tellTorn();
    void run();
};

HostCollector::HostCollector(StreamWriter& writer, HostCollectorLimits limits)
    : m_impl(std::make_unique<Impl>(writer, limits)) {
    m_impl->thread = std::thread([this] { m_impl->run(); });
}

HostCollector::~HostCollector() {
    stop();
}

StringId HostCollector::Impl::internLocked(std::string_view text) {
    const auto [entry, fresh] = strings.try_emplace(std::string(text), static_cast<StringId>(strings.size()));
    if (fresh)
        pending.texts.emplace_back(text);
    return entry->second;
}

StringId HostCollector::intern(std::string_view text) {
    const std::lock_guard lock(m_impl->mutex);
    return m_impl->internLocked(text);
}

TrackId HostCollector::addTrack(const std::string& name, TrackKind kind, TrackId parent,
                                const std::string& unit, std::int32_t before) {
    const std::lock_guard lock(m_impl->mutex);
    Track track;
    track.id = m_impl->trackCount++;
    track.parent = parent;
    track.kind = kind;
    track.name = m_impl->internLocked(name);
    track.unit = m_impl->internLocked(unit);
    track.sortKey = before < 0 ? before : static_cast<std::int32_t>(track.id);
    m_impl->pending.tracks.push_back(track);
    return track.id;
}

std::uint32_t HostCollector::addArgs(const std::vector<std::pair<std::string, std::string>>& args) {
    const std::lock_guard lock(m_impl->mutex);
    Impl::ArgSet set;
    for (const auto& [key, value] : args)
        set.emplace_back(m_impl->internLocked(key), value);
    m_impl->pending.args.push_back(std::move(set));
    return m_impl->firstPendingArgs + static_cast<std::uint32_t>(m_impl->pending.args.size()) - 1;
}

/// The first span of a thread comes here; later ones find the ring in t_ring.
SpanRing* HostCollector::Impl::findRing() {
    const std::lock_guard lock(mutex);
    auto [entry, fresh] = ringOfThread.try_emplace(std::this_thread::get_id(), nullptr);
    if (fresh && rings.size() < limits.threads) {
        rings.push_back(std::make_unique<SpanRing>(limits.spansPerThread));
        entry->second = rings.back().get();
    }
    t_ring = {id, entry->second};
    return entry->second;
}

void HostCollector::record(const Span& span) {
    SpanRing* const ring = t_ring.collector == m_impl->id ? t_ring.ring : m_impl->findRing();
    if (!ring) {
        m_impl->droppedWithoutRing.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    if (ring->push(span) == SpanRing::Pushed::YesHalfFull) {
        {
            const std::lock_guard lock(m_impl->mutex);
            m_impl->wake = true;
        }
        m_impl->wakeWriter.notify_one();
    }
}

void HostCollector::recordBatch(std::span<const Span> spans, std::span<const Flow> flows) {
    const std::lock_guard lock(m_impl->mutex);
    m_impl->batches.spans.insert(m_impl->batches.spans.end(), spans.begin(), spans.end());
    m_impl->batches.flows.insert(m_impl->batches.flows.end(), flows.begin(), flows.end());
    m_impl->batchedSpans += spans.size();
}

void HostCollector::counter(TrackId track, std::int64_t timeNs, double value) {
    const std::lock_guard lock(m_impl->mutex);
    if (m_impl->pendingPoints >= m_impl->limits.counterPoints) {
        ++m_impl->droppedPoints;
        return;
    }
    ++m_impl->pendingPoints;
    m_impl->pending.counters[track].push_back({timeNs, value});
}

/// Spans are taken before definitions: whatever a span refers to was defined before it was recorded.
void HostCollector::Impl::drain() {
    const std::lock_guard oneAtATime(writing);
    if (isTorn)
        return tellTorn();
    isTorn = true; // until all of it is written
    std::vector<SpanRing*> all;
    Batches batched;
    {
        const std::lock_guard lock(mutex);
        std::swap(batched, batches);
        for (const auto& ring : rings)
            all.push_back(ring.get());
    }
    batch = std::move(batched.spans);
    for (SpanRing* ring : all)
        ring->drain(batch);
    Pending now;
    StringId firstText = 0;
    std::uint32_t firstArgs = 0;
    {
        const std::lock_guard lock(mutex);
        std::swap(now, pending);
        firstText = firstPendingText;
        firstArgs = firstPendingArgs;
        firstPendingText += static_cast<StringId>(now.texts.size());
        firstPendingArgs += static_cast<std::uint32_t>(now.args.size());
        pendingPoints = 0;
    }
    // Failures are kept by the writer and reported through its status().
    if (!now.texts.empty())
        (void)writer.strings({firstText, std::move(now.texts)});
    if (!now.tracks.empty())
        (void)writer.tracks(now.tracks);
    if (!now.args.empty())
        (void)writer.args(firstArgs, now.args);
    if (!batch.empty())
        (void)writer.spans(batch);
    if (!batched.flows.empty()) // their spans are in this batch or an earlier one
        (void)writer.flows(batched.flows);
    for (const auto& [track, points] : now.counters)
        (void)writer.counters(track, points);
    isTorn = false;
    writeQuality();
}

void HostCollector::Impl::tellTorn() {
    if (std::exchange(isTornTold, true))
        return;
    DataQuality quality;
    quality.droppedEvents = dropped();
    quality.notes.push_back("memory ran out while host events were written: those after it are missing");
    (void)writer.dataQuality(quality);
}

std::uint64_t HostCollector::Impl::dropped() const {
    const std::lock_guard lock(mutex);
    std::uint64_t count = droppedPoints + droppedWithoutRing.load(std::memory_order_relaxed);
    for (const auto& ring : rings)
        count += ring->dropped();
    return count;
}

void HostCollector::Impl::writeQuality() {
    const std::uint64_t count = dropped();
    if (count == reportedDrops)
        return;
    reportedDrops = count;
    DataQuality quality;
    quality.droppedEvents = count;
    quality.notes.push_back("host events came faster than they could be written");
    (void)writer.dataQuality(quality);
}

void HostCollector::Impl::run() {
    std::unique_lock lock(mutex);
    while (!stopping) {
        wakeWriter.wait_for(lock, kWriteEvery, [this] { return wake || stopping; });
        wake = false;
        lock.unlock();
        drain();
        lock.lock();
    }
}

void HostCollector::flush() {
    m_impl->drain();
    (void)m_impl->writer.flush();
}

void HostCollector::stop() {
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->stopping = true;
    }
    m_impl->wakeWriter.notify_one();
    if (m_impl->thread.joinable())
        m_impl->thread.join();
    m_impl->drain();
}

std::uint64_t HostCollector::recorded() const {
    const std::lock_guard lock(m_impl->mutex);
    std::uint64_t count = m_impl->batchedSpans;
    for (const auto& ring : m_impl->rings)
        count += ring->recorded();
    return count;
}

std::uint64_t HostCollector::dropped() const {
    return m_impl->dropped();
}

} // namespace heteroscope::profiling
