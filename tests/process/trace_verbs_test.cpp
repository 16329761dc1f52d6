// SPDX-License-Identifier: Apache-2.0
// trace info, stats, export and import, and compare, on run files that the program wrote.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/chrome_rules.h"
#include "tests/support/unexplained_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <memory>
#include <tuple>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

/// One run, recorded once for all tests of it; each test writes files of its own beside it.
class RecordedRun : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        s_folder = std::make_unique<TemporaryFolder>();
        const Finished done =
            runCli({"run", "-", "--out", s_folder->file("a.hscope")}, poolingExperiment(128, 6).dump());
        ASSERT_EQ(done.exitCode, 0) << done.err;
    }
    static void TearDownTestSuite() { s_folder.reset(); }
    /// A damaged file is told of with the exit code as well, after what could be read.
    Json info(const std::string& file) const {
        const Finished done = runCli({"trace", "info", file, "--json"});
        const Json record = Json::parse(done.out);
        EXPECT_EQ(done.exitCode, record.at("state") == "damaged" ? 2 : 0) << done.err;
        return record;
    }

    static inline std::unique_ptr<TemporaryFolder> s_folder;
    const TemporaryFolder& m_folder = *s_folder;
    const std::string m_file = s_folder->file("a.hscope");
};

TEST_F(RecordedRun, infoTellsWhatIsInIt) {
    const Json record = info(m_file);
    EXPECT_EQ(record.at("name"), "process test");
    EXPECT_EQ(record.at("state"), "whole");
    EXPECT_EQ(record.at("end_status"), "done");
    EXPECT_EQ(record.at("runs"), 2);
    EXPECT_EQ(record.at("runs_by_status").at("ok"), 2);
    EXPECT_GT(record.at("spans").get<int>(), 10);
    EXPECT_EQ(record.at("bytes_read").get<std::size_t>(), readText(m_file).size());
    EXPECT_THAT(runCli({"trace", "info", m_file}).out, HasSubstr("whole, ended as done"));
}

TEST_F(RecordedRun, infoTellsOfAFileThatWasStoppedOrDamaged) {
    const std::string whole = readText(m_file);
    writeText(m_folder.file("short.hscope"), whole.substr(0, whole.size() * 2 / 3));
    const Json record = info(m_folder.file("short.hscope"));
    EXPECT_NE(record.at("state"), "whole");
    EXPECT_THAT(runCli({"trace", "info", m_folder.file("short.hscope")}).out, HasSubstr("byte"));
    std::size_t damagedFiles = 0;
    constexpr std::size_t kPlaces =
        24; // a wrong length in a frame's 12 bytes of header is as if the rest were missing
    for (std::size_t at = whole.size() / 2; at < whole.size() / 2 + kPlaces; ++at) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        writeText(m_folder.file("damaged.hscope"), damaged);
        const Json told = info(m_folder.file("damaged.hscope"));
        EXPECT_NE(told.at("state"), "whole") << "byte " << at;
        if (told.at("state") != "damaged")
            continue;
        EXPECT_THAT(told.at("damage").get<std::string>(), HasSubstr("byte"));
        ++damagedFiles;
    }
    EXPECT_GE(damagedFiles, kPlaces - 12);
    writeText(m_folder.file("not.hscope"), "this is no run file, whatever its name says");
    const Finished done = runCli({"trace", "info", m_folder.file("not.hscope")});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("byte 0"));
}

