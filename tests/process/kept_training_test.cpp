// SPDX-License-Identifier: Apache-2.0
// Kept states are gone on from by the training that kept them, and nobody begins anew over them unasked.
#include "compute/data/npz.h"
#include "tests/process/child_process.h"
#include "tests/support/idx_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
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

/// It was gone on from as if it were right.
TEST_F(KeptTraining, WithoutADescriptionIsGoneOnFromWhenForcedWithAWarning) {
    Json old = Json::parse(m_manifest);
    ASSERT_TRUE(old.contains("run"));
    old.erase("run");
    writeText(manifest(), old.dump());
    Json more = m_experiment;
    more["training"]["epochs"] = 3;
    const std::string undescribed = readText(manifest());
    const Finished refused = train({"--resume"}, more);
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("it does not say of which training its states are"),
                                   HasSubstr("add --force to go on from them")));
    EXPECT_EQ(readText(manifest()), undescribed);
    const Finished done = train({"--resume", "--force"}, more);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("cannot be compared with the experiment"));
    EXPECT_TRUE(Json::parse(readText(manifest())).contains("run")) << "from now on it is noted";
}

/// The advice was to remove files, and --force did not write over it.
TEST_F(KeptTraining, WhoseListIsDamagedIsBegunAnewWithForce) {
    Json described = Json::parse(m_manifest);
    described["run"] = 5;
    for (const std::string& damaged : {m_manifest.substr(0, m_manifest.size() / 2), described.dump()}) {
        writeText(manifest(), damaged);
        for (const bool resume : {true, false}) {
            const Finished refused = train(
                resume ? std::vector<std::string>{"--resume"} : std::vector<std::string>{}, m_experiment);
            EXPECT_EQ(refused.exitCode, 2);
            EXPECT_THAT(refused.err, AllOf(HasSubstr("it is damaged"), HasSubstr("begin anew with --force"),
                                           HasSubstr("another folder")));
            EXPECT_EQ(refused.err.find("leave --resume out") != std::string::npos, resume) << refused.err;
        }
        EXPECT_EQ(train({"--resume", "--force"}, m_experiment).exitCode, 2);
        EXPECT_EQ(readText(manifest()), damaged);
        const Finished forced = train({"--force"}, m_experiment);
        EXPECT_EQ(forced.exitCode, 0) << forced.err;
        EXPECT_THAT(readText(manifest()), HasSubstr("\"epoch\": 2"));
        EXPECT_EQ(train({"--resume"}, m_experiment).exitCode, 0);
    }
}

/// Hundreds of layers: the list of checkpoints stays as short as its reader takes it.
TEST_F(KeptTraining, OfADeepNetworkIsDescribedWithinTheLimit) {
    Json deep = m_experiment;
    Json& layers = deep["network"]["layers"];
    for (int i = 0; i < 850; ++i) // 40 bytes each of 32 KiB
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

/// It had trained two epochs, and was said to have ended after all one of them.
TEST_F(KeptTraining, OfMoreEpochsThanAreAskedForSaysSo) {
    m_experiment["training"]["epochs"] = 1;
    const Finished done = train({"--resume"}, m_experiment);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("the training had ended before (2 epochs, and 1 are asked for)"));
}

TEST_F(KeptTraining, DoesNotBeginWithAFileThatHoldsNoneOfItsWeights) {
    m_experiment["network"]["weights"] = m_folder.file("none.npz");
    ASSERT_TRUE(compute::writeNpz(m_folder.file("none.npz"), {{"other.weight", {{1}, {1}}}}));
    const Finished done = runCli({"run", "-", "--no-trace"}, m_experiment.dump());
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr("it holds none of the network's"));
}

/// One wrote over the state that the next --resume reads, the other over their list.
TEST_F(KeptTraining, IsNoPlaceForOutputs) {
    const std::string state = m_folder.file("states/run_0.2.npz"), bytes = readText(state);
    ASSERT_FALSE(bytes.empty());
    const auto expectNoPlace = [&](const std::vector<std::string>& more) {
        const Finished done = train(more, m_experiment);
        EXPECT_EQ(done.exitCode, 2) << done.err;
        EXPECT_THAT(done.err, HasSubstr("the folder of checkpoints keeps the states of trainings"));
        EXPECT_EQ(readText(state), bytes);
        EXPECT_EQ(readText(manifest()), m_manifest);
    };
    expectNoPlace({"--resume", "--save-output", state});
    expectNoPlace({"--resume", "--force", "--json", manifest()});
    expectNoPlace({"--resume", "--out", m_folder.file("states/run_1.hscope")});
    const Finished other = train({"--resume", "--json", m_folder.file("states/results.json")}, m_experiment);
    EXPECT_EQ(other.exitCode, 0) << other.err;
}

