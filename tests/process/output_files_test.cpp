// SPDX-License-Identifier: Apache-2.0
// What is written over and what is not: inputs never, other files when asked to, earlier results when new
// ones are there; and who may write a file at all.
#include "compute/exec/checkpoint_manifest.h"
#include "compute/onnx/onnx_model.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/idx_files.h"
#include "tests/support/require/skip.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <heteroscope_paths.h>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

void expectWhole(const std::string& path) {
    const auto file = profiling::readRunFile(path);
    ASSERT_TRUE(file.ok()) << file.error().sentence();
    EXPECT_FALSE(file->damage) << file->damage->sentence();
    EXPECT_TRUE(file->study.ended);
    EXPECT_EQ(file->study.endStatus, "done");
}

/// Reads until a sample has arrived.
void waitForSample(ChildProcess& child) {
    while (sampleKeys(studyFromBytes(child.out())).empty())
        ASSERT_TRUE(child.pump(Milliseconds(20000 * kTimeFactor))) << child.err();
}

TEST(OneRunFile, ofTwoRunsAtOnceIsNeverDamaged) {
    int refused = 0;
    for (int pair = 0; pair < 20; ++pair) {
        SCOPED_TRACE("pair " + std::to_string(pair));
        const TemporaryFolder folder;
        const std::string path = folder.file("one.hscope");
        if (pair % 2 == 1) { // over an earlier run as well as where nothing is
            ASSERT_EQ(runCli({"run", "-", "--out", path}, poolingExperiment(16, 1).dump()).exitCode, 0);
        }
        ChildProcess first({"run", "-", "--out", path}), second({"run", "-", "--out", path});
        for (ChildProcess* child : {&first, &second}) {
            child->write(poolingExperiment(64, 20).dump() + "\n");
            child->closeStdin();
        }
        const Finished done[] = {first.finish(), second.finish()};
        for (const Finished& one : done) {
            EXPECT_TRUE(one.exitCode == 0 || one.exitCode == 2) << one.exitCode << ": " << one.err;
            if (one.exitCode == 0)
                continue;
            ++refused;
            EXPECT_EQ(one.out, "");
            EXPECT_THAT(one.err, AllOf(HasSubstr(path), HasSubstr("another run is writing it"),
                                       HasSubstr("choose another file")));
        }
        EXPECT_TRUE(done[0].exitCode == 0 || done[1].exitCode == 0);
        expectWhole(path);
        EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"one.hscope"});
    }
    std::printf("%d of 40 runs were refused, the others came one after the other\n", refused);
}

TEST(OneRunFile, thatIsBeingWrittenIsRefusedToOthersAndOpenToReaders) {
    const TemporaryFolder folder;
    const std::string path = folder.file("one.hscope");
    ChildProcess running({"run", "-", "--stream", "--out", path});
    running.write(poolingExperiment(64, 100000).dump() + "\n");
    ASSERT_NO_FATAL_FAILURE(waitForSample(running));
    writeText(folder.file("e.json"), poolingExperiment(16, 1).dump());
    writeText(folder.file("t.json"), R"({"traceEvents": []})");
    const std::string held = "process " + std::to_string(running.pid()) + " (heteroscope-cli)";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", folder.file("e.json"), "--out", path},
          {"run", folder.file("e.json"), "--force", "--json", path},
          {"trace", "import", folder.file("t.json"), path}}) {
        const Finished refused = runCli(words);
        EXPECT_EQ(refused.exitCode, 2) << refused.err;
        EXPECT_EQ(refused.out, "");
        EXPECT_THAT(refused.err, AllOf(HasSubstr(path), HasSubstr(held))) << testing::PrintToString(words);
    }
    const Finished info = runCli({"trace", "info", path});
    EXPECT_EQ(info.exitCode, 0) << info.err;
    EXPECT_THAT(info.out, HasSubstr("being written"));
    running.signal(SIGTERM);
    EXPECT_EQ(running.finish().exitCode, 4);
    const auto file = profiling::readRunFile(path);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->study.endStatus, "cancelled");
    EXPECT_EQ(runCli({"run", folder.file("e.json"), "--out", path}).exitCode, 0) << "free again";
    expectWhole(path);
}

