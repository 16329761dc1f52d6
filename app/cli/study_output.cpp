// SPDX-License-Identifier: Apache-2.0
#include "app/cli/study_output.h"

#include "app/cli/check_report.h"
#include "app/cli/known_peaks.h"
#include "app/cli/output.h"
#include "app/cli/study_records.h"
#include "compute/base/failure_words.h"
#include "profiling/analysis/advice.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/run_phrase.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <unistd.h>
#include <utility>

namespace heteroscope::cli {
namespace {

using profiling::StudyRun;
using profiling::StudyRunStatus;

constexpr const char* kEarlierFileKept = "nothing was measured, so the file that was there is as it was";

bool anyRun(const profiling::Study& study, StudyRunStatus status) {
    return std::any_of(study.runs.begin(), study.runs.end(),
                       [status](const StudyRun& run) { return run.status == status; });
}

bool anySample(const profiling::Study& study) {
    return std::any_of(study.runs.begin(), study.runs.end(),
                       [](const StudyRun& run) { return !run.timesMs().empty(); });
}

/// Of the outputs so far: reports what fails.
class Written {
  public:
    void note(const Status& status) {
        if (!status)
            fail(reportError(status.error()));
    }
    void fail(ExitCode code) {
        if (m_code != ExitCode::RunFailed)
            m_code = code == ExitCode::Cancelled ? code : ExitCode::RunFailed;
    }
    ExitCode code() const { return m_code; } ///< Cancelled: but for readers that were given up all is well

  private:
    ExitCode m_code = ExitCode::Done;
};

/// Whether there is something to write into `path`: a study without a sample leaves the file of another one.
bool mayWrite(const profiling::Study& study, const std::string& path) {
    std::error_code ignored;
    if (path.empty() || anySample(study) || !std::filesystem::is_regular_file(path, ignored))
        return !path.empty();
    reportWarning(path + ": " + kEarlierFileKept);
    return false;
}

/// False when the study should have replaced the run file of an earlier one. A training that was resumed
/// after its end has nothing to measure.
bool replacedEarlierFile(const profiling::Study& study, const SinkWatch& watch) {
    const std::string file = watch.earlierFileKept();
    if (file.empty())
        return true;
    const bool nothingWasLeft = std::all_of(study.runs.begin(), study.runs.end(), [](const StudyRun& run) {
        return run.status == StudyRunStatus::Ok;
    });
    if (nothingWasLeft)
        reportWarning(file + ": " + kEarlierFileKept);
    else
        reportError(Error{ErrorCode::RunFailed, kEarlierFileKept, file, {}, {}});
    return nothingWasLeft;
}

void writeFiles(const profiling::Study& study, const profiling::StudyResults& results,
                const RunArguments& arguments, const profiling::Trace* recorded, Written& written) {
    if (mayWrite(study, arguments.json)) {
        std::optional<profiling::DeviceReport> device;
        if (recorded != nullptr)
            device = profiling::deviceReport(*recorded, study);
        const Json json = resultsToJson(study, results, device ? &*device : nullptr);
        const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
        written.note(writeOutput(arguments.json, text, arguments.guard().rules(OutputKind::Results)));
    }
    if (mayWrite(study, arguments.csv))
        written.note(
            writeOutput(arguments.csv, resultsToCsv(study), arguments.guard().rules(OutputKind::Csv)));
}

/// Runs that are missing for one reason; the table names them all.
class MissingRuns {
  public:
    void add(const StudyRun& run) {
        if (++m_count > kMostNamed)
            return;
        m_names += (m_names.empty() ? "run " : "; run ") + std::to_string(run.run) + ", " + run.target +
                   ", " + pointText(run.point);
    }
    std::string text() const {
        return m_names +
               (m_count > kMostNamed ? "; and " + std::to_string(m_count - kMostNamed) + " runs more" : "");
    }

