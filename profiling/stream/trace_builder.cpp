// SPDX-License-Identifier: Apache-2.0
// Applies the trace frames of a stream to a Trace. Ids of the stream are mapped to those of the store.
#include "profiling/stream/columns.h"
#include "profiling/stream/stream_reader.h"
#include "profiling/stream/study_codec.h"

#include <limits>

namespace heteroscope::profiling {

namespace {

constexpr std::int64_t kMaxId = std::numeric_limits<std::uint32_t>::max();

} // namespace

struct TraceBuilder::Impl {
    explicit Impl(Trace& store) : trace(store) {}

    Trace& trace;
    std::vector<StringId> strings{0};
    std::vector<std::uint32_t> argSets{0};
    std::vector<TrackId> tracks;
    std::vector<std::uint32_t> spansOnTrack; ///< of this stream

    Status applyStrings(Payload& payload);
    Status applyArgs(Payload& payload);
    Status applyTracks(Payload& payload);
    Status applyTrack(Payload& payload, const Json& entry);
    Status applySpans(Payload& payload);
    Status applyCounters(Payload& payload);
    Status applyFlows(Payload& payload);
};

bool isTraceFrame(FrameKind kind) {
    return kind == FrameKind::Strings || kind == FrameKind::Tracks || kind == FrameKind::Spans ||
           kind == FrameKind::Counters || kind == FrameKind::Flows || kind == FrameKind::DataQuality;
}

TraceBuilder::TraceBuilder(Trace& trace) : m_impl(std::make_unique<Impl>(trace)) {}
TraceBuilder::~TraceBuilder() = default;

Status TraceBuilder::Impl::applyStrings(Payload& payload) {
    const auto texts = payload.json().find("texts");
    if (texts == payload.json().end())
        return {};
    const auto first =
        static_cast<std::size_t>(payload.whole("first", 0, static_cast<std::int64_t>(strings.size())));
    if (payload.error())
        return *payload.error();
    if (!texts->is_array())
        return payload.wrong("texts", "a list of texts", texts->type_name());
    std::size_t id = first;
    for (const Json& text : *texts) {
        if (!text.is_string())
            return payload.wrong("texts", "a list of texts",
                                 std::string("an item of type ") + text.type_name());
        if (id == strings.size())
            strings.push_back(0);
        strings[id++] = trace.intern(text.get_ref<const std::string&>());
    }
    return {};
}

Status TraceBuilder::Impl::applyArgs(Payload& payload) {
    const auto sets = payload.json().find("args");
    if (sets == payload.json().end())
        return {};
    const auto first =
        static_cast<std::size_t>(payload.whole("firstArgs", 0, static_cast<std::int64_t>(argSets.size())));
    if (payload.error())
        return *payload.error();
    const char* const expected = "a list of lists of [key, text]";
    if (!sets->is_array())
        return payload.wrong("args", expected, sets->type_name());
    std::size_t id = first;
    for (const Json& set : *sets) {
        std::vector<std::pair<StringId, std::string>> args;
        if (!set.is_array())
            return payload.wrong("args", expected, set.type_name());
        for (const Json& pair : set) {
            const bool right = pair.is_array() && pair.size() == 2 && pair[0].is_number_unsigned() &&
                               pair[1].is_string() && pair[0].get<std::uint64_t>() < strings.size();
            if (!right)
                return payload.wrong("args", expected, "another item");
            args.emplace_back(strings[pair[0].get<std::uint64_t>()], pair[1].get<std::string>());
        }
        if (id == argSets.size())
            argSets.push_back(0);
        argSets[id++] = trace.addArgs(args);
    }
    return {};
}

Status TraceBuilder::Impl::applyTrack(Payload& payload, const Json& entry) {
    const auto number = [&](const char* key, std::uint64_t missing) -> std::uint64_t {
        const auto found = entry.find(key);
        return found != entry.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : missing;
    };
    if (!entry.is_object() || number("id", kMaxId) != tracks.size())
        return payload.wrong("tracks", "track " + std::to_string(tracks.size()), "another id or item");
    if (tracks.size() >= kMaxTracks)
        return payload.wrong("tracks", "at most " + std::to_string(kMaxTracks) + " tracks", "more");
    const std::uint64_t name = number("name", 0), unit = number("unit", 0), kind = number("kind", 0);
    const std::uint64_t parent = number("parent", kNoTrack);
    if (name >= strings.size() || unit >= strings.size())
        return payload.wrong("tracks", "names among " + std::to_string(strings.size()) + " texts",
                             "another id");
    if (parent != kNoTrack && parent >= tracks.size())
        return payload.wrong("tracks", "a parent defined before", std::to_string(parent));
    if (kind > static_cast<std::uint64_t>(TrackKind::Overhead))
        return payload.wrong("tracks", "a kind from 0 to 5", std::to_string(kind));
    Track track;
    track.kind = static_cast<TrackKind>(kind);
    track.name = strings[name];
    track.unit = strings[unit];
    track.parent = parent == kNoTrack ? kNoTrack : tracks[parent];
    const auto sort = entry.find("sort");
    if (sort != entry.end() && sort->is_number_integer())
        track.sortKey = static_cast<std::int32_t>(sort->get<std::int64_t>());
    tracks.push_back(trace.addTrack(track));
    spansOnTrack.push_back(0);
    return {};
}

Status TraceBuilder::Impl::applyTracks(Payload& payload) {
    const auto list = payload.json().find("tracks");
    if (list == payload.json().end() || !list->is_array())
        return payload.wrong("tracks", "a list", "nothing or another type");
    for (const Json& entry : *list)
        if (Status status = applyTrack(payload, entry); !status)
            return status;
    return {};
}

Status TraceBuilder::Impl::applySpans(Payload& payload) {
    const auto count = static_cast<std::size_t>(payload.whole("n", 0, kMaxPayloadBytes));
    if (payload.error())
        return *payload.error();
    const Json& map = payload.json();
    const auto track = ColumnView<std::uint32_t>::of(map, "track", count);
    const auto start = ColumnView<std::int64_t>::of(map, "start", count);
    const auto duration = ColumnView<std::int64_t>::of(map, "duration", count);
    const auto name = ColumnView<std::uint32_t>::of(map, "name", count);
    const auto category = ColumnView<std::uint32_t>::of(map, "category", count);
    const auto args = ColumnView<std::uint32_t>::of(map, "args", count);
    const auto depth = ColumnView<std::int16_t>::of(map, "depth", count);
    for (const auto* column : {&track, &name, &category, &args})
        if (!*column)
            return payload.wrong(column->error());
    if (!start || !duration)
        return payload.wrong(!start ? start.error() : duration.error());
    if (!depth)
        return payload.wrong(depth.error());
    const auto outside = [&](const char* field, std::uint32_t id, std::size_t size) {
        return payload.wrong(field, "an id below " + std::to_string(size), std::to_string(id));
    };
    for (std::size_t i = 0; i < count; ++i) {
        if ((*track)[i] >= tracks.size())
            return outside("track", (*track)[i], tracks.size());
        if ((*name)[i] >= strings.size())
            return outside("name", (*name)[i], strings.size());
        if ((*category)[i] >= strings.size())
            return outside("category", (*category)[i], strings.size());
        if ((*args)[i] >= argSets.size())
            return outside("args", (*args)[i], argSets.size());
        trace.append({tracks[(*track)[i]], (*start)[i], (*duration)[i], strings[(*name)[i]],
                      strings[(*category)[i]], argSets[(*args)[i]], (*depth)[i]});
        ++spansOnTrack[(*track)[i]];
    }
    return {};
}

Status TraceBuilder::Impl::applyCounters(Payload& payload) {
    const auto count = static_cast<std::size_t>(payload.whole("n", 0, kMaxPayloadBytes));
    const auto track =
        static_cast<std::size_t>(payload.whole("track", 0, static_cast<std::int64_t>(tracks.size()) - 1));
    if (payload.error())
        return *payload.error();
    const auto time = ColumnView<std::int64_t>::of(payload.json(), "time", count);
    const auto value = ColumnView<double>::of(payload.json(), "value", count);
    if (!time || !value)
        return payload.wrong(!time ? time.error() : value.error());
    for (std::size_t i = 0; i < count; ++i)
        trace.appendCounter(tracks[track], (*time)[i], (*value)[i]);
    return {};
}

Status TraceBuilder::Impl::applyFlows(Payload& payload) {
    const auto count = static_cast<std::size_t>(payload.whole("n", 0, kMaxPayloadBytes));
    if (payload.error())
        return *payload.error();
    using Column = Result<ColumnView<std::uint32_t>>;
    const auto column = [&](const char* key) {
        return ColumnView<std::uint32_t>::of(payload.json(), key, count);
    };
    const Column fromTrack = column("fromTrack"), fromIndex = column("fromIndex");
    const Column toTrack = column("toTrack"), toIndex = column("toIndex");
    for (const Column* each : {&fromTrack, &fromIndex, &toTrack, &toIndex})
        if (!*each)
            return payload.wrong(each->error());
    const auto known = [&](std::uint32_t track, std::uint32_t index) {
        return track < tracks.size() && index < spansOnTrack[track];
    };
    for (std::size_t i = 0; i < count; ++i) {
        if (!known((*fromTrack)[i], (*fromIndex)[i]) || !known((*toTrack)[i], (*toIndex)[i]))
            return payload.wrong("fromIndex and toIndex", "spans sent before", "flow " + std::to_string(i));
        trace.appendFlow(
            {{tracks[(*fromTrack)[i]], 0, (*fromIndex)[i]}, {tracks[(*toTrack)[i]], 0, (*toIndex)[i]}});
    }
    return {};
}

Status TraceBuilder::apply(const Frame& frame) {
    if (!isTraceFrame(frame.kind))
        return {};
    Result<Payload> payload = Payload::parse(frame);
    if (!payload)
        return payload.error();
    switch (frame.kind) {
    case FrameKind::Strings:
        if (Status status = m_impl->applyStrings(*payload); !status)
            return status;
        return m_impl->applyArgs(*payload);
    case FrameKind::Tracks:
        return m_impl->applyTracks(*payload);
    case FrameKind::Spans:
        return m_impl->applySpans(*payload);
    case FrameKind::Counters:
        return m_impl->applyCounters(*payload);
    case FrameKind::Flows:
        return m_impl->applyFlows(*payload);
    default: {
        const DataQuality quality = decodeQuality(*payload);
        if (payload->error())
            return *payload->error();
        m_impl->trace.setQuality(quality);
        return {};
    }
    }
}

} // namespace heteroscope::profiling