TEST(OneRunFile, isFreeAgainAfterItsWriterWasKilled) {
    const TemporaryFolder folder;
    const std::string path = folder.file("one.hscope");
    ChildProcess running({"run", "-", "--stream", "--out", path});
    running.write(poolingExperiment(64, 100000).dump() + "\n");
    ASSERT_NO_FATAL_FAILURE(waitForSample(running));
    running.signal(SIGKILL);
    running.finish();
    EXPECT_EQ(runCli({"run", "-", "--out", path}, poolingExperiment(16, 1).dump()).exitCode, 0);
    expectWhole(path);
}

TEST(OneRunFile, thatIsLostWhileItIsWrittenIsNoSuccess) {
    const std::vector<std::pair<const char*, std::function<void(const std::string&)>>> disturbances{
        {"removed", [](const std::string& path) { std::filesystem::remove(path); }},
        {"cut", [](const std::string& path) { std::filesystem::resize_file(path, 0); }},
        {"replaced", [](const std::string& path) {
             std::filesystem::rename(path, path + ".moved");
             writeText(path, "other");
         }}};
    for (const auto& [what, disturb] : disturbances) {
        const TemporaryFolder folder;
        const std::string path = folder.file("one.hscope");
        ChildProcess running({"run", "-", "--stream", "--out", path});
        running.write(poolingExperiment(64, 300).dump() + "\n");
        ASSERT_NO_FATAL_FAILURE(waitForSample(running));
        disturb(path);
        const Finished done = running.finish();
        EXPECT_EQ(done.exitCode, 1) << what;
        EXPECT_THAT(done.err, AllOf(HasSubstr(path), HasSubstr("while it was being written"))) << what;
    }
}

TEST(OneRunFile, thatReachesTheLimitOfFileSizesEndsWithASentence) {
    const TemporaryFolder folder;
    ChildProcess::Options options;
    options.fileSizeLimit = 2000;
    const std::string path = folder.file("one.hscope");
    ChildProcess running({"run", "-", "--out", path}, options);
    running.write(poolingExperiment(64, 20).dump() + "\n");
    running.closeStdin();
    const Finished done = running.finish();
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.err, AllOf(HasSubstr(path), HasSubstr("File too large")));
}

class EarlierFiles : public testing::Test {
  protected:
    void SetUp() override {
        writeText(file("e.json"), poolingExperiment(16, 1).dump());
        ASSERT_EQ(runCli({"run", file("e.json"), "--out", file("old.hscope"), "--json", file("old.json"),
                          "--csv", file("old.csv"), "--save-output", file("old.npz")})
                      .exitCode,
                  0);
        m_old = readText(file("old.hscope"));
        m_names = namesIn(m_folder.path());
    }
    std::string file(const std::string& name) const { return m_folder.file(name); }
    void expectOldRunFile() const {
        EXPECT_EQ(readText(file("old.hscope")), m_old);
        EXPECT_EQ(namesIn(m_folder.path()), m_names);
    }

    TemporaryFolder m_folder;
    std::string m_old;
    std::vector<std::string> m_names;
};

TEST_F(EarlierFiles, stayWhenTheTargetIsNotThere) {
    for (const char* preset : {"quick", "thesis"}) {
        const Finished done = runCli({"run", file("e.json"), "--target", "gpu:99/cuda", "--preset", preset,
                                      "--out", file("old.hscope")});
        EXPECT_EQ(done.exitCode, 3) << done.err;
        expectOldRunFile();
    }
    EXPECT_EQ(
        runCli({"run", file("e.json"), "--target", "gpu:99/cuda", "--out", file("new.hscope")}).exitCode, 3);
    EXPECT_EQ(namesIn(m_folder.path()), m_names);
}

TEST_F(EarlierFiles, stayWhenNothingFitsIntoMemory) {
    writeText(file("e.json"), poolingExperiment(512, 1).dump());
    const Finished done =
        runCli({"run", file("e.json"), "--memory-limit", "64KiB", "--out", file("old.hscope")});
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(done.err, HasSubstr("nothing was measured, so the file that was there is as it was"));
    expectOldRunFile();
}

TEST_F(EarlierFiles, stayWhenTheExperimentIsWrong) {
    writeText(file("e.json"), "{\"heteroscope\": 1, \"kind\": \"pool");
    EXPECT_EQ(runCli({"run", file("e.json"), "--out", file("old.hscope")}).exitCode, 2);
    expectOldRunFile();
}