/// One sentence about one file, wherever it is asked for.
TEST_F(RecordedRun, whatIsNotWholeIsToldByEachVerbAlike) {
    const std::string whole = readText(m_file);
    std::string flipped = whole;
    flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 0x10);
    const std::string path = m_folder.file("part.hscope"), to = m_folder.file("part");
    for (const std::string& bytes :
         {flipped, whole.substr(0, whole.size() * 2 / 3), whole.substr(0, whole.size() - 1)}) {
        writeText(path, bytes);
        const Json known = info(path);
        const auto sentence = known.at("state_sentence").get<std::string>();
        EXPECT_THAT(runCli({"trace", "info", path}).out, HasSubstr(sentence));
        EXPECT_THAT(runCli({"trace", "stats", path}).out, testing::StartsWith("state  " + sentence + "\n"));
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"trace", "stats", path, "--csv"},
              {"trace", "export", path, to + ".json"},
              {"trace", "export", path, to + ".csv"},
              {"compare", m_file, path}}) {
            const Finished done = runCli(words);
            EXPECT_EQ(done.exitCode, known.at("state") == "damaged" ? 2 : 0) << done.err;
            EXPECT_THAT(done.err, HasSubstr(path + " is " + sentence)) << testing::PrintToString(words);
        }
        ASSERT_EQ(runCli({"trace", "export", path, to + ".results", "--format", "results"}).exitCode,
                  known.at("state") == "damaged" ? 2 : 0);
        const Json compared = Json::parse(runCli({"compare", m_file, path, "--json"}).out);
        EXPECT_EQ(compared.at("state_a").at("state"), "whole");
        for (const Json& record : {Json::parse(runCli({"trace", "stats", path, "--json"}).out),
                                   Json::parse(readText(to + ".results")), compared.at("state_b")}) {
            for (const char* field : {"state", "state_sentence"})
                EXPECT_EQ(record.at(field), known.at(field));
            EXPECT_EQ(record.value("damage", ""), known.value("damage", ""));
        }
    }
}

TEST_F(RecordedRun, aFileOfWhichNoRecordCanBeReadIsRefusedAndNothingIsWritten) {
    std::string broken = readText(m_file);
    broken[100] = static_cast<char>(broken[100] ^ 0x01);
    const std::string path = m_folder.file("broken.hscope"), to = m_folder.file("broken.csv");
    writeText(path, broken);
    for (const std::vector<std::string>& words : {std::vector<std::string>{"trace", "info", path},
                                                  {"trace", "info", path, "--json"},
                                                  {"trace", "stats", path},
                                                  {"trace", "export", path, to},
                                                  {"compare", path, m_file},
                                                  {"compare", m_file, path}}) {
        const Finished done = runCli(words);
        EXPECT_EQ(done.exitCode, 2) << testing::PrintToString(words);
        EXPECT_EQ(done.out, "") << testing::PrintToString(words);
        EXPECT_THAT(done.err, HasSubstr("byte 16: expected checksum")) << testing::PrintToString(words);
    }
    EXPECT_FALSE(std::filesystem::exists(to));
}

TEST_F(RecordedRun, infoSaysThatLossesAreNotKnownWhereTheEndIsMissing) {
    EXPECT_THAT(runCli({"trace", "info", m_file}).out, HasSubstr("nothing was lost"));
    EXPECT_EQ(info(m_file).at("data_quality").at("complete"), true);
    const std::string whole = readText(m_file), path = m_folder.file("lost.hscope");
    std::string damaged = whole;
    damaged[whole.size() / 2] = static_cast<char>(~damaged[whole.size() / 2]);
    for (const auto& [bytes, gap] :
         {std::pair(whole.substr(0, whole.size() / 2), "incomplete: the recording ends early"),
          std::pair(damaged, "incomplete: the recording is damaged")}) {
        writeText(path, bytes);
        const std::string text = runCli({"trace", "info", path}).out;
        EXPECT_THAT(text, HasSubstr(gap));
        EXPECT_THAT(text, testing::Not(HasSubstr("nothing was lost")));
        EXPECT_EQ(info(path).at("data_quality").at("complete"), false);
    }
}

