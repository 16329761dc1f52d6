// SPDX-License-Identifier: Apache-2.0
// What a finished study leaves beside its run file: table, results JSON, CSV, and the exit code. One thread.
#pragma once

#include "app/cli/progress_line.h"
#include "app/cli/run_arguments.h"
#include "app/cli/stop_request.h"
#include "app/cli/trace_bridge.h"
#include "compute/base/exit_code.h"
#include "compute/base/result.h"
#include "compute/core/backend_registry.h"
#include "profiling/stream/stream_writer.h"
#include "profiling/stream/study.h"
#include "profiling/trace/trace.h"

#include <memory>
#include <vector>

namespace heteroscope::cli {

/// The run file first, so that what is reported on stdout is in it before. Errors: openFileSink()'s.
Result<std::vector<std::unique_ptr<profiling::FrameSink>>> openSinks(const RunArguments& arguments);

/// Tells about a sink that failed, once, as soon as it is noticed. When nobody else gets what is measured (no
/// --stream), the study is asked to stop: its samples would be lost.
class SinkWatch {
  public:
    SinkWatch(const profiling::StreamWriter& writer, const RunArguments& arguments, StopRequest& stop)
        : m_writer(writer), m_stop(stop), m_stopsStudy(!arguments.stream) {}
    void look();
    bool failed() const { return m_reported; }
    ExitCode exitCode() const { return m_exitCode; } ///< of what failed; Cancelled: a reader was given up
    bool stoppedStudy() const { return m_stoppedStudy; }
    std::string earlierFileKept() const { return m_writer.earlierFileKept(); }

  private:
    const profiling::StreamWriter& m_writer;
    StopRequest& m_stop;
    ExitCode m_exitCode = ExitCode::Done;
    bool m_reported = false, m_stopsStudy, m_stoppedStudy = false;
};

/// Progress and warnings on `line`, a look at the sinks with each. All outlive the bridge.
BridgeOptions bridgeOptions(const compute::BackendRegistry& registry, ProgressLine& line, SinkWatch& watch);

/// "done", "failed" or "cancelled" for the End frame. A study with a failed run is failed.
std::string endStatus(const Status& outcome, const profiling::Study& study);

/// Writes JSON, CSV and the table; reports `outcome` when it is an error. A file that cannot be written is
/// reported, makes the exit code 1, and keeps none of the others from being written. Where the only reason is
/// a reader that was given up (compute/base/reader_wait.h), it is 4. `recorded`: the timeline with the
/// device's records, which the JSON takes the transfers from; may be null. `told`: a reason of failed runs
/// that a worker has said on this stderr; of runs that are missing for one reason it is said once, and not by
/// workers.
ExitCode reportStudy(const profiling::Study& study, const Status& outcome, const RunArguments& arguments,
                     const SinkWatch& watch, const profiling::Trace* recorded = nullptr,
                     const std::string& told = {});

} // namespace heteroscope::cli
