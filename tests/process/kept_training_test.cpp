// SPDX-License-Identifier: Apache-2.0
// Kept states are gone on from by the training that kept them, and nobody begins anew over them unasked.
#include "tests/process/child_process.h"
#include "tests/support/idx_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class KeptTraining : public testing::Test {
  protected:
    void SetUp() override {
        m_experiment = m_files.trainingExperiment(83, 20);
        m_experiment["training"]["epochs"] = 2;
        m_experiment["training"]["optimizer"] = {{"type", "adam"}, {"learning_rate", 0.01}};
        m_experiment["targets"] = {"cpu/sequential"};
        const Finished first = train({}, m_experiment);
        ASSERT_EQ(first.exitCode, 0) << first.err;
        m_manifest = readText(manifest());
    }
    std::string manifest() const { return m_folder.file("states/run_0.checkpoint.json"); }
    Finished train(const std::vector<std::string>& more, const Json& experiment) const {
        std::vector<std::string> words{
            "run", "-", "--no-trace", "--no-check", "--checkpoints", m_folder.file("states")};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words, experiment.dump());
    }
    void expectRefused(const Finished& done, const std::string& why) const {
        EXPECT_EQ(done.exitCode, 2) << why << done.err;
        EXPECT_THAT(done.err, AllOf(HasSubstr("run_0.checkpoint.json"), HasSubstr(why)));
        EXPECT_EQ(readText(manifest()), m_manifest) << why;
    }

    compute::TemporaryIdx m_files;
    TemporaryFolder m_folder;
    Json m_experiment;
    std::string m_manifest;
};

TEST_F(KeptTraining, IsNotGoneOnFromByAnotherOne) {
    struct Change {
        const char* why;
        std::function<void(Json&)> make;
    };
    const std::vector<Change> changes{
        {"/training/optimizer/learning_rate is 0.001 and was 0.01",
         [](Json& e) { e["training"]["optimizer"]["learning_rate"] = 0.001; }},
        {"/training/optimizer/type is \"sgd\" and was \"adam\"",
         [](Json& e) {
             e["training"]["optimizer"] = {{"type", "sgd"}, {"learning_rate", 0.01}};
         }},
        {"/training/batch is 10 and was 5", [](Json& e) { e["training"]["batch"] = 10; }},
        {"/training/seed is 77", [](Json& e) { e["training"]["seed"] = 77; }},
        {"/data/seed is 77", [](Json& e) { e["data"]["seed"] = 77; }},
        {"/network/layers/1 differs",
         [](Json& e) {
             e["network"]["layers"][1] = {{"type", "sigmoid"}};
         }},
        {"/training/optimizer/learning_rate is 0.1", [](Json& e) {
             e["axes"] = {{"/training/optimizer/learning_rate", {0.1, 0.01}}};
         }}};
    for (const Change& change : changes) {
        Json other = m_experiment;
        other["training"]["epochs"] = 3;
        change.make(other);
        expectRefused(train({"--resume"}, other), change.why);
    }
}

TEST_F(KeptTraining, IsGoneOnFromWithMoreEpochsAnotherNameAndAnotherTarget) {
    Json more = m_experiment;
    more["training"]["epochs"] = 3;
    more["name"] = "another name";
    more["targets"] = {"cpu/openmp"};
    more["sampling"] = {{"preset", "quick"}};
    const Finished done = train({"--resume"}, more);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(readText(manifest()), HasSubstr("\"epoch\": 3"));
}

TEST_F(KeptTraining, IsNotReplacedUnasked) {
    Json shorter = m_experiment;
    shorter["training"]["epochs"] = 1;
    expectRefused(train({}, shorter), "after epoch 2");
    const Finished forced = train({"--force"}, shorter);
    EXPECT_EQ(forced.exitCode, 0) << forced.err;
    EXPECT_THAT(readText(manifest()), HasSubstr("\"epoch\": 1"));
}

TEST_F(KeptTraining, ThatHadEndedSaysSo) {
    const Finished done = train({"--resume"}, m_experiment);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.err, AllOf(HasSubstr("the training had ended before (all 2 epochs)"),
                                HasSubstr("raise /training/epochs")));
    EXPECT_THAT(done.out, HasSubstr("had ended before it was resumed (all 2 epochs)"));
}

TEST_F(KeptTraining, WithoutADescriptionIsGoneOnFromWithAWarning) {
    Json old = Json::parse(m_manifest);
    ASSERT_TRUE(old.contains("run"));
    old.erase("run");
    writeText(manifest(), old.dump());
    Json more = m_experiment;
    more["training"]["epochs"] = 3;
    const Finished done = train({"--resume"}, more);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("cannot be compared with the experiment"));
    EXPECT_TRUE(Json::parse(readText(manifest())).contains("run")) << "from now on it is noted";
}

/// Hundreds of layers: the list of checkpoints stays as short as its reader takes it.
TEST_F(KeptTraining, OfADeepNetworkIsDescribedWithinTheLimit) {
    Json deep = m_experiment;
    Json& layers = deep["network"]["layers"];
    for (int i = 0; i < 1500; ++i)
        layers.insert(layers.begin() + 1, Json::object({{"type", "relu"}}));
    deep["training"]["epochs"] = 1;
    ASSERT_EQ(train({"--force"}, deep).exitCode, 0);
    deep["training"]["epochs"] = 2;
    EXPECT_EQ(train({"--resume"}, deep).exitCode, 0);
    deep["network"]["layers"][5] = {{"type", "sigmoid"}};
    const Finished other = train({"--resume"}, deep);
    EXPECT_EQ(other.exitCode, 2);
    EXPECT_THAT(other.err, HasSubstr("/network differs"));
}

} // namespace
} // namespace heteroscope::process_test