  private:
    static constexpr int kMostNamed = 8;
    std::string m_names;
    int m_count = 0;
};

bool isMissing(const StudyRun& run) {
    return run.status == StudyRunStatus::Failed || run.status == StudyRunStatus::Skipped;
}

/// Whether the end of a study, in these words, names the reason of a run.
bool tellsReason(const std::string& end, const std::string& reason) {
    return end == reason || end == say(failure_words::kNoRun, {reason}).text();
}

/// `told`: what a worker has said itself, on the same stderr. `toldLast`: what the last line will say.
void warnOfMissingRuns(const profiling::Study& study, const std::string& told, const std::string& toldLast) {
    std::vector<std::pair<std::string, MissingRuns>> missing; // the first run's reason first
    std::map<std::string, std::size_t> places;
    for (const StudyRun& run : study.runs) {
        if (!isMissing(run))
            continue;
        const std::string why = !told.empty() && tellsReason(told, run.reason)
                                    ? " with its process, whose words are above"
                                : !toldLast.empty() && tellsReason(toldLast, run.reason)
                                    ? ", for the reason that the last line names"
                                    : ": " + run.reason;
        const std::string reason = (run.status == StudyRunStatus::Failed ? "failed" : "skipped") + why;
        const auto [place, isNew] = places.emplace(reason, missing.size());
        if (isNew)
            missing.emplace_back(reason, MissingRuns());
        missing[place->second].second.add(run);
    }
    for (const auto& [reason, runs] : missing)
        reportWarning(runs.text() + ": " + reason);
}

} // namespace

Result<std::vector<std::unique_ptr<profiling::FrameSink>>> openSinks(const RunArguments& arguments) {
    std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
    if (!arguments.out.empty()) {
        auto file =
            profiling::openFileSink(arguments.out, {.rules = arguments.guard().rules(OutputKind::RunFile)});
        if (!file)
            return file.error();
        sinks.push_back(std::move(*file));
    }
    if (arguments.stream)
        sinks.push_back(profiling::makeFdSink(STDOUT_FILENO, "standard output"));
    return sinks;
}

void SinkWatch::look() {
    if (m_reported)
        return;
    const Status status = m_writer.status();
    if (status)
        return;
    m_reported = true;
    m_stoppedStudy = m_stopsStudy && !m_stop.requested();
    if (m_stoppedStudy)
        m_stop.ask("the run file cannot be written");
    m_exitCode = reportError(status.error());
}

BridgeOptions bridgeOptions(const compute::BackendRegistry& registry, ProgressLine& line, SinkWatch& watch) {
    BridgeOptions options;
    options.devices = registry.devices();
    addKnownPeaks(options.devices);
    options.onProgress = [&](const profiling::Study& study) {
        line.show(study.progress.fraction, study.progress.remainingS,
                  profiling::progressPhrase(study).text());
        watch.look();
    };
    options.onLog = [&line](compute::LogLevel level, const std::string& text) {
        const bool info = level == compute::LogLevel::Info;
        line.note("heteroscope-cli: " + (info ? std::string() : std::string(levelName(level)) + ": ") + text);
    };
    return options;
}

std::string endStatus(const Status& outcome, const profiling::Study& study) {
    if (!outcome)
        return outcome.error().code == ErrorCode::Cancelled ? "cancelled" : "failed";
    return anyRun(study, StudyRunStatus::Failed) ? "failed" : "done";
}

ExitCode reportStudy(const profiling::Study& study, const Status& outcome, const RunArguments& arguments,
                     const SinkWatch& watch, const profiling::Trace* recorded, const std::string& told) {
    const auto results = profiling::summarizeStudy(study, arguments.reference);
    Written written;
    if (watch.failed())
        written.fail(watch.exitCode());
    writeFiles(study, results, arguments, recorded, written);
    if (!replacedEarlierFile(study, watch))
        written.fail(ExitCode::RunFailed);
    if (!arguments.stream && (outcome.ok() || anySample(study)))
        written.note(writeStdout(profiling::resultsToTable(study, results)));
    if (arguments.processIndex < 0) // who joins the workers tells it of all of them
        warnOfMissingRuns(study, told, outcome ? std::string() : outcome.error().message);
    if (!outcome && watch.stoppedStudy() && outcome.error().code == ErrorCode::Cancelled)
        return ExitCode::RunFailed; // why it was stopped has been told
    if (!outcome && arguments.processIndex >= 0 && outcome.error().code == ErrorCode::Cancelled)
        return exitCodeOf(ErrorCode::Cancelled); // who stopped this worker tells of it
    if (!outcome)
        return reportError(outcome.error());
    return anyRun(study, StudyRunStatus::Failed) ? ExitCode::RunFailed : written.code();
}

} // namespace heteroscope::cli
