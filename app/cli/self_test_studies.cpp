// SPDX-License-Identifier: Apache-2.0
// Short studies in workers, and what they must have left.
#include "app/cli/self_test.h"
#include "app/cli/self_test_run.h"
#include "compute/base/units.h"
#include "compute/core/target.h"
#include "profiling/analysis/results.h"
#include "profiling/stream/kernel_counters.h"
#include "profiling/stream/stream_reader.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace heteroscope::cli {
namespace {

namespace fs = std::filesystem;
using profiling::RunFile;
using profiling::RunResult;
using profiling::StudyRunStatus;

std::vector<std::string> usableTargets(const std::vector<compute::DeviceInfo>& devices) {
    std::vector<std::string> targets;
    for (const auto& device : devices)
        for (const auto& info : device.implementations)
            if (device.unavailableReason.empty() && info.unavailableReason.empty())
                targets.push_back(device.id + "/" + info.id);
    return targets;
}

Check runCheck(const SelfTestKind& kind, const RunResult& result) {
    Check check{"studies", std::string(kind.name) + " on " + result.run->target, CheckResult::Fail, {}};
    if (result.run->status == StudyRunStatus::Skipped && compute::namesGpu(result.run->target)) {
        check.result = CheckResult::Missing; // not every library computes everything
        check.detail = result.run->reason;
        return check;
    }
    if (result.run->status != StudyRunStatus::Ok) {
        check.detail = result.run->reason.empty() ? "it did not end" : result.run->reason;
        return check;
    }
    const bool exact = result.equalWork == "equal";
    const bool equal = exact || result.equalWork.starts_with("within");
    const bool specification = result.run->target == "cpu/sequential";
    check.result = equal || specification ? CheckResult::Pass : CheckResult::Fail;
    check.detail = specification ? "the specification"
                   : exact       ? "equal to cpu/sequential"
                   : equal       ? result.equalWork + " of cpu/sequential"
                                 : "the outputs and those of cpu/sequential: " + result.equalWork;
    check.detail += ", " + formatDurationNs(result.timeMs.median * 1e6);
    return check;
}

/// Why the file is not what a study of these targets leaves; empty when it is.
std::string fileProblem(const Result<RunFile>& file, const std::string& bytes, const SelfTestRun& outcome,
                        std::size_t targets) {
    if (!file)
        return file.error().sentence();
    if (file->damage)
        return file->damage->sentence();
    if (!file->study.ended || file->study.endStatus != "done")
        return "the study ended with status '" + file->study.endStatus + "' " + file->study.endReason;
    if (file->study.runs.size() != targets)
        return "it holds " + std::to_string(file->study.runs.size()) + " runs of " + std::to_string(targets);
    if (bytes != outcome.streamed)
        return "its bytes are not those that the worker reported";
    return {};
}

Check fileCheck(const SelfTestKind& kind, const Result<RunFile>& file, const fs::path& path,
                const SelfTestRun& outcome, std::size_t targets) {
    const std::string bytes = bytesOfFile(path);
    const std::string problem = fileProblem(file, bytes, outcome, targets);
    return {"files", std::string("run file of ") + kind.name,
            problem.empty() ? CheckResult::Pass : CheckResult::Fail,
            problem.empty() ? "written and read back, " + formatBytes(static_cast<double>(bytes.size()))
                            : problem};
}

/// What the study's log says of a part that may be missing; empty when it does not complain of it.
std::string complaint(const profiling::Study& study, std::string_view beginning) {
    for (const profiling::StudyLog& line : study.log)
        if (line.text.starts_with(beginning))
            return line.text.substr(beginning.size());
    return {};
}

void checkGpuRecording(const RunFile& file, SelfTest& test) {
    const std::string noTimeline = complaint(file.study, "no device timeline: ");
    const bool counted = std::any_of(file.study.runs.begin(), file.study.runs.end(), [](const auto& run) {
        return run.metrics.contains(profiling::kKernelCountersMetric);
    });
    const std::string noCounters = complaint(file.study, "no counters: ");
    test.checks.push_back(
        {"machine", "GPU timeline", noTimeline.empty() ? CheckResult::Pass : CheckResult::Missing,
         noTimeline.empty() ? "kernels and copies are recorded through CUPTI" : noTimeline});
    test.checks.push_back({"machine", "GPU counters", counted ? CheckResult::Pass : CheckResult::Missing,
                           counted              ? "this user may read them"
                           : noCounters.empty() ? "no kernel was counted"
                                                : noCounters});
}

void checkKind(const SelfTestKind& kind, const std::vector<std::string>& targets, const fs::path& folder,
               SelfTest& test) {
    const SelfTestRun outcome = runSelfTestStudy(kind, targets, folder);
    if (!outcome.problem.empty())
        test.checks.push_back(
            {"studies", std::string(kind.name) + " study", CheckResult::Fail, outcome.problem});
    const fs::path path = folder / (std::string(kind.name) + ".hscope");
    const auto file = profiling::readRunFile(path.string());
    if (file)
        for (const RunResult& result : profiling::summarizeStudy(file->study).runs)
            test.checks.push_back(runCheck(kind, result));
    test.checks.push_back(fileCheck(kind, file, path, outcome, targets.size()));
    if (file && kind.counters && anyGpuAmong(targets))
        checkGpuRecording(*file, test);
}

} // namespace

void checkStudies(const std::vector<compute::DeviceInfo>& devices, const fs::path& folder, SelfTest& test) {
    const std::vector<std::string> targets = usableTargets(devices);
    for (const SelfTestKind& kind : selfTestKinds())
        checkKind(kind, targets, folder, test);
    if (anyGpuAmong(targets))
        return;
    for (const char* part : {"GPU timeline", "GPU counters"})
        test.checks.push_back({"machine", part, CheckResult::Missing, "no GPU can be used here"});
}

} // namespace heteroscope::cli