/// Much to prepare before the first sample: the signal comes in time.
Json longBeforeTheFirstSample() {
    Json experiment = poolingExperiment(9000, 3);
    experiment["targets"] = {"cpu/sequential"};
    return experiment;
}

TEST_F(EarlierFiles, stayWhenTheRunIsEndedBeforeItsFirstSample) {
    for (const int number : {SIGKILL, SIGTERM}) {
        ChildProcess child({"run", "-", "--stream", "--out", file("old.hscope")});
        child.write(longBeforeTheFirstSample().dump() + "\n");
        ASSERT_TRUE(child.waitForOutput(1, Milliseconds(20000 * kTimeFactor)));
        child.signal(number);
        const Finished done = child.finish();
        EXPECT_EQ(done.exitCode, number == SIGKILL ? -1 : 4) << done.err;
        ASSERT_TRUE(sampleKeys(studyFromBytes(done.out)).empty())
            << "the first sample was too quick for this test";
        EXPECT_EQ(readText(file("old.hscope")), m_old);
        if (number == SIGKILL) { // what it left goes with the next run, whatever that writes
            EXPECT_EQ(namesIn(m_folder.path()).size(), m_names.size() + 1);
            EXPECT_EQ(runCli({"run", file("e.json"), "--json", file("old.json")}).exitCode, 0);
        }
        expectOldRunFile();
    }
}

TEST_F(EarlierFiles, giveWayToTheFirstSample) {
    ChildProcess child({"run", "-", "--stream", "--out", file("old.hscope")});
    child.write(poolingExperiment(64, 100000).dump() + "\n");
    ASSERT_NO_FATAL_FAILURE(waitForSample(child));
    const auto file_ = profiling::readRunFile(file("old.hscope"));
    ASSERT_TRUE(file_.ok());
    EXPECT_EQ(file_->study.id, studyFromBytes(child.out()).id);
    EXPECT_FALSE(sampleKeys(file_->study).empty());
    EXPECT_EQ(namesIn(m_folder.path()), m_names);
    child.signal(SIGKILL);
    child.finish();
    EXPECT_EQ(namesIn(m_folder.path()), m_names);
}

TEST_F(EarlierFiles, stayWhenTheDiskFillsUpFirst) {
    ChildProcess::Options options;
    options.fileSizeLimit = 2000; // less than the environment takes
    const Finished done =
        runCli({"run", file("e.json"), "--out", file("old.hscope"), "--json", file("old.json")}, {}, options);
    EXPECT_EQ(done.exitCode, 1) << done.err;
    expectOldRunFile();
    EXPECT_TRUE(Json::accept(readText(file("old.json"))));
}

TEST_F(EarlierFiles, ofTheSameKindAreReplaced) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"run", file("e.json"), "--out", file("old.hscope"), "--json",
                                   file("old.json"), "--csv", file("old.csv"), "--save-output",
                                   file("old.npz")},
          {"trace", "export", file("old.hscope"), file("t.json")},
          {"trace", "export", file("old.hscope"), file("t.json")},
          {"trace", "export", file("old.hscope"), file("old.csv")},
          {"trace", "export", file("old.hscope"), file("old.json"), "--format", "results"},
          {"trace", "import", file("t.json"), file("old.hscope")}}) {
        const Finished done = runCli(words);
        EXPECT_EQ(done.exitCode, 0) << testing::PrintToString(words) << done.err;
    }
    expectWhole(file("old.hscope"));
}

