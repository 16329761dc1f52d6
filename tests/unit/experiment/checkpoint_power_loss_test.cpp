// SPDX-License-Identifier: Apache-2.0
// The power fails after any change that a training's checkpoints make to the disk: what had been kept is
// named and whole, and a training can go on from it.
#include "compute/exec/checkpoint_files.h"
#include "tests/support/idx_files.h"
#include "tests/support/recorded_disk.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <set>

namespace heteroscope::compute {
namespace {

using testing_support::RecordedDisk;

constexpr int kEpochs = 5;
constexpr int kLossesEach = 8; ///< ways to lose what was not flushed, after each change

unsigned seedOfLosses() {
    const char* given = std::getenv("HETEROSCOPE_TEST_SEED");
    return given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 20261124;
}

/// Large enough that its archive is written in several parts.
NpzArrays stateOfEpoch(int epoch) {
    return {{"w", {{6000}, std::vector<float>(6000, static_cast<float>(epoch))}}};
}

bool isBestEpoch(int epoch) {
    return epoch == 1 || epoch == 3;
}

/// States kept on a recorded disk, and after which change each of them was reported as kept.
struct RecordedStates {
    TemporaryIdx folder;
    RecordedDisk disk;
    std::vector<std::size_t> keptAfter; ///< of epoch i + 1

    void record() {
        const auto files = CheckpointFiles::open(folder.folder() / "run_0", {}, disk);
        ASSERT_TRUE(files.ok()) << files.error().sentence();
        for (int epoch = 1; epoch <= kEpochs; ++epoch) {
            ASSERT_TRUE((*files)->keep(stateOfEpoch(epoch), epoch, isBestEpoch(epoch)).ok());
            keptAfter.push_back(disk.stepCount());
        }
    }
    int keptBy(std::size_t steps) const {
        int epoch = 0;
        while (epoch < kEpochs && keptAfter[static_cast<std::size_t>(epoch)] <= steps)
            ++epoch;
        return epoch;
    }
};

void restore(const RecordedDisk::Folder& left, const std::filesystem::path& to) {
    for (const auto& [name, content] : left)
        std::ofstream(to / std::filesystem::path(name).filename(), std::ios::binary) << content;
}

void expectState(const std::filesystem::path& folder, const KeptState& state, const std::string& what) {
    const auto arrays = readNpz(folder / state.file);
    ASSERT_TRUE(arrays.ok()) << what << ": " << arrays.error().sentence();
    EXPECT_EQ(arrays->at("w").values, stateOfEpoch(static_cast<int>(state.epoch)).at("w").values) << what;
}

/// The epoch of the latest state that is named; 0 without a list.
int expectUsable(const RecordedDisk::Folder& left, int kept, bool goesOn, const std::string& what) {
    const TemporaryIdx after;
    restore(left, after.folder());
    const auto stem = after.folder() / "run_0";
    if (!std::filesystem::exists(std::filesystem::path(stem).concat(kManifestEnding))) {
        EXPECT_EQ(kept, 0) << what << ": a state that was reported as kept is gone";
        return 0;
    }
    const auto files = CheckpointFiles::open(stem);
    EXPECT_TRUE(files.ok()) << what << ": " << (files.ok() ? "" : files.error().sentence());
    if (!files.ok() || !(*files)->kept())
        return 0;
    const CheckpointManifest list = *(*files)->kept(); // as it was left: keep() below goes on
    EXPECT_GE(list.latest.epoch, kept) << what;
    expectState(after.folder(), list.latest, what + ", the latest");
    if (list.best) {
        EXPECT_EQ(list.best->epoch, list.latest.epoch >= 3 ? 3 : 1) << what;
        expectState(after.folder(), *list.best, what + ", the best");
    }
    if (goesOn) {
        EXPECT_TRUE((*files)->keep(stateOfEpoch(9), 9, false).ok()) << what << ": the training cannot go on";
    }
    return static_cast<int>(list.latest.epoch);
}

TEST(CheckpointPowerLoss, LeavesEveryStateThatWasKeptWholeAndNamed) {
    RecordedStates states;
    states.record();
    ASSERT_EQ(states.keptAfter.size(), static_cast<std::size_t>(kEpochs));
    std::mt19937 random(seedOfLosses());
    std::set<int> found;
    for (std::size_t steps = 0; steps <= states.disk.stepCount(); ++steps)
        for (int loss = 0; loss < kLossesEach; ++loss) {
            const std::string what = "after " + std::to_string(steps) + " changes, loss " +
                                     std::to_string(loss) + ", seed " + std::to_string(seedOfLosses());
            found.insert(expectUsable(states.disk.afterPowerLoss(steps, random), states.keptBy(steps),
                                      loss == 0, what));
            if (HasFailure())
                return;
        }
    EXPECT_EQ(found, (std::set<int>{0, 1, 2, 3, 4, 5})) << "losses between all states were tried";
}

/// What is no longer needed goes after the list that does not name it is on the disk.
TEST(CheckpointPowerLoss, NothingIsRemovedBeforeTheListThatNamesOthersIsFlushed) {
    RecordedStates states;
    states.record();
    using Change = RecordedDisk::Change;
    int removed = 0;
    for (std::size_t i = 0; i < states.disk.stepCount(); ++i) {
        if (states.disk.step(i).change != Change::Unlink)
            continue;
        ++removed;
        ASSERT_GE(i, 1u);
        std::size_t before = i - 1;
        while (before > 0 && states.disk.step(before).change == Change::Unlink)
            --before;
        EXPECT_EQ(states.disk.step(before).change, Change::SyncFolder) << i;
    }
    EXPECT_GE(removed, 3);
}

} // namespace
} // namespace heteroscope::compute
