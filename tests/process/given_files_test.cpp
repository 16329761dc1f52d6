// SPDX-License-Identifier: Apache-2.0
// Every verb with every kind of file that it cannot use: the exit code, a sentence that names the path, and
// nothing written. Paths and names that are no UTF-8 break neither messages nor JSON.
#include "compute/base/json.h"
#include "profiling/io/utf8.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

class GivenFiles : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        s_folder = std::make_unique<TemporaryFolder>();
        writeText(file("good.json"), poolingExperiment(16, 2).dump());
        ASSERT_EQ(runCli({"run", file("good.json"), "--out", file("good.hscope"), "--save-output",
                          file("good.npz")})
                      .exitCode,
                  0);
        ASSERT_EQ(runCli({"trace", "export", file("good.hscope"), file("trace.json")}).exitCode, 0);
    }
    static void TearDownTestSuite() { s_folder.reset(); }
    static std::string file(const std::string& name) { return s_folder->file(name); }

    static inline std::unique_ptr<TemporaryFolder> s_folder;
};

/// A verb with `?` in the place of the bad file; `good` is one that it can use there.
struct Use {
    std::vector<std::string> words;
    std::string good;
};

std::vector<Use> uses() {
    return {{{"run", "?"}, "good.json"},
            {{"check", "?"}, "good.json"},
            {{"evaluate", "?", "--tensors", "good.npz", "--out", "written"}, "good.json"},
            {{"evaluate", "good.json", "--tensors", "?", "--out", "written"}, "good.npz"},
            {{"trace", "info", "?"}, "good.hscope"},
            {{"trace", "info", "?", "--json"}, "good.hscope"},
            {{"trace", "stats", "?"}, "good.hscope"},
            {{"trace", "export", "?", "written"}, "good.hscope"},
            {{"trace", "import", "?", "written"}, "trace.json"},
            {{"compare", "?", "good.hscope"}, "good.hscope"},
            {{"compare", "good.hscope", "?"}, "good.hscope"}};
}

std::vector<std::string> with(const Use& use, const std::string& name) {
    std::vector<std::string> words = use.words;
    for (std::string& word : words)
        word = word == "?" ? name : word;
    return words;
}

Finished runIn(const std::string& folder, const std::vector<std::string>& words) {
    ChildProcess::Options options;
    options.directory = folder;
    return runCli(words, {}, options);
}

TEST_F(GivenFiles, thatCannotBeUsedAreBadInput) {
    std::filesystem::create_directory(file("folder"));
    writeText(file("empty"), "");
    std::filesystem::create_symlink("loop", file("loop")); // unreadable for root as well
    writeText(file("noise"), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
    writeText(file("sealed"), "{}");
    ::chmod(file("sealed").c_str(), 0);
    std::vector<std::string> kinds = {"missing", "folder", "empty", "loop", "noise", "magic", "kind"};
    if (::geteuid() != 0)
        kinds.push_back("sealed");
    for (const Use& use : uses())
        for (const std::string& kind : kinds) {
            std::string wrongMagic = readText(file(use.good));
            wrongMagic[0] = '#';
            writeText(file("magic"), wrongMagic);
            writeText(file("kind"), readText(file(use.good == "good.hscope" ? "good.json" : "good.hscope")));
            const Finished done = runIn(s_folder->path(), with(use, kind));
            const std::string what = testing::PrintToString(with(use, kind)) + ": " + done.err;
            EXPECT_EQ(done.exitCode, 2) << what;
            EXPECT_EQ(done.out, "") << what;
            EXPECT_THAT(done.err, HasSubstr(kind)) << what;
            EXPECT_THAT(done.err, testing::StartsWith("heteroscope-cli")) << what;
            EXPECT_FALSE(std::filesystem::exists(file("written"))) << what;
        }
}

TEST_F(GivenFiles, thatAreMissingComeWithAdvice) {
    EXPECT_THAT(runCli({"trace", "import", file("none.json"), file("written")}).err,
                HasSubstr("none.json: the file does not exist; allowed: a Chrome trace"));
    EXPECT_THAT(runCli({"trace", "info", file("none.hscope")}).err,
                HasSubstr("none.hscope: the file does not exist; allowed: a run file"));
}

TEST_F(GivenFiles, whatCannotBeWrittenIsAFailure) {
    const std::string out = file("no/such/folder/out");
    const std::vector<std::vector<std::string>> all = {
        {"run", file("good.json"), "--out", out},
        {"run", file("good.json"), "--json", out},
        {"run", file("good.json"), "--csv", out},
        {"trace", "export", file("good.hscope"), out},
        {"trace", "export", file("good.hscope"), out, "--format", "results"},
        {"trace", "import", file("trace.json"), out}};
    for (const auto& words : all) {
        const Finished done = runCli(words);
        EXPECT_EQ(done.exitCode, 1) << testing::PrintToString(words) << done.err;
        EXPECT_THAT(done.err, HasSubstr("no/such/folder")) << testing::PrintToString(words);
    }
}

/// Valid UTF-8 without a byte replaced twice: what a terminal, a log and the window can show.
void expectReadable(const Finished& done, const std::string& what) {
    EXPECT_EQ(profiling::validUtf8(done.err), done.err) << what;
    EXPECT_EQ(profiling::validUtf8(done.out), done.out) << what;
}

TEST_F(GivenFiles, whoseNamesAreNoUtf8AreNamedReadably) {
    const std::string name = "bad\xff\xc3name";
    for (const Use& use : uses()) {
        const Finished done = runIn(s_folder->path(), with(use, name));
        const std::string what = testing::PrintToString(with(use, name)) + ": " + done.err;
        EXPECT_EQ(done.exitCode, 2) << what;
        EXPECT_THAT(done.err, HasSubstr("bad\xef\xbf\xbd\xef\xbf\xbdname")) << what;
        expectReadable(done, what);
    }
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{name}, {"help", name}, {"run", "--" + name}, {"trace", name}}) {
        const Finished done = runCli(words);
        EXPECT_EQ(done.exitCode, 64) << done.err;
        expectReadable(done, done.err);
    }
    const Finished refused = runIn(s_folder->path(), {"check", name, "--json"});
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_FALSE(Json::parse(refused.out).at("ok").get<bool>());
}

TEST_F(GivenFiles, whoseNamesAreNoUtf8CanBeUsed) {
    const std::string run = file("run\xff.hscope"), json = file("res\xff.json"), chrome = file("t\xff.json");
    writeText(file("e\xff.json"), poolingExperiment(16, 2).dump());
    Finished done = runCli({"run", file("e\xff.json"), "--set",
                            "/name=a\xff"
                            "b",
                            "--out", run, "--json", json});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    expectReadable(done, done.err);
    EXPECT_TRUE(Json::accept(readText(json)));
    EXPECT_EQ(runCli({"trace", "export", run, chrome}).exitCode, 0);
    const std::string back = file("back\xff.hscope");
    ASSERT_EQ(runCli({"trace", "import", chrome, back}).exitCode, 0);
    for (const std::vector<std::string>& words : {std::vector<std::string>{"trace", "info", run, "--json"},
                                                  {"trace", "info", back, "--json"},
                                                  {"trace", "stats", back, "--json"},
                                                  {"compare", run, run, "--json"}}) {
        done = runCli(words);
        EXPECT_EQ(done.exitCode, 0) << done.err;
        expectReadable(done, testing::PrintToString(words));
        EXPECT_TRUE(Json::accept(done.out)) << testing::PrintToString(words);
    }
}

} // namespace
} // namespace heteroscope::process_test