TEST_F(KeptTraining, OfAFolderThatIsNotThereYetIsNoPlaceEither) {
    const auto run = [&](const std::string& output) { // both folders are made
        return runCli({"run", "-", "--no-trace", "--no-check", "--checkpoints", m_folder.file("new/states/"),
                       "--save-output", m_folder.file("new/" + output)},
                      m_experiment.dump());
    };
    const Finished refused = run("states/run_0.2.npz");
    EXPECT_EQ(refused.exitCode, 2) << refused.err;
    EXPECT_FALSE(std::filesystem::exists(m_folder.file("new")));
    for (const std::string output : {"states/outputs.npz", "outputs.npz"}) {
        const Finished other = run(output);
        EXPECT_EQ(other.exitCode, 0) << other.err;
        EXPECT_TRUE(std::filesystem::exists(m_folder.file("new/" + output)));
        std::filesystem::remove_all(m_folder.file("new"));
    }
}

/// The replayed figures of kept epochs and a traced epoch passed for a new result.
TEST_F(KeptTraining, ThatHadEndedLeavesTheEarlierResults) {
    const std::string out = m_folder.file("r.hscope"), json = m_folder.file("r.json");
    const auto run = [&](const std::vector<std::string>& more) {
        std::vector<std::string> words{"run",   "-", "--checkpoints", m_folder.file("states"),
                                       "--out", out, "--json",        json};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words, m_experiment.dump());
    };
    ASSERT_EQ(run({"--force"}).exitCode, 0);
    const std::string bytes = readText(out), results = readText(json);
    const Finished again = run({"--resume"});
    EXPECT_EQ(again.exitCode, 0) << again.err;
    EXPECT_THAT(again.err,
                AllOf(HasSubstr("nothing was left to train"),
                      HasSubstr("r.hscope: nothing was measured, so the file that was there is as it "
                                "was")));
    EXPECT_EQ(readText(out), bytes);
    EXPECT_EQ(readText(json), results);
}

TEST_F(KeptTraining, WhoseManifestIsGoneIsNotBegunAnew) {
    std::filesystem::remove(manifest());
    const Finished done = train({"--resume"}, m_experiment);
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, AllOf(HasSubstr("run_0.2.npz"), HasSubstr("its manifest is missing")));
    EXPECT_TRUE(std::filesystem::exists(m_folder.file("states/run_0.2.npz")));
}

/// Its folder was taken for a class of images.
TEST_F(KeptTraining, IsNotKeptInAFolderThatIsRead) {
    m_experiment["data"] = {{"source", "image_folder"}, {"folder", m_folder.file("images")}};
    std::filesystem::create_directories(m_folder.file("images/a"));
    const Finished done =
        runCli({"run", "-", "--checkpoints", m_folder.file("images/kept")}, m_experiment.dump());
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("lies in a folder that is read here"));
    EXPECT_FALSE(std::filesystem::exists(m_folder.file("images/kept")));
}

/// They were found to have no effect, or no place, after hours of computing.
TEST_F(KeptTraining, OptionsThatCannotApplyAreRefusedBefore) {
    const auto expectBefore = [&](const std::vector<std::string>& more, int exitCode, const char* why) {
        const Finished done = train(more, m_experiment);
        EXPECT_EQ(done.exitCode, exitCode) << done.err;
        EXPECT_THAT(done.err, HasSubstr(why));
        EXPECT_EQ(done.out, "");
    };
    expectBefore({"--force", "--samples", "7"}, 2, "each epoch of a training on a dataset is one sample");
    expectBefore({"--force", "--predictions", m_folder.file("p.csv")}, 2, "the experiment infers no dataset");
    expectBefore({"--force", "--json", m_folder.file("none/r.json")}, 1, "cannot be created: No such file");
    EXPECT_EQ(readText(manifest()), m_manifest);
}

} // namespace
} // namespace heteroscope::process_test