TEST_F(RecordedRun, bytesBehindTheEndAreDamageOfAFileWhoseRunWasDone) {
    const std::string whole = readText(m_file), path = m_folder.file("longer.hscope");
    writeText(path, whole + "garbage.");
    const Json record = info(path);
    EXPECT_EQ(record.at("state"), "damaged");
    EXPECT_EQ(record.at("end_status"), "done");
    EXPECT_EQ(record.at("whole_bytes"), whole.size());
    EXPECT_EQ(record.at("bytes_read"), whole.size() + 8);
    const auto sentence = record.at("state_sentence").get<std::string>();
    EXPECT_THAT(sentence, HasSubstr("byte " + std::to_string(whole.size()) +
                                    ": 8 bytes follow behind the end of the recording, which is complete"));
    EXPECT_THAT(sentence, HasSubstr("the run had ended as done"));
    EXPECT_EQ(record.at("trailing_bytes"), 8);
    EXPECT_EQ(record.at("data_quality").at("complete"), true);
    const std::string text = runCli({"trace", "info", path}).out;
    EXPECT_THAT(text, HasSubstr(sentence));
    EXPECT_THAT(text, HasSubstr("nothing was lost; 8 bytes follow its end"));
    EXPECT_THAT(text, testing::Not(HasSubstr("incomplete")));
    EXPECT_THAT(runCli({"trace", "stats", path}).out, HasSubstr(sentence));
    const Json stats = Json::parse(runCli({"trace", "stats", path, "--json"}).out);
    EXPECT_EQ(stats.at("trailing_bytes"), 8);
    EXPECT_EQ(stats.at("state_sentence"), sentence);
    writeText(path, whole + std::string(3 << 20, 'x')); // longer than what is read at a time
    EXPECT_EQ(info(path).at("trailing_bytes"), 3 << 20);
}

TEST_F(RecordedRun, everyDamageSaysWhatToDo) {
    const std::string whole = readText(m_file), path = m_folder.file("advised.hscope");
    for (const std::size_t at : {std::size_t{3}, std::size_t{9}, std::size_t{20}, std::size_t{22},
                                 std::size_t{100}, whole.size() / 2, whole.size() - 3}) {
        std::string broken = whole;
        broken[at] = static_cast<char>(~broken[at]);
        writeText(path, broken);
        const Finished done = runCli({"trace", "info", path});
        EXPECT_EQ(done.exitCode, 2) << at;
        EXPECT_THAT(done.err, testing::ContainsRegex("copy the file again|choose a .hscope file|"
                                                     "open it with the version"))
            << at;
    }
}

TEST_F(RecordedRun, anEmptyFileIsNoStoppedRun) {
    const std::string path = m_folder.file("empty.hscope");
    writeText(path, "");
    for (const std::string verb : {"info", "stats"}) {
        const Finished done = runCli({"trace", verb, path});
        EXPECT_EQ(done.exitCode, 2);
        EXPECT_THAT(done.err, HasSubstr("the file is empty"));
        EXPECT_THAT(done.err, HasSubstr("may have left it: copy it again"));
        EXPECT_THAT(done.err, testing::Not(HasSubstr("stopped")));
    }
    writeText(path, readText(m_file).substr(0, 16));
    EXPECT_THAT(runCli({"trace", "info", path}).out,
                HasSubstr("stopped early: it holds its header and no record"));
}

/// What its run did where the damage begins is not what it was doing at the end.
TEST_F(RecordedRun, activityIsToldOfRecordingsThatStopInTheMiddle) {
    const std::string whole = readText(m_file), path = m_folder.file("middle.hscope");
    std::size_t cut = 0; // behind an Activity frame
    for (std::size_t at = 16; at + 12 < whole.size();) {
        const auto length = static_cast<std::size_t>(static_cast<unsigned char>(whole[at]) |
                                                     static_cast<unsigned char>(whole[at + 1]) << 8 |
                                                     static_cast<unsigned char>(whole[at + 2]) << 16);
        at += 12 + length;
        if (cut == 0 && whole[at - 12 - length + 4] == 19)
            cut = at;
    }
    ASSERT_GT(cut, 0u);
    writeText(path, whole.substr(0, cut));
    for (const std::string verb : {"info", "stats"})
        EXPECT_THAT(runCli({"trace", verb, path}).out, HasSubstr("; it was computing run 0")) << verb;
    EXPECT_TRUE(info(path).contains("activity"));
    writeText(path, whole.substr(0, cut) + std::string(40, 'x'));
    for (const std::string verb : {"info", "stats"}) {
        const std::string text = runCli({"trace", verb, path}).out;
        EXPECT_THAT(text, HasSubstr("damaged: ")) << verb;
        EXPECT_THAT(text, testing::Not(HasSubstr("computing"))) << verb;
    }
    EXPECT_FALSE(info(path).contains("activity"));
}

