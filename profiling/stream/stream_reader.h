// SPDX-License-Identifier: Apache-2.0
// Reads frames from bytes that arrive in any pieces: the one reader of live pipes, files and tests. One
// thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/result.h"
#include "profiling/stream/frame.h"
#include "profiling/stream/study.h"
#include "profiling/trace/trace.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace heteroscope::profiling {

class StreamReader {
  public:
    /// `name` of the file or pipe, for messages. What the reader holds is charged to `budget`, which outlives
    /// it; without one only the bounds of a frame hold.
    explicit StreamReader(std::string name, MemoryBudget* budget = nullptr);
    ~StreamReader();

    void feed(std::span<const std::uint8_t> bytes);
    /// The next whole frame; nothing when more bytes are needed; an error (with offset, expected, found) when
    /// the bytes are not a stream: also when frames are missing that the end frame counted, or when anything
    /// comes behind it. After an error everything read before it stays valid and next() keeps
    /// returning the error.
    Result<std::optional<Frame>> next();
    /// To be called when no more bytes will come: an error where a whole frame lies in what is pending, since
    /// then it is the length in front of it that is damaged (the checksum covers the payload only), and no
    /// writer that stopped. next() keeps returning it.
    Status finish();
    std::uint64_t offset() const;     ///< bytes consumed
    std::size_t pendingBytes() const; ///< fed but not yet a whole frame

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Applies non-trace frames to a Study; ignores the others. Errors name the frame's offset and the bad field.
class StudyBuilder {
  public:
    enum class Repeated {
        Refused, ///< a sample whose number does not lie above those before it is an error
        Kept     ///< whoever reads sorts them out
    };
    explicit StudyBuilder(Repeated repeated = Repeated::Refused) : m_repeated(repeated) {}
    Status apply(const Frame& frame);
    const Study& study() const { return m_study; }
    Study& study() { return m_study; }

  private:
    Repeated m_repeated;
    Study m_study;
};

/// Applies trace frames to a Trace (the writer side of it); ignores the others. Ids from the stream are
/// mapped, so that one store can take several streams.
class TraceBuilder {
  public:
    explicit TraceBuilder(Trace& trace);
    ~TraceBuilder();
    Status apply(const Frame& frame);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

bool isTraceFrame(FrameKind kind);

struct RunFile {
    std::string path;
    Study study;
    std::shared_ptr<Trace> trace;
    std::optional<Error>
        damage; ///< set when the file ends in bytes that could not be read; all before is there
    std::uint64_t bytesRead = 0;
    std::uint64_t fileBytes = 0;  ///< of the file: more than bytesRead where reading ended at damage
    std::uint64_t wholeBytes = 0; ///< of them, up to the end of the last record that was read
    bool beingWritten = false;    ///< a run had not ended yet and still had the file

    bool unreadable() const { return damage && wholeBytes <= kFileHeaderBytes; } ///< not one record was read
};

/// Reads a whole run file. An error when nothing at all could be read, or when it would take more memory than
/// the process's limit (OutOfMemory).
Result<RunFile> readRunFile(const std::string& path);
/// Of several that are held at once: what this one holds stays charged to their budget.
Result<RunFile> readRunFile(const std::string& path, MemoryBudget& budget);

} // namespace heteroscope::profiling