TEST_F(EarlierFiles, ofAnotherKindAreReplacedWithForceOnly) {
    ASSERT_EQ(runCli({"trace", "export", file("old.hscope"), file("t.json")}).exitCode, 0);
    const std::string trace = readText(file("t.json"));
    const struct {
        std::vector<std::string> words;
        std::string written;
    } cases[] = {
        {{"run", file("e.json"), "--out", "?"}, file("notes.txt")},
        {{"run", file("e.json"), "--json", "?"}, file("other experiment.json")},
        {{"run", file("e.json"), "--csv", "?"}, file("my data.csv")},
        {{"run", file("e.json"), "--save-output", "?"}, file("notes.txt")},
        {{"evaluate", file("e.json"), "--tensors", file("old.npz"), "--out", "?"}, file("notes.txt")},
        {{"trace", "export", file("old.hscope"), "?"}, file("other experiment.json")},
        {{"trace", "export", file("old.hscope"), "?", "--format", "results"}, file("t.json")},
        {{"trace", "export", file("old.hscope"), "?"}, file("my data.csv")},
        {{"trace", "import", file("t.json"), "?"}, file("old.json")}};
    for (const auto& one : cases) {
        writeText(file("t.json"), trace);
        writeText(file("notes.txt"), "my notes");
        writeText(file("other experiment.json"), poolingExperiment(32, 7).dump());
        writeText(file("my data.csv"), "length,width,label\n1,2,a\n");
        const std::string before = readText(one.written);
        std::vector<std::string> words = one.words;
        std::replace(words.begin(), words.end(), std::string("?"), one.written);
        const std::string what = testing::PrintToString(words);
        Finished done = runCli(words);
        EXPECT_EQ(done.exitCode, 2) << what << done.err;
        EXPECT_EQ(done.out, "") << what;
        EXPECT_THAT(done.err, AllOf(HasSubstr(one.written), HasSubstr("--force"))) << what;
        EXPECT_EQ(readText(one.written), before) << what;
        if (words[0] == "evaluate")
            continue; // these tensors are not its inputs: only the refusal is of interest
        words.push_back("--force");
        done = runCli(words);
        EXPECT_EQ(done.exitCode, 0) << what << done.err;
        EXPECT_NE(readText(one.written), before) << what;
    }
}

TEST_F(EarlierFiles, thatAreReadAreNeverWrittenOver) {
    ASSERT_EQ(runCli({"trace", "export", file("old.hscope"), file("t.json")}).exitCode, 0);
    const auto writing = [&](const std::string& path) {
        return std::vector<std::vector<std::string>>{
            {"run", file("e.json"), "--out", path},
            {"run", file("e.json"), "--json", path},
            {"run", file("e.json"), "--csv", path},
            {"run", file("e.json"), "--save-output", path},
            {"evaluate", file("e.json"), "--tensors", file("old.npz"), "--out", path},
            {"trace", "export", file("old.hscope"), path},
            {"trace", "import", file("t.json"), path}};
    };
    std::filesystem::create_symlink("e.json", file("link.json"));
    std::filesystem::create_hard_link(file("e.json"), file("hard.json"));
    std::filesystem::create_symlink("t.json", file("t link"));
    const auto expectRefused = [&](std::vector<std::string> words, const std::string& path) {
        const std::string before = readText(path);
        for (const bool force : {false, true}) {
            if (force)
                words.push_back("--force");
            const Finished done = runCli(words);
            EXPECT_EQ(done.exitCode, 2) << testing::PrintToString(words) << done.err;
            EXPECT_EQ(done.out, "");
            EXPECT_THAT(done.err, AllOf(HasSubstr(path), HasSubstr("is read here")))
                << testing::PrintToString(words);
            EXPECT_EQ(readText(path), before);
        }
    };
    for (const char* name : {"e.json", "link.json", "hard.json"})
        for (const auto& words : writing(file(name)))
            if (words[1].ends_with("e.json"))
                expectRefused(words, file(name));
    expectRefused({"evaluate", file("e.json"), "--tensors", file("old.npz"), "--out", file("old.npz")},
                  file("old.npz"));
    expectRefused({"trace", "export", file("old.hscope"), file("old.hscope")}, file("old.hscope"));
    expectRefused({"trace", "import", file("t.json"), file("t.json")}, file("t.json"));
    expectRefused({"trace", "import", file("t.json"), file("t link")}, file("t link"));
}

TEST_F(EarlierFiles, thatAnExperimentNamesAreNeverWrittenOver) {
    Json experiment = poolingExperiment(16, 1);
    experiment["pooling"]["input"] = {{"source", "image"}, {"path", "x.pgm"}};
    writeText(file("image.json"), experiment.dump());
    const std::string picture = "P5\n4 4\n255\n0123456789abcdef";
    for (const char* option : {"--out", "--json", "--csv", "--save-output"}) {
        writeText(file("x.pgm"), picture);
        const Finished done = runCli({"run", file("image.json"), "--force", option, file("x.pgm")});
        EXPECT_EQ(done.exitCode, 2) << done.err;
        EXPECT_THAT(done.err, AllOf(HasSubstr(option), HasSubstr("is read here")));
        EXPECT_EQ(readText(file("x.pgm")), picture);
    }
    compute::TemporaryIdx files;
    Json training = files.trainingExperiment(40, 8);
    const auto images = training.at("data").at("images").get<std::string>();
    writeText((files.folder() / "t.json").string(), training.dump());
    const std::string path = images, before = readText(path);
    const Finished done = runCli({"run", (files.folder() / "t.json").string(), "--force", "--csv", path});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_EQ(readText(path), before);
}

