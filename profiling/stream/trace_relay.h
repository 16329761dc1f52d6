// SPDX-License-Identifier: Apache-2.0
// Joins the timelines of several streams into one as they arrive: each stream's rows lie below a group of
// their own, its ids are shifted to ids of the joined stream. One thread.
#pragma once

#include "profiling/stream/stream_reader.h"
#include "profiling/stream/stream_writer.h"

#include <string>
#include <vector>

namespace heteroscope::profiling {

class TraceRelay {
  public:
    /// The writer outlives this, and gets trace frames from nobody else.
    explicit TraceRelay(StreamWriter& writer) : m_writer(writer) {}

    /// The frames that follow are of another stream; the first of them defines a group of this name.
    void beginStream(const std::string& name);
    /// A trace frame that a TraceBuilder of the stream has applied without error: it is written at once. A
    /// sink that fails is no error here, but in the writer's status().
    Status pass(const Frame& frame);

  private:
    StringId textId(std::uint64_t id) const; ///< of the joined stream
    TrackId trackId(std::uint64_t id) const { return m_tracks[id]; }
    Status defineGroup();
    Status passStrings(const Json& payload);
    Status passArgs(const Json& payload);
    Status passTracks(const Json& payload);
    Status passSpans(const Json& payload);
    Status passCounters(const Json& payload);
    Status passFlows(const Json& payload);
    Status passQuality(const Frame& frame);

    StreamWriter& m_writer;
    std::string m_name;
    bool m_groupDefined = false;
    TrackId m_group = 0, m_nextTrack = 0;
    std::vector<TrackId> m_tracks; ///< of the current stream, by its own ids
    StringId m_nextText = 1, m_textShift = 0;
    std::uint32_t m_nextArgs = 1, m_argsShift = 0;
    DataQuality m_earlier, m_current; ///< of the streams before, and of this one so far
};

} // namespace heteroscope::profiling