TEST(LiveRecording, isBeingWrittenAndItsRunsAreRunning) {
    const TemporaryFolder folder;
    const std::string path = folder.file("live.hscope");
    ChildProcess child({"run", "-", "--stream", "--out", path});
    child.write(poolingExperiment(256, 100000).dump() + "\n");
    while (sampleKeys(studyFromBytes(child.out())).size() < 3)
        ASSERT_TRUE(child.pump(Milliseconds(30000 * kTimeFactor))) << child.err();
    const Json live = Json::parse(runCli({"trace", "info", path, "--json"}).out);
    EXPECT_EQ(live.at("state"), "being written");
    EXPECT_TRUE(live.at("runs_by_status").contains("running")) << live.at("runs_by_status");
    EXPECT_THAT(runCli({"trace", "info", path}).out, HasSubstr("incomplete: the recording is being written"));
    child.signal(SIGKILL);
    child.finish();
    const Json dead = Json::parse(runCli({"trace", "info", path, "--json"}).out);
    EXPECT_EQ(dead.at("state"), "stopped early");
    EXPECT_TRUE(dead.at("runs_by_status").contains("unfinished")) << dead.at("runs_by_status");
    EXPECT_FALSE(dead.at("runs_by_status").contains("running")) << dead.at("runs_by_status");
    const std::string to = folder.file("dead.json");
    ASSERT_EQ(runCli({"trace", "export", path, to, "--format", "results"}).exitCode, 0);
    const Json results = Json::parse(readText(to));
    EXPECT_EQ(results.at("state"), "stopped early");
    EXPECT_EQ(results.at("runs").at(0).at("status"), "unfinished");
}

TEST_F(RecordedRun, statsOfAPartCountOnlyWhatIsInIt) {
    const Json whole = Json::parse(runCli({"trace", "stats", m_file, "--json"}).out);
    const auto wall = whole.at("wall_ns").get<std::int64_t>();
    const std::string half = std::to_string(wall / 2) + "ns";
    const Json first = Json::parse(runCli({"trace", "stats", m_file, "--json", "--to", half}).out);
    const Json second = Json::parse(runCli({"trace", "stats", m_file, "--json", "--from", half}).out);
    EXPECT_EQ(first.at("wall_ns"), wall / 2);
    EXPECT_EQ(first.at("wall_ns").get<std::int64_t>() + second.at("wall_ns").get<std::int64_t>(), wall);
    for (std::size_t i = 0; i < whole.at("tracks").size(); ++i)
        EXPECT_EQ(first.at("tracks")[i].at("busy_ns").get<std::int64_t>() +
                      second.at("tracks")[i].at("busy_ns").get<std::int64_t>(),
                  whole.at("tracks")[i].at("busy_ns"));
    for (const auto& [from, to, exitCode] : {std::tuple("soon", "1", 64),
                                             {"1", "-1", 64},
                                             {"100000", "x", 64},
                                             {"10us", "5us", 2},
                                             {"100000", "100001", 2}}) {
        const Finished refused = runCli({"trace", "stats", m_file, "--from", from, "--to", to});
        EXPECT_EQ(refused.exitCode, exitCode) << from << " " << to;
        EXPECT_THAT(refused.err, HasSubstr("allowed"));
    }
}

TEST_F(RecordedRun, statsHaveARooflineOfTheOps) {
    const Json roofline = Json::parse(runCli({"trace", "stats", m_file, "--json"}).out).at("roofline");
    ASSERT_EQ(roofline.at("ops").size(), 2u); // one op on two targets
    for (const Json& op : roofline.at("ops")) {
        EXPECT_EQ(op.at("op"), "maxpool.forward");
        EXPECT_DOUBLE_EQ(op.at("bytes").get<double>(), 4.0 * (128 * 128 + 64 * 64));
        EXPECT_DOUBLE_EQ(op.at("flops").get<double>(), 3.0 * 64 * 64);
        EXPECT_GT(op.at("time_ns").at("median").get<double>(), 0);
        EXPECT_EQ(op.at("bound"), "none");
    }
    EXPECT_THAT(runCli({"trace", "stats", m_file}).out,
                HasSubstr("no memory roof: not measured on this machine"));
}

