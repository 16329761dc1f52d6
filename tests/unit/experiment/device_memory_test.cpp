// SPDX-License-Identifier: Apache-2.0
// Which runs of a point take turns: those whose operands fit together into the memory of each device.
#include "compute/experiment/memory_check.h"
#include "compute/experiment/runner.h"
#include "tests/unit/experiment/fake_device.h"
#include "tests/unit/experiment/recording_observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::compute {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t kOneRun = 64 * 64 * 4 + 32 * 32 * 4; // the operands of the pooling below
/// Nine tenths of it may be used: one run fits, two do not.
constexpr std::int64_t kRoomForOne = kOneRun * 3 / 2;
constexpr std::int64_t kRoomForTwo = kOneRun * 5 / 2;

class DeviceMemory : public testing::Test {
  protected:
    /// The runs of the timed samples, in order.
    std::vector<int> run(const std::vector<std::string>& targets) {
        BackendRegistry registry = registryForFakes();
        for (FakeDevice* device : {&m_first, &m_second})
            addFake(registry, *device, {"fake", "other"});
        ExperimentSpec spec = specOf(R"({"heteroscope": 1, "kind": "pooling",
            "pooling": {"input": {"size": 64}}, "targets": ["cpu/sequential"],
            "sampling": {"preset": "quick", "samples": 3, "time_limit_s": 600}})");
        spec.targets.clear();
        for (const std::string& target : targets)
            spec.targets.push_back(parseTarget(target).value());
        RunOptions options;
        options.trace = false;
        m_observer = {};
        m_status = runStudy(spec, registry, options, m_observer);
        std::vector<int> order;
        for (const SampleRecord& sample : m_observer.samples)
            if (!sample.warmup)
                order.push_back(sample.run);
        return order;
    }

    void expectAllRan(std::size_t runs) {
        EXPECT_TRUE(m_status) << m_status.error().sentence();
        ASSERT_EQ(m_observer.outcomes.size(), runs);
        for (const RunOutcome& outcome : m_observer.outcomes) {
            EXPECT_EQ(outcome.status, RunStatus::Ok) << outcome.run << ": " << outcome.reason;
            EXPECT_EQ(outcome.maxAbsError, 0.0);
        }
        for (const FakeDevice& device : {m_first, m_second}) {
            EXPECT_EQ(device.heldBytes, 0);
            EXPECT_LE(device.mostHeldBytes, device.freeBytes);
        }
    }

    FakeDevice m_first{"cuda:0", kRoomForOne}, m_second{"cuda:1", kRoomForOne};
    RecordingObserver m_observer;
    Status m_status;
};

TEST_F(DeviceMemory, OfTwoDevicesIsCountedApart) {
    EXPECT_THAT(run({"cuda:0/fake", "cuda:1/fake"}), ElementsAre(0, 1, 0, 1, 0, 1));
    expectAllRan(2);
    EXPECT_EQ(m_first.mostHeldBytes, kOneRun);
    EXPECT_EQ(m_second.mostHeldBytes, kOneRun);
}

TEST_F(DeviceMemory, ThatIsTooLittleForTwoRunsMakesThemRunOneAfterTheOther) {
    EXPECT_THAT(run({"cuda:0/fake", "cuda:0/other"}), ElementsAre(0, 0, 0, 1, 1, 1));
    expectAllRan(2);
}

TEST_F(DeviceMemory, ThatIsEnoughForTwoRunsLetsThemTakeTurns) {
    m_first.freeBytes = kRoomForTwo;
    EXPECT_THAT(run({"cuda:0/fake", "cuda:0/other"}), ElementsAre(0, 1, 0, 1, 0, 1));
    expectAllRan(2);
    EXPECT_EQ(m_first.mostHeldBytes, 2 * kOneRun);
}

TEST_F(DeviceMemory, CountsWhatAnImplementationNeedsBesideTheOperands) {
    m_first.freeBytes = kRoomForTwo;
    m_first.workspaceBytes = kOneRun / 2;
    EXPECT_THAT(run({"cuda:0/fake", "cuda:0/other"}), ElementsAre(0, 0, 0, 1, 1, 1));
    expectAllRan(2);
}

TEST_F(DeviceMemory, ThatIsFullOnOneDeviceOnlyStartsAGroupForTheNextRunOfIt) {
    EXPECT_THAT(run({"cuda:0/fake", "cuda:1/fake", "cuda:0/other", "cuda:1/other"}),
                ElementsAre(0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3));
    expectAllRan(4);
}

TEST_F(DeviceMemory, IsNotTheProcessors) {
    EXPECT_THAT(run({"cpu/sequential", "cuda:0/fake", "cpu/openmp", "cuda:1/fake"}),
                ElementsAre(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
    expectAllRan(4);
}

TEST(NetworkWorkspace, IsCountedOnceWhereOperationsUseItInTurn) {
    ExperimentSpec spec = specOf(R"({"heteroscope": 1, "kind": "network",
        "network": {"input": {"shape": [1, 8, 8]}, "layers": [{"type": "conv2d", "filters": 2}, {"type": "relu"},
                                                               {"type": "dense", "units": 3}]},
        "targets": ["cpu/sequential"], "task": "infer"})");
    FakeDevice device{"cuda:0", kRoomForOne};
    device.workspaceBytes = 1000;
    BackendRegistry registry = registryForFakes();
    addFake(registry, device, {"fake"});
    const auto session = registry.open(parseTarget("cuda:0/fake").value());
    ASSERT_TRUE(session.ok());
    EXPECT_EQ(implementationMemory(spec, {}, **session).scratch, 3 * 1000);
    device.sharesWorkspace = true;
    EXPECT_EQ(implementationMemory(spec, {}, **session).scratch, 1000);
}

TEST_F(DeviceMemory, ThatIsTooLittleForOneRunCostsThatRunAlone) {
    m_first.freeBytes = kOneRun;
    EXPECT_THAT(run({"cuda:0/fake", "cuda:1/fake"}), ElementsAre(1, 1, 1));
    EXPECT_TRUE(m_status);
    EXPECT_EQ(m_observer.outcome(0).status, RunStatus::Skipped);
    EXPECT_THAT(m_observer.outcome(0).reason, HasSubstr("needs 20.0 KiB of memory, 18.0 KiB may be used"));
    EXPECT_EQ(m_observer.outcome(1).status, RunStatus::Ok);
    EXPECT_EQ(m_first.mostHeldBytes, 0);
}

} // namespace
} // namespace heteroscope::compute
