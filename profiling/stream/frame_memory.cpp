// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/frame_memory.h"

#include "profiling/stream/cbor_check.h"
#include "profiling/stream/stream_reader.h"
#include "profiling/trace/trace.h"

#include <algorithm>
#include <utility>

namespace heteroscope::profiling {
namespace {

/// A track of a trace is two bytes of a frame at least, and this in the store with its first spans and
/// points.
constexpr std::int64_t kStoredBytesPerItem = 8192;
/// Of a study's lists, while they grow: a sample or a step of a training, and anything else beside its texts.
constexpr std::int64_t kSampleBytes = 3 * sizeof(StudySample), kStudyItemBytes = 1024;

/// Columns of a frame are byte strings: what a row takes in the store is near to what it takes there. Lists
/// of tracks are values of their own.
std::int64_t mostStored(const Frame& frame, std::int64_t parsedBytes) {
    const auto payload = static_cast<std::int64_t>(frame.payload.size());
    if (frame.kind == FrameKind::Tracks)
        return std::min(payload, static_cast<std::int64_t>(kMaxTracks)) * kStoredBytesPerItem;
    return isTraceFrame(frame.kind) ? parsedBytes + payload : parsedBytes + kStudyItemBytes;
}

} // namespace

FrameMemory::FrameMemory(MemoryBudget& budget, const Trace& trace, std::string name)
    : m_name(std::move(name)), m_trace(trace), m_whileRead(budget), m_kept(budget) {}

Status FrameMemory::admit(const Frame& frame) {
    const auto parsed = checkCbor(frame.payload);
    if (!parsed)
        return {};
    const std::string where = m_name + ", byte " + std::to_string(frame.fileOffset);
    m_parsedBytes = *parsed;
    const auto payload = static_cast<std::int64_t>(frame.payload.size());
    return m_whileRead.set(payload + *parsed + mostStored(frame, *parsed), "a part of the file", where);
}

Status FrameMemory::applied(const Frame& frame) {
    const auto payload = static_cast<std::int64_t>(frame.payload.size());
    const bool columns = frame.kind == FrameKind::Sample || frame.kind == FrameKind::Training;
    if (!isTraceFrame(frame.kind))
        m_studyBytes += columns ? kSampleBytes + 2 * payload : kStudyItemBytes + m_parsedBytes;
    (void)m_whileRead.set(0, {}, {}).ok(); // nothing is ever refused that gives back
    return m_kept.set(m_studyBytes + static_cast<std::int64_t>(m_trace.memoryBytes()), "what was read",
                      m_name);
}

} // namespace heteroscope::profiling