TEST_F(RecordedRun, statsAddUpByName) {
    const Json stats = Json::parse(runCli({"trace", "stats", m_file, "--json"}).out);
    ASSERT_FALSE(stats.at("spans").empty());
    std::int64_t count = 0;
    for (const Json& row : stats.at("spans")) {
        count += row.at("count").get<std::int64_t>();
        EXPECT_LE(row.at("min_ns").get<std::int64_t>(), row.at("max_ns").get<std::int64_t>());
        EXPECT_LE(row.at("max_ns").get<std::int64_t>(), row.at("total_ns").get<std::int64_t>());
    }
    EXPECT_EQ(count, info(m_file).at("spans").get<std::int64_t>());
    const auto wall = stats.at("wall_ns").get<std::int64_t>();
    EXPECT_GT(wall, 0);
    ASSERT_FALSE(stats.at("tracks").empty());
    for (const Json& track : stats.at("tracks")) {
        const auto busy = track.at("busy_ns").get<std::int64_t>(),
                   idle = track.at("idle_ns").get<std::int64_t>();
        EXPECT_EQ(busy + idle, wall) << track;
        EXPECT_GE(idle, 0) << track;
    }
    EXPECT_THAT(runCli({"trace", "stats", m_file, "--csv"}).out,
                testing::StartsWith("name,category,count,total_ns,min_ns,max_ns\n"));
    const std::string text = runCli({"trace", "stats", m_file}).out;
    EXPECT_THAT(text, HasSubstr("maxpool.forward"));
    EXPECT_THAT(text, testing::StartsWith("wall time "));
    EXPECT_THAT(text, HasSubstr("busy + idle = wall time"));
}

TEST_F(RecordedRun, exportsAndImportsChromeTraces) {
    const std::string chrome = m_folder.file("c.json"), back = m_folder.file("b.hscope");
    ASSERT_EQ(runCli({"trace", "export", m_file, chrome}).exitCode, 0);
    const Json document = Json::parse(readText(chrome));
    const Json& events = document.is_array() ? document : document.at("traceEvents");
    EXPECT_GT(events.size(), 10u);
    EXPECT_THAT(test::brokenChromeRules(readText(chrome)), testing::IsEmpty());
    const Finished imported = runCli({"trace", "import", chrome, back});
    ASSERT_EQ(imported.exitCode, 0) << imported.err;
    EXPECT_EQ(info(back).at("spans"), info(m_file).at("spans"));
    EXPECT_EQ(info(back).at("state"), "whole");
    writeText(m_folder.file("bad.json"), "this is no trace");
    const Finished bad = runCli({"trace", "import", m_folder.file("bad.json"), m_folder.file("x.hscope")});
    EXPECT_EQ(bad.exitCode, 2);
    EXPECT_THAT(bad.err, HasSubstr("bad.json"));
}

/// Threads, copies of every window and counters, as a person would send them to Perfetto.
TEST_F(RecordedRun, exportedRunsObeyTheRulesOfTheViewers) {
    Json windows = poolingExperiment(64, 2);
    windows["pooling"]["strategy"] = "window";
    writeText(m_folder.file("windows.json"), windows.dump());
    for (const std::string& experiment : {examplePath("demo.json"), m_folder.file("windows.json")}) {
        const std::string run = m_folder.file("e.hscope"), chrome = m_folder.file("e.json");
        const Finished done = runCli({"run", experiment, "--samples", "2", "--out", run});
        ASSERT_EQ(done.exitCode, 0) << done.err;
        ASSERT_EQ(runCli({"trace", "export", run, chrome}).exitCode, 0);
        EXPECT_THAT(test::brokenChromeRules(readText(chrome)), testing::IsEmpty()) << experiment;
    }
}

