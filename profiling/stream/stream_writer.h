// SPDX-License-Identifier: Apache-2.0
// Writes frames to a sink. Thread-safe: each call writes whole frames under one lock.
#pragma once

#include "compute/base/output_file.h"
#include "compute/base/result.h"
#include "profiling/stream/frame.h"
#include "profiling/stream/study.h"
#include "profiling/trace/trace.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// Where bytes go. Errors are Io, with the path and the system's reason; written bytes stay.
class FrameSink {
  public:
    virtual ~FrameSink() = default;
    virtual Status write(std::span<const std::uint8_t> bytes) = 0;
    virtual Status flush() = 0; ///< hands everything to the operating system
    /// A whole frame of that kind was written; `measured`: it holds a sample that was not traced.
    virtual Status wrote(FrameKind, bool /*measured*/) { return {}; }
    /// The name that an earlier run file still has, because nothing was measured; empty: there is none.
    virtual std::string earlierFileKept() const { return {}; }
};

/// What a run file keeps, and from when on.
///
/// Every frame is handed to the operating system at once: a process that is killed loses none. Against a loss
/// of power the file is flushed to the disk when it gets its name (file, then folder), after that at most
/// every `syncEvery` while frames come, on a thread of its own, and at the End frame. What had been flushed
/// can be read afterwards; what came later may be missing from some point on, and the reader says where.
struct RunFilePolicy {
    /// Until then, the file that had the name stays: the new one is written beside it.
    enum class Replace {
        AtFirstResult, ///< the first sample that is not traced. A name that was free is taken with the
                       ///< Header frame
        AtEnd          ///< an import: whole, or the old one
    };
    Replace replace = Replace::AtFirstResult;
    std::chrono::milliseconds syncEvery{5000};
    OutputRules rules = {}; ///< `exclusive` is set here: a run file has one writer
};

/// isKind() and kind of run files: their first bytes.
OutputRules runFileRules();

/// Errors: as OutputFile::open(). Until its first frame nothing but a lock, and an empty hidden file, is
/// there.
Result<std::unique_ptr<FrameSink>> openFileSink(const std::string& path, RunFilePolicy policy = {},
                                                FileSystem& files = systemFiles());
/// Does not close the descriptor. The process must ignore SIGPIPE, so that a closed pipe is an error.
std::unique_ptr<FrameSink> makeFdSink(int fd, std::string name);

struct StringsChunk {
    StringId firstId = 0;
    std::vector<std::string> texts;
};

class StreamWriter {
  public:
    /// Every frame goes to all sinks. A sink that fails is reported once through status() and left out from
    /// then on; the others go on.
    explicit StreamWriter(std::vector<std::unique_ptr<FrameSink>> sinks);
    ~StreamWriter();

    Status
    begin(const Study& header); ///< file header and Header frame (id, program, version, startedUtc, clockNs)
    Status environment(const Json& record);
    Status experiment(const Json& document);
    Status device(const Json& info);
    Status run(const StudyRun& definition);
    Status sample(const StudySample& sample);
    Status runEnd(const StudyRun& outcome);
    Status metric(int run, const std::string& name, const Json& value);
    Status training(const TrainingEvent& event);
    Status log(const StudyLog& entry);
    Status progress(const StudyProgress& progress);
    Status activity(const StudyActivity& activity);
    Status dataQuality(const DataQuality& quality);
    Status strings(const StringsChunk& chunk);
    Status tracks(const std::vector<Track>& tracks);
    Status spans(std::span<const Span> spans);
    Status args(std::uint32_t firstId,
                const std::vector<std::vector<std::pair<StringId, std::string>>>& sets);
    Status counters(TrackId track, std::span<const CounterPoint> points);
    /// `index` of a SpanRef counts the spans written on its track, from 0.
    Status flows(std::span<const Flow> flows);
    Status end(const std::string& status, const std::string& reason);
    Status flush();

    /// The first failure of any sink since the start.
    Status status() const;
    /// After end(): the run file that is still an earlier run's, of the first sink that has one.
    std::string earlierFileKept() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::profiling
