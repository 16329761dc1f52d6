// SPDX-License-Identifier: Apache-2.0
// A training that stopped after two epochs and went on in another process equals one that ran through, in
// every bit of every weight, moment and figure: on each implementation.
#include "compute/data/npz.h"
#include "compute/exec/checkpoint_manifest.h"
#include "tests/process/child_process.h"
#include "tests/support/idx_files.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kUnavailable = 3;
constexpr int kEpochs = 5, kFirstPart = 2;

struct Resumed {
    const char* target;
    const char* optimizer;
};

void PrintTo(const Resumed& one, std::ostream* out) {
    *out << one.target << " " << one.optimizer;
}

std::vector<std::uint32_t> bitsOf(const compute::NpyArray& array) {
    std::vector<std::uint32_t> bits;
    for (const float value : array.values)
        bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
}

class Resume : public testing::TestWithParam<Resumed> {
  protected:
    /// Batch normalisation, dropout and pooling have state of their own, or draw numbers.
    Json experiment(int epochs) {
        Json document = m_files.trainingExperiment(83, 20);
        document["network"]["layers"] = {{{"type", "conv2d"}, {"filters", 4}, {"padding", 1}},
                                         {{"type", "batchnorm"}},
                                         {{"type", "relu"}},
                                         {{"type", "maxpool2d"}},
                                         {{"type", "dropout"}},
                                         {{"type", "dense"}, {"units", 2}}};
        Json optimizer{{"type", GetParam().optimizer}, {"learning_rate", 0.01}};
        if (optimizer["type"] == "sgd")
            optimizer["momentum"] = 0.9;
        document["training"]["optimizer"] = optimizer;
        document["training"]["epochs"] = epochs;
        document["targets"] = {GetParam().target};
        return document;
    }

    Finished train(int epochs, const std::string& checkpoints, bool resume) {
        std::vector<std::string> words{"run",           "-",         "--no-trace", "--no-check",
                                       "--checkpoints", checkpoints, "--json",     checkpoints + ".json"};
        if (resume)
            words.emplace_back("--resume");
        return runCli(words, experiment(epochs).dump());
    }

    static std::string whatTheTargetNeeds() {
        const std::string target = GetParam().target;
        return (target.starts_with("cuda") ? "gpu," : "") + target.substr(target.find('/') + 1);
    }

    Json metrics(const std::string& checkpoints) {
        return Json::parse(readText(checkpoints + ".json")).at("runs").at(0).at("metrics");
    }

    compute::TemporaryIdx m_files;
    TemporaryFolder m_folder;
};

TEST_P(Resume, EqualsATrainingThatRanThroughInEveryBit) {
    const std::string whole = m_folder.file("whole"), parts = m_folder.file("parts");
    const Finished through = train(kEpochs, whole, false);
    if (through.exitCode == kUnavailable)
        SKIP_WITHOUT(whatTheTargetNeeds(), through.err);
    ASSERT_EQ(through.exitCode, 0) << through.err;
    ASSERT_EQ(train(kFirstPart, parts, false).exitCode, 0);
    const Finished rest = train(kEpochs, parts, true);
    ASSERT_EQ(rest.exitCode, 0) << rest.err;

    const Json expected = metrics(whole), resumed = metrics(parts);
    EXPECT_EQ(resumed.at("resumed_from_epoch"), kFirstPart);
    EXPECT_FALSE(expected.contains("resumed_from_epoch"));
    ASSERT_EQ(expected.at("training_loss").size(), std::size_t{kEpochs});
    EXPECT_NE(expected.at("training_loss")[0], expected.at("training_loss")[kEpochs - 1]) << "it learns";
    for (const char* name : {"training_loss", "training_accuracy", "validation_loss", "validation_accuracy",
                             "test_loss", "test_accuracy", "best_epoch"})
        EXPECT_EQ(resumed.at(name), expected.at(name)) << name;

    const auto latestOf = [](const std::string& folder) {
        const auto manifest = compute::readCheckpointManifest(folder + "/run_0.checkpoint.json");
        EXPECT_TRUE(manifest.ok());
        return compute::readNpz(folder + "/" + (manifest.ok() ? manifest->latest.file : "none"));
    };
    const auto states = latestOf(whole), resumedStates = latestOf(parts);
    ASSERT_TRUE(states.ok() && resumedStates.ok());
    ASSERT_EQ(states->size(), resumedStates->size());
    EXPECT_GT(states->size(), 8u);
    for (const auto& [name, array] : *states) {
        const auto other = resumedStates->find(name);
        ASSERT_NE(other, resumedStates->end()) << name;
        EXPECT_EQ(other->second.shape, array.shape) << name;
        EXPECT_EQ(bitsOf(other->second), bitsOf(array)) << name;
    }
}

TEST_P(Resume, RefusesAStateWithoutItsManifest) {
    const std::string folder = m_folder.file("old");
    std::filesystem::create_directories(folder);
    const std::string state = folder + "/run_0.npz";
    std::ofstream(state) << "of an earlier version";
    const Finished resumed = train(kEpochs, folder, true);
    if (resumed.exitCode == kUnavailable)
        SKIP_WITHOUT(whatTheTargetNeeds(), resumed.err);
    EXPECT_EQ(resumed.exitCode, 2) << resumed.err;
    EXPECT_THAT(resumed.err, AllOf(HasSubstr(state), HasSubstr("run_0.checkpoint.json")));
    EXPECT_EQ(readText(state), "of an earlier version");
}

INSTANTIATE_TEST_SUITE_P(Implementations, Resume,
                         testing::Values(Resumed{"cpu/sequential", "adam"}, Resumed{"cpu/sequential", "sgd"},
                                         Resumed{"cpu/openmp", "adam"}, Resumed{"cpu/openmp", "sgd"},
                                         Resumed{"cpu/onednn", "adam"}, Resumed{"cpu/onednn", "sgd"},
                                         Resumed{"cuda:0/cuda", "adam"}, Resumed{"cuda:0/cuda", "sgd"},
                                         Resumed{"cuda:0/cublas", "adam"}, Resumed{"cuda:0/cudnn", "adam"},
                                         Resumed{"cuda:0/cudnn", "sgd"}),
                         [](const testing::TestParamInfo<Resumed>& one) {
                             std::string name = std::string(one.param.target) + "_" + one.param.optimizer;
                             std::replace_if(
                                 name.begin(), name.end(), [](char c) { return c == '/' || c == ':'; }, '_');
                             return name;
                         });

} // namespace
} // namespace heteroscope::process_test
