// SPDX-License-Identifier: Apache-2.0
// What is written over and what is not: inputs never, other files when asked to, earlier results when new
// ones are there.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/process/output_files.h"
#include "tests/support/idx_files.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <functional>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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

TEST_F(EarlierFiles, stayAsTablesAndResultsWhenNothingIsMeasured) {
    const std::string json = readText(file("old.json")), csv = readText(file("old.csv"));
    writeText(file("e.json"), poolingExperiment(512, 1).dump());
    for (const std::vector<std::string>& also :
         {std::vector<std::string>{"--target", "gpu:99/cuda"}, {"--memory-limit", "64KiB"}}) {
        std::vector<std::string> words{"run",   file("e.json"), "--json", file("old.json"),
                                       "--csv", file("old.csv")};
        words.insert(words.end(), also.begin(), also.end());
        const Finished done = runCli(words);
        EXPECT_NE(done.exitCode, 0);
        EXPECT_THAT(done.err, HasSubstr("old.json: nothing was measured, so the file that was there is as"));
        EXPECT_THAT(done.err, HasSubstr("old.csv: nothing was measured, so the file that was there is as"));
        EXPECT_EQ(readText(file("old.json")), json);
        EXPECT_EQ(readText(file("old.csv")), csv);
    }
}

TEST_F(EarlierFiles, stayWhenATraceHasNoEvent) {
    writeText(file("t.json"), R"({"traceEvents": []})");
    const Finished done = runCli({"trace", "import", file("t.json"), file("old.hscope")});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr("it has no events"));
    EXPECT_THAT(done.err, HasSubstr("old.hscope is as it was"));
    EXPECT_EQ(readText(file("old.hscope")), m_old);
    EXPECT_EQ(runCli({"trace", "import", file("t.json"), file("new.hscope")}).exitCode, 2);
    EXPECT_FALSE(std::filesystem::exists(file("new.hscope")));
}

TEST_F(EarlierFiles, ofAPersonStayWhenTheyOnlyBeginLikeATableOfOurs) {
    writeText(file("mine.csv"), "run,target,note\n1,a,b\n");
    const Finished done = runCli({"run", file("e.json"), "--csv", file("mine.csv")});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_EQ(readText(file("mine.csv")), "run,target,note\n1,a,b\n");
}

TEST_F(EarlierFiles, ofAPersonStayInTheFolderOfASelfTest) {
    std::filesystem::create_directory(file("kept"));
    writeText(file("kept/pooling.log"), "my notes");
    runCli({"self-test", "--keep", file("kept")});
    EXPECT_EQ(readText(file("kept/pooling.log")), "my notes");
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

TEST(TwoOutputs, ofOneNameAreRefusedBeforeEitherIsThere) {
    const TemporaryFolder folder;
    writeText(folder.file("e.json"), poolingExperiment(16, 1).dump());
    ChildProcess::Options options;
    options.directory = folder.path();
    ChildProcess running({"run", "e.json", "--force", "--json", "q", "--csv", "./q"}, options);
    const Finished done = running.finish();
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr(", and one would be written over the other"));
    EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"e.json"});
}

TEST_F(EarlierFiles, namedByTwoOptionsAreRefused) {
    const Finished done =
        runCli({"run", file("e.json"), "--json", file("new"), "--csv", m_folder.path() + "/./new"});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr(", and one would be written over the other"));
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

} // namespace
} // namespace heteroscope::process_test
