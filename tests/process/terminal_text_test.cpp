// SPDX-License-Identifier: Apache-2.0
// Texts of files and limits of the system, as they stand on a terminal: nothing in them acts on it, nothing
// is endless, and each says what to do.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sys/resource.h>
#include <vector>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kActing = "\x1b[2Jx\xe2\x80\xae\nforged";
const std::string kShown = "\\u001b[2Jx\\u202e\\u000aforged";

class TerminalText : public testing::Test {
  protected:
    std::string file(const std::string& name) { return m_folder.file(name); }

  private:
    TemporaryFolder m_folder;
};

void expectHarmless(const Finished& done, const std::string& shown) {
    for (const std::string* text : {&done.out, &done.err}) {
        EXPECT_EQ(text->find_first_of("\x1b\x07"), std::string::npos) << *text;
        EXPECT_EQ(text->find("\xe2\x80\xae"), std::string::npos) << *text;
    }
    EXPECT_THAT(done.out + done.err, HasSubstr(shown));
}

TEST_F(TerminalText, NamesOfExperimentsAreShownAndDoNotAct) {
    Json experiment = poolingExperiment(16, 2);
    experiment["name"] = kActing;
    writeText(file("e.json"), experiment.dump());
    expectHarmless(runCli({"check", file("e.json")}), kShown + ": 1 point on");
    const Finished run = runCli({"run", file("e.json"), "--out", file("e.hscope")});
    ASSERT_EQ(run.exitCode, 0) << run.err;
    const Finished info = runCli({"trace", "info", file("e.hscope")});
    expectHarmless(info, kShown);
    EXPECT_EQ(info.exitCode, 0);
    const Finished json = runCli({"trace", "info", file("e.hscope"), "--json"});
    expectHarmless(json, "\\u001b[2Jx\\u202e\\nforged");
    EXPECT_EQ(Json::parse(json.out).at("name"), kActing); // the same data
}

TEST_F(TerminalText, NamesOfSpansAreShownAndDoNotAct) {
    writeText(file("t.json"),
              R"([{"ph":"X","name":"\u001b[2Jt\u0007\u0000n","ts":1,"dur":2,"pid":1,"tid":1}])");
    ASSERT_EQ(runCli({"trace", "import", file("t.json"), file("t.hscope")}).exitCode, 0);
    expectHarmless(runCli({"trace", "stats", file("t.hscope")}), "\\u001b[2Jt\\u0007\\u0000n");
    expectHarmless(runCli({"trace", "stats", file("t.hscope"), "--csv"}), "\n\\u001b[2Jt\\u0007\\u0000n,");
}

TEST_F(TerminalText, KernelFilesAreNeverWaitedFor) {
    const std::string kernelFile =
        std::filesystem::exists("/proc/kmsg") ? "/proc/kmsg" : "/proc/self/environ";
    for (const std::vector<std::string>& words : {std::vector<std::string>{"check", kernelFile},
                                                  {"run", kernelFile},
                                                  {"trace", "info", kernelFile},
                                                  {"trace", "import", kernelFile, file("o")},
                                                  {"trace", "info", "/proc/self/environ"}}) {
        const Finished done = ChildProcess(words).finish();
        EXPECT_EQ(done.exitCode, 2) << words[0];
        EXPECT_THAT(done.err, HasSubstr("not a regular file")) << words[0];
    }
}

TEST_F(TerminalText, NoSentenceRepeatsAWholeFile) {
    writeText(file("e.json"),
              R"({"heteroscope":1,"kind":"pooling","pooling":{"kernel":)" + std::string(1000000, '9') + "}}");
    for (const char* json : {"--implementations", "--json"}) {
        const Finished done = runCli({"check", file("e.json"), json});
        EXPECT_EQ(done.exitCode, 2);
        EXPECT_LT(done.out.size() + done.err.size(), 10000u);
    }
}

TEST_F(TerminalText, AFileInTheWayOfAFolderIsNamedAsTheReason) {
    writeText(file("f"), "");
    const Finished done = runCli({"self-test", "--keep", file("f")});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("cannot be made: "));
    EXPECT_THAT(done.err, Not(HasSubstr("Success")));
}

TEST_F(TerminalText, AnOptionsNameStandsOnce) {
    const Finished done = runCli({"check", "-", "--memory-limit", "0"}, "{}");
    EXPECT_THAT(done.err, HasSubstr("check: --memory-limit: '0' is no memory limit")) << done.err;
}

/// No thread has room for a stack of that size: what a limit of threads does to anybody but root.
TEST_F(TerminalText, AThreadThatCannotBeStartedIsNamedWithWhatToDo) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SKIP_AS_MEANINGLESS("a sanitizer starts threads of its own and ends the program itself");
#endif
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_STACK, &before), 0);
    rlimit huge = before;
    huge.rlim_cur = rlim_t{1} << 48;
    if (before.rlim_max != RLIM_INFINITY && before.rlim_max < huge.rlim_cur)
        SKIP_AS_MEANINGLESS("the stack's limit cannot be raised here");
    ASSERT_EQ(::setrlimit(RLIMIT_STACK, &huge), 0);
    std::vector<Finished> all;
    for (const char* preset : {"quick", "thesis"})
        all.push_back(
            runCli({"run", "-", "--out", file(preset), "--preset", preset}, poolingExperiment(16, 2).dump()));
    ASSERT_EQ(::setrlimit(RLIMIT_STACK, &before), 0);
    const auto named = AllOf(HasSubstr("a thread cannot be started: Resource temporarily unavailable"),
                             HasSubstr("fewer threads"), HasSubstr("ulimit -u"));
    for (const Finished& done : all) {
        EXPECT_EQ(done.exitCode, 1) << done.err;
        EXPECT_THAT(done.err, named);
    }
    for (const char* preset : {"quick", "thesis"}) // the first thread is the file's own
        EXPECT_FALSE(std::filesystem::exists(file(preset))) << "a run file that does not say how it ended";
}

} // namespace
} // namespace heteroscope::process_test
