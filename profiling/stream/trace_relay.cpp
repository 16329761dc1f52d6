// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/trace_relay.h"

#include "profiling/stream/columns.h"
#include "profiling/stream/study_codec.h"

#include <algorithm>
#include <cstdint>

namespace heteroscope::profiling {

namespace {

/// A sink that fails is in the writer's status and is left out from then on. The others have the frame, so
/// ids go on.
Status unlessASinkFailed(const Status& written) {
    return !written && written.error().code == ErrorCode::Io ? Status() : written;
}

/// The sum; the notes of both, the later ones with the stream's name in front.
DataQuality joined(DataQuality sum, const DataQuality& other, const std::string& name) {
    sum.droppedEvents += other.droppedEvents;
    sum.zeroTimestamps += other.zeroTimestamps;
    sum.outOfOrder += other.outOfOrder;
    sum.clipped += other.clipped;
    sum.causalPairs += other.causalPairs;
    sum.causalViolations += other.causalViolations;
    for (const std::string& note : other.notes)
        sum.notes.push_back(name + ", " + note);
    return sum;
}

std::size_t rowsOf(const Json& payload) {
    return payload.at("n").get<std::size_t>();
}

template <class T>
ColumnView<T> columnOf(const Json& payload, const char* key) {
    return *ColumnView<T>::of(payload, key, rowsOf(payload));
}

} // namespace

void TraceRelay::beginStream(const std::string& name) {
    m_earlier = joined(m_earlier, m_current, m_name);
    m_current = {};
    m_name = name;
    m_groupDefined = false;
    m_tracks.clear();
}

Status TraceRelay::defineGroup() {
    m_groupDefined = true;
    if (Status status = unlessASinkFailed(m_writer.strings({m_nextText, {m_name}})); !status)
        return status;
    m_group = m_nextTrack++;
    Track group;
    group.id = m_group;
    group.kind = TrackKind::Group;
    group.name = m_nextText++;
    group.sortKey = static_cast<std::int32_t>(m_group);
    m_textShift = m_nextText - 1; // ids of texts and arguments begin at 1
    m_argsShift = m_nextArgs - 1;
    return unlessASinkFailed(m_writer.tracks({group}));
}

StringId TraceRelay::textId(std::uint64_t id) const {
    return id == 0 ? 0 : static_cast<StringId>(id) + m_textShift;
}

Status TraceRelay::pass(const Frame& frame) {
    if (frame.kind == FrameKind::DataQuality)
        return passQuality(frame);
    const Result<Payload> parsed = Payload::parse(frame);
    if (!parsed)
        return parsed.error();
    const Json& payload = parsed->json();
    if (!m_groupDefined)
        if (Status status = defineGroup(); !status)
            return status;
    switch (frame.kind) {
    case FrameKind::Strings:
        if (Status status = passStrings(payload); !status)
            return status;
        return passArgs(payload);
    case FrameKind::Tracks:
        return passTracks(payload);
    case FrameKind::Spans:
        return passSpans(payload);
    case FrameKind::Counters:
        return passCounters(payload);
    case FrameKind::Flows:
        return passFlows(payload);
    default:
        return {};
    }
}

Status TraceRelay::passStrings(const Json& payload) {
    const auto texts = payload.find("texts");
    if (texts == payload.end() || texts->empty())
        return {};
    StringsChunk chunk{textId(payload.at("first").get<std::uint64_t>()),
                       texts->get<std::vector<std::string>>()};
    if (chunk.firstId == 0) { // the empty text, which every stream has
        chunk.texts.erase(chunk.texts.begin());
        chunk.firstId = m_textShift + 1;
    }
    m_nextText = std::max(m_nextText, chunk.firstId + static_cast<StringId>(chunk.texts.size()));
    return chunk.texts.empty() ? Status() : unlessASinkFailed(m_writer.strings(chunk));
}

Status TraceRelay::passArgs(const Json& payload) {
    const auto list = payload.find("args");
    if (list == payload.end() || list->empty())
        return {};
    std::vector<std::vector<std::pair<StringId, std::string>>> sets;
    for (const Json& set : *list) {
        sets.emplace_back();
        for (const Json& pair : set)
            sets.back().emplace_back(textId(pair[0].get<std::uint64_t>()), pair[1].get<std::string>());
    }
    auto first = payload.at("firstArgs").get<std::uint32_t>();
    if (first == 0) { // no arguments, which every stream has
        sets.erase(sets.begin());
        first = 1;
    }
    m_nextArgs = std::max(m_nextArgs, first + m_argsShift + static_cast<std::uint32_t>(sets.size()));
    return sets.empty() ? Status() : unlessASinkFailed(m_writer.args(first + m_argsShift, sets));
}

/// The stream's own top group is the group of the stream.
Status TraceRelay::passTracks(const Json& payload) {
    const auto number = [](const Json& entry, const char* key, std::uint64_t missing) {
        const auto found = entry.find(key);
        return found != entry.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : missing;
    };
    std::vector<Track> tracks;
    for (const Json& entry : payload.at("tracks")) {
        const std::uint64_t parent = number(entry, "parent", kNoTrack);
        Track track;
        track.kind = static_cast<TrackKind>(number(entry, "kind", 0));
        if (parent == kNoTrack && track.kind == TrackKind::Group) {
            m_tracks.push_back(m_group);
            continue;
        }
        track.id = m_nextTrack++;
        track.parent = parent == kNoTrack ? m_group : trackId(parent);
        track.name = textId(number(entry, "name", 0));
        track.unit = textId(number(entry, "unit", 0));
        const auto sort = entry.find("sort"); // negative: before those in order of arrival
        const bool early = sort != entry.end() && sort->is_number_integer() && sort->get<std::int64_t>() < 0;
        track.sortKey = static_cast<std::int32_t>(
            early ? std::max<std::int64_t>(sort->get<std::int64_t>(), INT32_MIN) : track.id);
        tracks.push_back(track);
        m_tracks.push_back(track.id);
    }
    return tracks.empty() ? Status() : unlessASinkFailed(m_writer.tracks(tracks));
}

Status TraceRelay::passSpans(const Json& payload) {
    const auto track = columnOf<std::uint32_t>(payload, "track"),
               name = columnOf<std::uint32_t>(payload, "name"),
               category = columnOf<std::uint32_t>(payload, "category"),
               args = columnOf<std::uint32_t>(payload, "args");
    const auto start = columnOf<std::int64_t>(payload, "start"),
               duration = columnOf<std::int64_t>(payload, "duration");
    const auto depth = columnOf<std::int16_t>(payload, "depth");
    std::vector<Span> spans(rowsOf(payload));
    for (std::size_t i = 0; i < spans.size(); ++i)
        spans[i] = {trackId(track[i]),
                    start[i],
                    duration[i],
                    textId(name[i]),
                    textId(category[i]),
                    args[i] == 0 ? 0 : args[i] + m_argsShift,
                    depth[i]};
    return unlessASinkFailed(m_writer.spans(spans));
}

Status TraceRelay::passCounters(const Json& payload) {
    const auto time = columnOf<std::int64_t>(payload, "time");
    const auto value = columnOf<double>(payload, "value");
    std::vector<CounterPoint> points(rowsOf(payload));
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i] = {time[i], value[i]};
    return unlessASinkFailed(m_writer.counters(trackId(payload.at("track").get<std::uint64_t>()), points));
}

Status TraceRelay::passFlows(const Json& payload) {
    const auto fromTrack = columnOf<std::uint32_t>(payload, "fromTrack"),
               fromIndex = columnOf<std::uint32_t>(payload, "fromIndex"),
               toTrack = columnOf<std::uint32_t>(payload, "toTrack"),
               toIndex = columnOf<std::uint32_t>(payload, "toIndex");
    std::vector<Flow> flows(rowsOf(payload));
    for (std::size_t i = 0; i < flows.size(); ++i)
        flows[i] = {{trackId(fromTrack[i]), 0, fromIndex[i]}, {trackId(toTrack[i]), 0, toIndex[i]}};
    return unlessASinkFailed(m_writer.flows(flows));
}

Status TraceRelay::passQuality(const Frame& frame) {
    Result<Payload> payload = Payload::parse(frame);
    if (!payload)
        return payload.error();
    m_current = decodeQuality(*payload);
    if (Status status = payload->status(); !status)
        return status;
    return unlessASinkFailed(m_writer.dataQuality(joined(m_earlier, m_current, m_name)));
}

} // namespace heteroscope::profiling