TEST_F(RecordedRun, exportsResults) {
    ASSERT_EQ(runCli({"trace", "export", m_file, m_folder.file("r.json"), "--format", "results"}).exitCode,
              0);
    EXPECT_EQ(Json::parse(readText(m_folder.file("r.json"))).at("format"), "heteroscope-results");
    ASSERT_EQ(runCli({"trace", "export", m_file, m_folder.file("r.csv")}).exitCode, 0);
    EXPECT_THAT(readText(m_folder.file("r.csv")), testing::StartsWith("run,target,"));
}

TEST_F(RecordedRun, comparesRunByRun) {
    const std::string other = m_folder.file("o.hscope");
    ASSERT_EQ(runCli({"run", "-", "--out", other, "--set", "/name=other"}, poolingExperiment(128, 6).dump())
                  .exitCode,
              0);
    const Finished done = runCli({"compare", m_file, other, "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json comparison = Json::parse(done.out);
    ASSERT_EQ(comparison.at("runs").size(), 2u);
    for (const Json& run : comparison.at("runs")) {
        EXPECT_GT(run.at("ratio").get<double>(), 0.0);
        EXPECT_EQ(run.at("ci95").size(), 2u);
        EXPECT_TRUE(run.at("verdict").is_string());
    }
    EXPECT_THAT(comparison.at("differences").dump(), HasSubstr("name"));
    EXPECT_THAT(profiling::test::unexplained(Json::parse(done.out, nullptr, false), "compare"),
                testing::IsEmpty());
    EXPECT_THAT(runCli({"compare", m_file, other}).out, HasSubstr("what differs:"));
    EXPECT_EQ(runCli({"compare", m_file, m_folder.file("none.hscope")}).exitCode, 2);
}

/// A kernel between two copies and a wait, in the words of a recording of a GPU, as a Chrome trace.
std::string deviceTrace() {
    return R"({"traceEvents":[
{"ph":"X","name":"cudaMemcpyAsync","cat":"call","pid":1,"tid":1,"ts":0,"dur":10},
{"ph":"X","name":"1.0 MiB","cat":"copy host to device, pageable","pid":1,"tid":2,"ts":10,"dur":100,"args":{"bytes":1048576,"op":"gemm"}},
{"ph":"X","name":"gemm","cat":"kernel","pid":1,"tid":3,"ts":120,"dur":50,"args":{"grid":"8 x 1 x 1","block":"256 x 1 x 1","registers per thread":32}},
{"ph":"X","name":"1.0 MiB","cat":"copy device to host, pinned","pid":1,"tid":4,"ts":170,"dur":50,"args":{"bytes":1048576}},
{"ph":"X","name":"host waits for a stream","cat":"wait","pid":1,"tid":5,"ts":20,"dur":200}]})";
}

TEST(TraceVerbs, statsTellsOfTransfersAndGivesAdviceWhenADeviceWorked) {
    const TemporaryFolder folder;
    writeText(folder.file("device.json"), deviceTrace());
    ASSERT_EQ(runCli({"trace", "import", folder.file("device.json"), folder.file("d.hscope")}).exitCode, 0);
    const std::string text = runCli({"trace", "stats", folder.file("d.hscope")}).out;
    EXPECT_THAT(text, HasSubstr("host to device  pageable"));
    EXPECT_THAT(text, HasSubstr("21.0 GB/s (pinned)"));
    EXPECT_THAT(text, HasSubstr("Advice\n"));
    const Finished json = runCli({"trace", "stats", folder.file("d.hscope"), "--json"});
    const Json device = Json::parse(json.out).at("device");
    EXPECT_EQ(device.at("transfers").at("groups").at(0).at("bytes"), 1048576);
    EXPECT_EQ(device.at("transfers").at("ops").at(0).at("op"), "gemm");
    EXPECT_EQ(device.at("advice").at(0).at("rule"), "unlinked-work");
}

TEST_F(RecordedRun, statsSaysNothingOfDevicesThatWereNotUsed) {
    EXPECT_FALSE(Json::parse(runCli({"trace", "stats", m_file, "--json"}).out).contains("device"));
    EXPECT_THAT(runCli({"trace", "stats", m_file}).out, testing::Not(HasSubstr("Advice")));
}

} // namespace
} // namespace heteroscope::process_test
