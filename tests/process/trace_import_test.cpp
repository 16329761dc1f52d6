// SPDX-License-Identifier: Apache-2.0
// What trace import leaves out is told by the run file it writes, which the program can always read.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace heteroscope::process_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kImportedSpan = R"({"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":1})";

class TraceImport : public testing::Test {
  protected:
    Finished attempt(const std::string& text, const std::vector<std::string>& more = {}) const {
        writeText(m_folder.file("t.json"), text);
        std::vector<std::string> words{"trace", "import", m_folder.file("t.json"), m_run};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words);
    }
    Finished import(const std::string& text, const std::vector<std::string>& more = {}) const {
        Finished done = attempt(text, more);
        EXPECT_EQ(done.exitCode, 0) << done.err;
        return done;
    }
    bool runExists() const { return std::filesystem::exists(m_run); }
    const std::string& runFile() const { return m_run; }
    std::string file(const std::string& name) const { return m_folder.file(name); }
    std::string infoText() const { return infoOf({"trace", "info", m_run}); }
    Json info() const { return Json::parse(infoOf({"trace", "info", m_run, "--json"})); }

  private:
    static std::string infoOf(const std::vector<std::string>& words) {
        const Finished done = runCli(words);
        EXPECT_EQ(done.exitCode, 0) << done.err;
        return done.out;
    }

    const TemporaryFolder m_folder;
    const std::string m_run = m_folder.file("t.hscope");
};

TEST_F(TraceImport, theRunFileTellsThatTheSourceWasCut) {
    import("[" + kImportedSpan + ",{\"ph\":\"X\"");
    EXPECT_THAT(infoText(), Not(HasSubstr("nothing was lost")));
    EXPECT_THAT(infoText(), HasSubstr("is cut off"));
    EXPECT_THAT(info().at("data_quality").at("notes"), ElementsAre(HasSubstr("is cut off")));
}

TEST_F(TraceImport, theRunFileTellsHowManyEventsWereSkipped) {
    import("[" + kImportedSpan + R"(,{"ph":"X","name":"y","ts":5,"dur":-3,"pid":1,"tid":1}])");
    EXPECT_THAT(infoText(), HasSubstr("1 events dropped"));
    EXPECT_THAT(infoText(), HasSubstr("is negative"));
    EXPECT_EQ(info().at("data_quality").at("dropped_events"), 1);
}

TEST_F(TraceImport, moreTracksThanARunFileHoldsAreLeftOut) {
    constexpr int kThreads = 16390, kFitting = 16383;
    std::string text = "[";
    for (int i = 0; i < kThreads; ++i)
        text += (i > 0 ? R"(,{"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":)"
                       : R"({"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":)") +
                std::to_string(i) + "}";
    EXPECT_THAT(import(text + "]").err, HasSubstr("16383 events imported, 7 skipped"));
    const Json record = info();
    EXPECT_EQ(record.at("state"), "whole");
    EXPECT_EQ(record.at("spans"), kFitting);
    EXPECT_EQ(record.at("tracks").size(), 16384u);
    EXPECT_EQ(record.at("data_quality").at("dropped_events"), 7);
}

TEST_F(TraceImport, everyListOfEventsIsRead) {
    EXPECT_THAT(
        import(R"({"traceEvents":[)" + kImportedSpan + R"(],"traceEvents":[)" + kImportedSpan + "]}").err,
        HasSubstr("2 events imported, 0 skipped"));
    EXPECT_THAT(infoText(), HasSubstr("nothing was lost"));
}

TEST_F(TraceImport, whatMatchesNothingIsCountedAsLost) {
    const std::string text =
        "[" + kImportedSpan +
        R"(,{"ph":"E","ts":5,"pid":1,"tid":1},{"ph":"B","name":"b","ts":6,"pid":1,"tid":1},)"
        R"({"ph":"s","name":"f","id":1,"ts":0,"pid":1,"tid":1}])";
    const Finished done = import(text, {"--json"});
    EXPECT_THAT(done.err, HasSubstr("2 events imported, 1 of them without an end, 2 skipped"));
    EXPECT_THAT(done.err, HasSubstr("1 end without a begin was left out"));
    EXPECT_THAT(done.err, HasSubstr("1 begin without an end: its span was cut at the end of the trace"));
    EXPECT_THAT(done.err, HasSubstr("1 flow event touches no span or has no counterpart"));
    const Json record = Json::parse(done.out);
    EXPECT_EQ(record.at("events"), 2);
    EXPECT_EQ(record.at("skipped"), 2);
    EXPECT_EQ(record.at("unfinished"), 1);
    EXPECT_EQ(record.at("losses").size(), 3u);
    EXPECT_EQ(info().at("data_quality").at("dropped_events"), 2);
    EXPECT_EQ(info().at("import").at("losses"), record.at("losses"));
}

TEST_F(TraceImport, whatHoldsNothingIsRefusedAndLeavesNoFile) {
    for (const std::string text : {R"([])", R"([{"ph":"E","ts":5,"pid":1,"tid":1}])",
                                   R"([{"ph":"X","name":"y","ts":5,"dur":-3,"pid":1,"tid":1}])",
                                   R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"p"}}])"}) {
        const Finished done = attempt(text);
        EXPECT_EQ(done.exitCode, 2) << text << done.err;
        EXPECT_THAT(done.err, HasSubstr("it holds no span and no counter value that can be shown")) << text;
        EXPECT_THAT(done.err, HasSubstr("was not written")) << text;
        EXPECT_FALSE(runExists()) << text;
    }
    import("[" + kImportedSpan + "]");
    const Finished done = attempt("[]");
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("is as it was"));
    EXPECT_EQ(info().at("spans"), 1);
}

/// A batch of spans whose arguments are more than one record of a run file can hold.
TEST_F(TraceImport, manyLongArgumentsAreKept) {
    constexpr int kSpans = repetitions(300, 10); // 98 s with the address sanitizer
    const std::string part(1 << 20, 'a');
    std::string text = "[";
    for (int i = 0; i < kSpans; ++i)
        text += (i > 0 ? "," : "") +
                std::string(R"({"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":1,"args":{"a":")") +
                std::to_string(i) + part + R"("}})";
    EXPECT_THAT(import(text + "]", {"--memory-limit", "4GiB"}).err,
                HasSubstr(std::to_string(kSpans) + " events imported, 0 skipped"));
    EXPECT_THAT(infoText(), HasSubstr("nothing was lost"));
    EXPECT_EQ(info().at("spans"), kSpans);
}

TEST_F(TraceImport, longNamesAndDeepArgumentsAreKept) {
    const std::string name(100000, 'n'), deep = std::string(2000, '[') + std::string(2000, ']');
    import(R"([{"ph":"X","name":")" + name + R"(","ts":0,"dur":1,"pid":1,"tid":1,"args":{"a":)" + deep +
           "}}]");
    const Finished chrome = runCli({"trace", "export", runFile(), file("back.json")});
    ASSERT_EQ(chrome.exitCode, 0) << chrome.err;
    const std::string back = readText(file("back.json"));
    EXPECT_NE(back.find('"' + name + '"'), std::string::npos);
    EXPECT_NE(back.find(deep), std::string::npos);
    EXPECT_THAT(infoText(), HasSubstr("nothing was lost"));
}

} // namespace
} // namespace heteroscope::process_test
