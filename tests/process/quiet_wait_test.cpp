// SPDX-License-Identifier: Apache-2.0
// A study that waits for other programs: not where none disturbs it, as long as it may where they do not end,
// and not after it was told to stop.
#include "compute/base/disturbance.h"
#include "compute/base/json.h"
#include "profiling/stream/study.h"
#include "tests/process/busy_machine.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>

namespace heteroscope::process_test {
namespace {

using Clock = std::chrono::steady_clock;

Json waitingExperiment(int seconds) {
    Json experiment = poolingExperiment(256, 5);
    experiment["sampling"]["quiet_wait_s"] = seconds;
    return experiment;
}

struct Waited {
    Json runs, spans; ///< the latter: of the timeline, by name
    profiling::Study study;
};

Waited runOf(const Json& experiment) {
    const TemporaryFolder folder;
    const Finished done = runCli(
        {"run", "-", "--json", folder.file("r.json"), "--out", folder.file("r.hscope")}, experiment.dump());
    EXPECT_EQ(done.exitCode, 0) << done.err;
    const Finished stats = runCli({"trace", "stats", folder.file("r.hscope"), "--json"});
    return {Json::parse(readText(folder.file("r.json"))).at("runs"), Json::parse(stats.out).at("spans"),
            studyFromBytes(readText(folder.file("r.hscope")))};
}

bool anyDisturbed(const profiling::StudyRun& run) {
    return std::any_of(run.samples.begin(), run.samples.end(), [](const auto& sample) {
        return sample.disturbance && isDisturbed(*sample.disturbance);
    });
}

TEST(QuietWait, isAsLongAsItMayBeWhereTheMachineStaysBusy) {
    const BusyMachine busy;
    for (const char* preset : {"quick", "standard"}) {
        constexpr int kSeconds = 1;
        Json experiment = waitingExperiment(kSeconds);
        experiment["sampling"]["preset"] = preset;
        const int processes = preset == std::string("quick") ? 1 : 3;
        const Waited waited = runOf(experiment);
        double longest = 0;
        for (std::size_t i = 0; i < waited.runs.size(); ++i) {
            const double seconds = waited.runs[i].at("metrics").value("quiet_wait_s", 0.0);
            EXPECT_LE(seconds, processes * kSeconds + 1e-6);
            EXPECT_TRUE(seconds == 0 || anyDisturbed(waited.study.runs[i])) << "nothing was waited for";
            EXPECT_EQ(waited.study.runs[i].samples.empty(), false);
            longest = std::max(longest, seconds);
        }
        const bool isDrawn = std::any_of(waited.spans.begin(), waited.spans.end(), [](const Json& span) {
            return span.at("name") == "waiting for a quiet machine" && span.at("category") == "pause";
        });
        EXPECT_TRUE(isDrawn) << preset;
        EXPECT_GE(longest, kSeconds) << preset << ": with as many other programs as processors";
    }
}

TEST(QuietWait, isNoneWhereItIsNotAskedFor) {
    const BusyMachine busy;
    for (const Json& run : runOf(waitingExperiment(0)).runs)
        EXPECT_FALSE(run.at("metrics").contains("quiet_wait_s"));
}

TEST(QuietWait, isNoneWhereNothingWasDisturbed) {
    Json experiment = waitingExperiment(2);
    experiment["targets"] = {"cpu/sequential"}; // a team on all processors is disturbed by anything
    const Waited waited = runOf(experiment);
    const auto& runs = waited.study.runs;
    if (std::any_of(runs.begin(), runs.end(), anyDisturbed))
        SKIP_WITHOUT("quiet-machine", "other programs used the machine");
    for (const Json& run : waited.runs)
        EXPECT_FALSE(run.at("metrics").contains("quiet_wait_s"));
}

TEST(QuietWait, endsWhenTheStudyIsStopped) {
    const BusyMachine busy;
    const TemporaryFolder folder;
    ChildProcess child({"run", "-", "--stream", "--out", folder.file("s.hscope")});
    child.write(waitingExperiment(3600).dump() + "\n");
    const auto deadline = Clock::now() + std::chrono::seconds(60 * kTimeFactor);
    while (child.out().find("waiting for a quiet machine") == std::string::npos) {
        ASSERT_LT(Clock::now(), deadline) << "nothing was waited for: " << child.err();
        ASSERT_TRUE(child.pump(Milliseconds(100))) << child.err();
    }
    child.signal(SIGTERM);
    const Finished done = child.finish(Milliseconds(5000 * kTimeFactor));
    EXPECT_EQ(done.exitCode, 4) << done.err;
    EXPECT_EQ(studyFromBytes(done.out).endStatus, "cancelled");
}

} // namespace
} // namespace heteroscope::process_test