void expectNotWrittenOver(const std::vector<std::string>& words, const std::string& path) {
    const std::string before = readText(path), what = testing::PrintToString(words);
    const Finished done = runCli(words);
    EXPECT_EQ(done.exitCode, 2) << what << done.err;
    EXPECT_THAT(done.err, AllOf(HasSubstr(path), HasSubstr("is read here"))) << what;
    EXPECT_EQ(readText(path), before) << what;
}

TEST(TwoOutputs, ofOneNameAreRefusedBeforeEitherIsThere) {
    const TemporaryFolder folder;
    writeText(folder.file("e.json"), poolingExperiment(16, 1).dump());
    ChildProcess::Options options;
    options.directory = folder.path();
    ChildProcess running({"run", "e.json", "--force", "--json", "q", "--csv", "./q"}, options);
    const Finished done = running.finish();
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("--json names the same file"));
    EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"e.json"});
}

/// Files in a folder of checkpoints that are read, or that only have names like those of archives.
TEST(ArchivesOfCheckpoints, thatAreInputsOrStrangersStay) {
    compute::TemporaryIdx files;
    const auto file = [&](const std::string& name) { return (files.folder() / name).string(); };
    Json training = files.trainingExperiment(40, 8);
    writeText(file("first.json"), training.dump());
    ASSERT_EQ(runCli({"run", file("first.json"), "--checkpoints", file("states")}).exitCode, 0);
    const auto kept = compute::readCheckpointManifest(file("states/run_0.checkpoint.json"));
    ASSERT_TRUE(kept);
    const std::string state = readText(file("states/" + kept->latest.file));
    std::filesystem::create_directory(file("other"));
    for (const char* name : {"other/run_0.1.npz", "other/run_0.77.npz"})
        writeText(file(name), state);
    training["network"]["weights"] = "other/run_0.77.npz";
    writeText(file("second.json"), training.dump());
    const Finished done = runCli({"run", file("second.json"), "--checkpoints", file("other")});
    EXPECT_EQ(done.exitCode, 0) << done.err;
    for (const char* name : {"other/run_0.1.npz", "other/run_0.77.npz"})
        EXPECT_EQ(readText(file(name)), state) << name;
    std::filesystem::create_directory(file("locked"));
    std::filesystem::copy_file(file("first.json"), file("locked/run_0.lock"));
    const Finished locked = runCli({"run", file("first.json"), "--checkpoints", file("locked")});
    EXPECT_NE(locked.exitCode, 0);
    EXPECT_THAT(locked.err, AllOf(HasSubstr("run_0.lock"), HasSubstr("has the name of a lock")));
    EXPECT_EQ(readText(file("locked/run_0.lock")), readText(file("first.json")));
}

TEST(ArchivesOfCheckpoints, areNotWrittenOverWhereTheirListIsGivenAsWeights) {
    compute::TemporaryIdx files;
    const auto file = [&](const std::string& name) { return (files.folder() / name).string(); };
    Json training = files.trainingExperiment(40, 8);
    writeText(file("first.json"), training.dump());
    ASSERT_EQ(runCli({"run", file("first.json"), "--checkpoints", file("states")}).exitCode, 0);
    training["network"]["weights"] = "states/run_0.checkpoint.json";
    writeText(file("second.json"), training.dump());
    int archives = 0;
    for (const std::string& name : namesIn(file("states"))) {
        if (!name.ends_with(".npz"))
            continue;
        ++archives;
        const std::string path = file("states/" + name);
        expectNotWrittenOver({"export", file("second.json"), "--npz", path}, path);
        expectNotWrittenOver({"run", file("second.json"), "--force", "--out", path}, path);
    }
    EXPECT_GT(archives, 0);
}

