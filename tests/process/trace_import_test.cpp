// SPDX-License-Identifier: Apache-2.0
// What trace import leaves out is told by the run file it writes, which the program can always read.
#include "compute/base/json.h"
#include "tests/process/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace heteroscope::process_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string kImportedSpan = R"({"ph":"X","name":"x","ts":0,"dur":1,"pid":1,"tid":1})";

class TraceImport : public testing::Test {
  protected:
    Finished import(const std::string& text) const {
        writeText(m_folder.file("t.json"), text);
        Finished done = runCli({"trace", "import", m_folder.file("t.json"), m_run});
        EXPECT_EQ(done.exitCode, 0) << done.err;
        return done;
    }
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

} // namespace
} // namespace heteroscope::process_test
