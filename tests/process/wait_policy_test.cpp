// SPDX-License-Identifier: Apache-2.0
// How threads wait for each other follows from what else runs on the machine, unless the environment says it;
// the record of the run says which.
#include "compute/base/json.h"
#include "tests/process/busy_machine.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sched.h>
#include <vector>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
using testing::Not;

int usableProcessors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

Json environmentOf(const std::vector<std::string>& set, const std::string& preset = "quick") {
    const TemporaryFolder folder;
    Json experiment = poolingExperiment(32, 3);
    experiment["sampling"]["preset"] = preset;
    ChildProcess::Options options;
    options.environment = set;
    options.unset = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "HETEROSCOPE_OTHERS_RUNNING"};
    ChildProcess child({"run", "-", "--json", folder.file("r.json")}, options);
    child.write(experiment.dump() + "\n");
    child.closeStdin();
    const Finished done = child.finish();
    EXPECT_EQ(done.exitCode, 0) << done.err;
    return Json::parse(readText(folder.file("r.json"))).at("environment");
}

TEST(WaitPolicy, onABusyMachineIsToSleep) {
    if (usableProcessors() < 2)
        SKIP_AS_MEANINGLESS("a team of one thread waits for nobody");
    const BusyMachine busy;
    for (const char* preset : {"quick", "thesis"}) { // one process, and three that it starts
        const Json environment = environmentOf({}, preset);
        EXPECT_EQ(environment.at("omp_wait_policy"), "passive") << preset;
        EXPECT_THAT(environment.at("notes").dump(), HasSubstr("sleep instead of spinning")) << preset;
    }
}

TEST(WaitPolicy, thatIsSetIsKept) {
    const BusyMachine busy;
    EXPECT_EQ(environmentOf({"OMP_WAIT_POLICY=active"}).at("omp_wait_policy"), "active");
    const Json environment = environmentOf({"GOMP_SPINCOUNT=1000"});
    EXPECT_EQ(environment.at("omp_wait_policy"), "default");
    EXPECT_THAT(environment.at("notes").dump(), Not(HasSubstr("sleep instead of spinning")));
}

} // namespace
} // namespace heteroscope::process_test