TEST(OnnxFilesOfNetworks, areNotWrittenOverWhereTheWeightsAreInAnotherFile) {
    if (const std::string reason = compute::onnxUnavailableReason(); !reason.empty())
        SKIP_WITHOUT("onnx", reason);
    const TemporaryFolder folder;
    const std::string model = folder.file("m.onnx"), weights = folder.file("w.npz");
    std::filesystem::copy(HETEROSCOPE_SOURCE_DIR "/tests/golden/onnx/lenet.onnx", model);
    ASSERT_EQ(runCli({"export", model, "--npz", weights}).exitCode, 0);
    const Json experiment = {{"heteroscope", 1},
                             {"kind", "network"},
                             {"name", "onnx"},
                             {"task", "infer"},
                             {"network", {{"onnx", "m.onnx"}}},
                             {"targets", {"cpu/openmp"}},
                             {"sampling", {{"preset", "quick"}}}};
    writeText(folder.file("e.json"), experiment.dump());
    Json separate = experiment;
    separate["network"]["weights"] = "w.npz";
    writeText(folder.file("separate.json"), separate.dump());
    expectNotWrittenOver({"export", folder.file("separate.json"), "--onnx", model}, model);
    expectNotWrittenOver({"export", folder.file("e.json"), "--weights", weights, "--onnx", model}, model);
    expectNotWrittenOver({"run", folder.file("separate.json"), "--force", "--csv", model}, model);
    expectNotWrittenOver({"check", folder.file("separate.json"), "--force", "--summary", model}, model);
}

TEST_F(EarlierFiles, namedByTwoOptionsAreRefused) {
    const Finished done =
        runCli({"run", file("e.json"), "--json", file("new"), "--csv", m_folder.path() + "/./new"});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr("--json names the same file"));
    EXPECT_FALSE(std::filesystem::exists(file("new")));
}

TEST_F(EarlierFiles, throughALinkKeepTheLink) {
    std::filesystem::create_symlink("old.hscope", file("link.hscope"));
    std::filesystem::create_symlink("fresh.hscope", file("to nothing"));
    for (const char* name : {"link.hscope", "to nothing"}) {
        EXPECT_EQ(runCli({"run", file("e.json"), "--out", file(name)}).exitCode, 0);
        EXPECT_TRUE(std::filesystem::is_symlink(file(name)));
        expectWhole(file(name));
    }
    EXPECT_NE(readText(file("old.hscope")), m_old);
}

TEST(Outputs, mayBeDevicesAndDescriptors) {
    const Finished done =
        runCli({"run", "-", "--out", "/dev/null", "--json", "/dev/stdout"}, poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("\"heteroscope-results\""));
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

/// Without them, the run file would get the number of one of them and take in what is written there.
TEST(ClosedDescriptors, neverBecomeTheRunFile) {
    for (int closed = 0; closed < 8; ++closed) {
        const TemporaryFolder folder;
        writeText(folder.file("e.json"), poolingExperiment(16, 2).dump());
        ChildProcess::Options options;
        for (int fd = 0; fd < 3; ++fd)
            if ((closed >> fd & 1) != 0)
                options.closed.push_back(fd);
        const std::string what = "closed: " + testing::PrintToString(options.closed);
        const std::string out = folder.file("r.hscope");
        const Finished done = runCli(
            {"run", folder.file("e.json"), "--out", out, "--json", folder.file("r.json")}, {}, options);
        const bool tableHasNoPlace = (closed & 2) != 0; // "something could not be written"
        EXPECT_EQ(done.exitCode, tableHasNoPlace ? 1 : 0) << what << done.err;
        expectWhole(out);
        EXPECT_THAT(readText(out), Not(HasSubstr("heteroscope-cli: "))) << what;
        EXPECT_TRUE(Json::accept(readText(folder.file("r.json")))) << what;
        if ((closed & 6) == 2) {
            EXPECT_THAT(done.err, HasSubstr("standard output: cannot write: Bad file descriptor")) << what;
        }
    }
}

TEST(ClosedDescriptors, ofAnExperimentOnStandardInputAreAnEmptyInput) {
    ChildProcess::Options options;
    options.closed = {0};
    const Finished done = runCli({"run", "-"}, {}, options);
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr("standard input"));
}

} // namespace
} // namespace heteroscope::process_test
