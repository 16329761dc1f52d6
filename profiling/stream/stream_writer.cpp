// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/stream_writer.h"

#include "profiling/stream/columns.h"
#include "profiling/stream/crc32c.h"
#include "profiling/stream/frame_tally.h"
#include "profiling/stream/study_codec.h"
#include "profiling/stream/training_codec.h"

#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

namespace heteroscope::profiling {

namespace {

constexpr std::size_t kCompressFrom = 4096; ///< bytes of payload; smaller ones gain nothing
constexpr int kCompressionLevel = 1;
constexpr std::size_t kRowsPerFrame = 65536;

template <class T>
void put(std::vector<std::uint8_t>& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

struct FreeCompression {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

bool isBulk(FrameKind kind) {
    return kind == FrameKind::Spans || kind == FrameKind::Counters || kind == FrameKind::Flows ||
           kind == FrameKind::Strings || kind == FrameKind::Tracks || kind == FrameKind::Training;
}

} // namespace

struct StreamWriter::Impl {
    std::mutex mutex;
    std::vector<std::unique_ptr<FrameSink>> sinks;
    std::optional<Error> firstError;
    std::unique_ptr<ZSTD_CCtx, FreeCompression> zstd{ZSTD_createCCtx()};
    FrameTally tally;
    /// After the first record: where memory ends before or in it, whoever says so afterwards writes no record
    /// into a file that has no beginning.
    std::atomic<bool> hasBegun = false;

    Status frame(FrameKind kind, const Json& payload, bool measured = false);
    template <class Use>
    Status withAll(Use use);
    std::vector<std::uint8_t> stored(FrameKind kind, const std::vector<std::uint8_t>& cbor,
                                     std::uint8_t& flags);
};

StreamWriter::StreamWriter(std::vector<std::unique_ptr<FrameSink>> sinks) : m_impl(std::make_unique<Impl>()) {
    m_impl->sinks = std::move(sinks);
}
StreamWriter::~StreamWriter() = default;

/// A sink that cannot go on is left out: a second frame after a torn one could not be read.
template <class Use>
Status StreamWriter::Impl::withAll(Use use) {
    Status result;
    for (auto& sink : sinks) {
        const Status status = use(*sink);
        if (status)
            continue;
        result = status;
        if (!firstError)
            firstError = status.error();
        sink.reset();
    }
    std::erase(sinks, nullptr);
    return result;
}

/// The frame's bytes with room for its header in front.
std::vector<std::uint8_t> StreamWriter::Impl::stored(FrameKind kind, const std::vector<std::uint8_t>& cbor,
                                                     std::uint8_t& flags) {
    std::vector<std::uint8_t> bytes;
    if (isBulk(kind) && cbor.size() >= kCompressFrom && zstd) {
        bytes.resize(kFrameHeaderBytes + ZSTD_compressBound(cbor.size()));
        const std::size_t size =
            ZSTD_compressCCtx(zstd.get(), bytes.data() + kFrameHeaderBytes, bytes.size() - kFrameHeaderBytes,
                              cbor.data(), cbor.size(), kCompressionLevel);
        if (!ZSTD_isError(size) && size < cbor.size()) {
            bytes.resize(kFrameHeaderBytes + size);
            flags = kCompressed;
            return bytes;
        }
    }
    bytes.assign(kFrameHeaderBytes, 0);
    bytes.insert(bytes.end(), cbor.begin(), cbor.end());
    return bytes;
}

Status StreamWriter::Impl::frame(FrameKind kind, const Json& payload, bool measured) {
    const std::vector<std::uint8_t> cbor = Json::to_cbor(payload);
    const std::lock_guard lock(mutex);
    if (!hasBegun && kind != FrameKind::Header)
        return {};
    std::uint8_t flags = 0;
    std::vector<std::uint8_t> bytes = stored(kind, cbor, flags);
    const std::size_t length = bytes.size() - kFrameHeaderBytes;
    if (length > kMaxFrameBytes || cbor.size() > kMaxPayloadBytes)
        return Error{ErrorCode::BadInput,
                     "a record of " + std::to_string(length) + " bytes is too long for a run file",
                     frameKindName(kind),
                     "at most " + std::to_string(kMaxFrameBytes) + " bytes",
                     {}};
    put(bytes, 0, static_cast<std::uint32_t>(length));
    bytes[4] = static_cast<std::uint8_t>(kind);
    bytes[5] = flags;
    put(bytes, 8, crc32c(std::span(bytes).subspan(kFrameHeaderBytes)));
    tally.add(kind, std::span(bytes).first<kFrameHeaderBytes>());
    return withAll([&](FrameSink& sink) {
        const Status written = sink.write(bytes);
        return written ? sink.wrote(kind, measured) : written;
    });
}

Status StreamWriter::begin(const Study& header) {
    std::vector<std::uint8_t> bytes(kFileHeaderBytes, 0);
    std::memcpy(bytes.data(), kMagic, sizeof kMagic);
    put(bytes, 8, kFormatMajor);
    put(bytes, 10, kFormatMinor);
    Status written;
    {
        const std::lock_guard lock(m_impl->mutex);
        written = m_impl->withAll([&](FrameSink& sink) { return sink.write(bytes); });
    }
    // Also after one sink has failed: the others go on, and nothing can be read without it.
    const Status framed = m_impl->frame(FrameKind::Header, encodeHeader(header));
    m_impl->hasBegun = true;
    return written ? framed : written;
}

Status StreamWriter::environment(const Json& record) {
    return m_impl->frame(FrameKind::Environment, record);
}
Status StreamWriter::experiment(const Json& document) {
    return m_impl->frame(FrameKind::Experiment, document);
}
Status StreamWriter::device(const Json& info) {
    return m_impl->frame(FrameKind::Device, info);
}
Status StreamWriter::run(const StudyRun& definition) {
    return m_impl->frame(FrameKind::Run, encodeRun(definition));
}
Status StreamWriter::sample(const StudySample& sample) {
    return m_impl->frame(FrameKind::Sample, encodeSample(sample), !sample.traced);
}
Status StreamWriter::runEnd(const StudyRun& outcome) {
    return m_impl->frame(FrameKind::RunEnd, encodeRunEnd(outcome));
}
Status StreamWriter::metric(int run, const std::string& name, const Json& value) {
    return m_impl->frame(FrameKind::Metric, {{"run", run}, {"name", name}, {"value", value}});
}
Status StreamWriter::training(const TrainingEvent& event) {
    return m_impl->frame(FrameKind::Training, encodeTraining(event));
}
Status StreamWriter::log(const StudyLog& entry) {
    return m_impl->frame(FrameKind::Log, encodeLog(entry));
}
Status StreamWriter::progress(const StudyProgress& progress) {
    return m_impl->frame(FrameKind::Progress, encodeProgress(progress));
}
Status StreamWriter::activity(const StudyActivity& activity) {
    return m_impl->frame(FrameKind::Activity, encodeActivity(activity));
}
Status StreamWriter::dataQuality(const DataQuality& quality) {
    return m_impl->frame(FrameKind::DataQuality, encodeQuality(quality));
}
Status StreamWriter::strings(const StringsChunk& chunk) {
    return m_impl->frame(FrameKind::Strings, {{"first", chunk.firstId}, {"texts", chunk.texts}});
}

Status StreamWriter::tracks(const std::vector<Track>& tracks) {
    Json list = Json::array();
    for (const Track& track : tracks)
        list.push_back({{"id", track.id},
                        {"parent", track.parent},
                        {"kind", static_cast<std::uint8_t>(track.kind)},
                        {"name", track.name},
                        {"unit", track.unit},
                        {"sort", track.sortKey}});
    return m_impl->frame(FrameKind::Tracks, {{"tracks", std::move(list)}});
}

Status StreamWriter::args(std::uint32_t firstId,
                          const std::vector<std::vector<std::pair<StringId, std::string>>>& sets) {
    Json list = Json::array();
    for (const auto& set : sets) {
        Json pairs = Json::array();
        for (const auto& [key, value] : set)
            pairs.push_back(Json::array({key, value}));
        list.push_back(std::move(pairs));
    }
    return m_impl->frame(FrameKind::Strings, {{"firstArgs", firstId}, {"args", std::move(list)}});
}

Status StreamWriter::spans(std::span<const Span> spans) {
    Status result;
    for (; !spans.empty() && result; spans = spans.subspan(std::min(spans.size(), kRowsPerFrame))) {
        const auto part = spans.first(std::min(spans.size(), kRowsPerFrame));
        Json frame = Json::object();
        frame["n"] = part.size();
        frame["track"] = column<std::uint32_t>(part, [](const Span& s) { return s.track; });
        frame["start"] = column<std::int64_t>(part, [](const Span& s) { return s.startNs; });
        frame["duration"] = column<std::int64_t>(part, [](const Span& s) { return s.durationNs; });
        frame["name"] = column<std::uint32_t>(part, [](const Span& s) { return s.name; });
        frame["category"] = column<std::uint32_t>(part, [](const Span& s) { return s.category; });
        frame["args"] = column<std::uint32_t>(part, [](const Span& s) { return s.args; });
        frame["depth"] = column<std::int16_t>(part, [](const Span& s) { return s.depth; });
        result = m_impl->frame(FrameKind::Spans, frame);
    }
    return result;
}

Status StreamWriter::counters(TrackId track, std::span<const CounterPoint> points) {
    Status result;
    for (; !points.empty() && result; points = points.subspan(std::min(points.size(), kRowsPerFrame))) {
        const auto part = points.first(std::min(points.size(), kRowsPerFrame));
        Json frame = {{"track", track}, {"n", part.size()}};
        frame["time"] = column<std::int64_t>(part, [](const CounterPoint& p) { return p.timeNs; });
        frame["value"] = column<double>(part, [](const CounterPoint& p) { return p.value; });
        result = m_impl->frame(FrameKind::Counters, frame);
    }
    return result;
}

Status StreamWriter::flows(std::span<const Flow> flows) {
    Status result;
    for (; !flows.empty() && result; flows = flows.subspan(std::min(flows.size(), kRowsPerFrame))) {
        const auto part = flows.first(std::min(flows.size(), kRowsPerFrame));
        Json frame = {{"n", part.size()}};
        frame["fromTrack"] = column<std::uint32_t>(part, [](const Flow& f) { return f.from.track; });
        frame["fromIndex"] = column<std::uint32_t>(part, [](const Flow& f) { return f.from.index; });
        frame["toTrack"] = column<std::uint32_t>(part, [](const Flow& f) { return f.to.track; });
        frame["toIndex"] = column<std::uint32_t>(part, [](const Flow& f) { return f.to.index; });
        result = m_impl->frame(FrameKind::Flows, frame);
    }
    return result;
}

Status StreamWriter::end(const std::string& status, const std::string& reason) {
    Json payload = {{"status", status}, {"reason", reason}};
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->tally.put(payload);
    }
    return m_impl->frame(FrameKind::End, payload);
}

Status StreamWriter::flush() {
    const std::lock_guard lock(m_impl->mutex);
    for (auto& sink : m_impl->sinks)
        if (const Status status = sink->flush(); !status && !m_impl->firstError)
            m_impl->firstError = status.error();
    return m_impl->firstError ? Status(*m_impl->firstError) : Status();
}

std::string StreamWriter::earlierFileKept() const {
    const std::lock_guard lock(m_impl->mutex);
    for (const auto& sink : m_impl->sinks)
        if (std::string file = sink->earlierFileKept(); !file.empty())
            return file;
    return {};
}

Status StreamWriter::status() const {
    const std::lock_guard lock(m_impl->mutex);
    return m_impl->firstError ? Status(*m_impl->firstError) : Status();
}

} // namespace heteroscope::profiling
