// SPDX-License-Identifier: Apache-2.0
// Stop rules and notes stand in run files as codes with values, and their sentences follow from these; what
// is not known of them falls back on the sentence that stands beside.
#include "profiling/analysis/recorded_phrase.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/study_notes.h"
#include "tests/support/run_sentences.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>

#include <limits>
#include <set>

namespace heteroscope::profiling {
namespace {

namespace test = heteroscope::test;
using test::RunSentence;
using ::testing::HasSubstr;

bool isSaid(const Phrase& phrase) {
    return !phrase.isGiven || std::any_of(phrase.arguments.begin(), phrase.arguments.end(), isSaid);
}

/// Written and read again, with sentences that say something else.
Study readBack(const Json& stoppedBy, const Json& environment) {
    testing::Bytes bytes;
    const auto writer = testing::writerInto(bytes);
    StudyRun run;
    run.target = "cpu/openmp";
    run.status = StudyRunStatus::Ok;
    run.stopRule = "as recorded";
    run.stoppedBy = stoppedBy;
    EXPECT_TRUE(writer->begin(testing::header()) && writer->environment(environment) && writer->run(run) &&
                writer->runEnd(run) && writer->end("done", ""));
    const testing::TemporaryFile file(bytes);
    const auto read = readRunFile(file.path());
    EXPECT_TRUE(read && !read->damage);
    return read ? read->study : Study();
}

/// That of the only run.
Phrase ruleOf(const Json& stoppedBy) {
    return stopRulePhrase(readBack(stoppedBy, Json::object()).runs.at(0));
}

Phrase noteOf(const Json& code) {
    const auto notes =
        environmentNotes(readBack(Json(), {{"notes", {"as recorded"}}, {"note_codes", Json::array({code})}}));
    return notes.size() == 1 ? notes.front() : Phrase("other than one note");
}

TEST(RunCodes, EveryStopRuleComesBackAndSaysWhatItIs) {
    std::set<std::string> seen;
    for (const RunSentence& each : test::stopSentences()) {
        const Study study = readBack(each.codes, Json::object());
        EXPECT_EQ(study.runs.at(0).stoppedBy, each.codes);
        const Phrase said = stopRulePhrase(study.runs.at(0));
        EXPECT_EQ(said.text(), each.english);
        EXPECT_TRUE(isSaid(said)) << each.english;
        for (const Json& rule : each.codes.at("rules"))
            seen.insert(rule.at("code").get<std::string>());
        EXPECT_EQ(endedByTimeLimit(study.runs.at(0)),
                  each.codes.dump().find("time_limit\"") != std::string::npos)
            << each.english;
        const Json results = resultsToJson(study, summarizeStudy(study)).at("runs").at(0);
        EXPECT_EQ(results.at("stop_rule"), each.english);
        EXPECT_EQ(results.at("stopped_by"), each.codes);
    }
    EXPECT_EQ(seen, std::set<std::string>(kStopCodes.begin(), kStopCodes.end()));
}

TEST(RunCodes, EveryNoteComesBackAndSaysWhatItIs) {
    std::set<std::string> seen, causes;
    for (const RunSentence& each : test::noteSentences()) {
        Json environment = Json::object();
        addNote(environment, each.codes);
        EXPECT_EQ(environment, (Json{{"notes", {each.english}}, {"note_codes", Json::array({each.codes})}}));
        const Study study = readBack(Json(), environment);
        EXPECT_EQ(study.environment, environment);
        ASSERT_EQ(environmentNotes(study).size(), 1u);
        EXPECT_EQ(environmentNotes(study).front(), each.english);
        EXPECT_TRUE(isSaid(environmentNotes(study).front())) << each.english;
        EXPECT_EQ(noteOf(each.codes), each.english);
        seen.insert(each.codes.at("code").get<std::string>());
        if (each.codes.contains("cause"))
            causes.insert(each.codes.at("cause").get<std::string>());
    }
    EXPECT_EQ(seen, std::set<std::string>(kNoteCodes.begin(), kNoteCodes.end()));
    EXPECT_EQ(causes, std::set<std::string>(kFewProcessesCauses.begin(), kFewProcessesCauses.end()));
}

/// What was one of these sentences before there were codes is still said in every language.
TEST(RunCodes, TheSentencesAloneAreTakenApart) {
    auto all = test::stopSentences();
    for (const RunSentence& each : test::noteSentences())
        all.push_back(each);
    for (const RunSentence& each : all) {
        EXPECT_EQ(recordedPhrase(each.english), each.english);
        EXPECT_TRUE(isSaid(recordedPhrase(each.english))) << each.english;
    }
}

const Json& wrongValues() {
    static const Json values{nullptr,
                             true,
                             -1,
                             1e300,
                             std::numeric_limits<std::uint64_t>::max(),
                             "",
                             Json::array(),
                             {nullptr},
                             Json::object(),
                             {{"code", 3}},
                             std::numeric_limits<double>::quiet_NaN()};
    return values;
}

/// Each value of the document in turn replaced by each wrong one, and left out.
std::vector<Json> damaged(const Json& whole) {
    std::vector<Json> all;
    const Json flat = whole.flatten();
    for (const auto& [pointer, value] : flat.items())
        for (Json::json_pointer place(pointer); !place.empty(); place.pop_back()) {
            Json without = whole;
            if (without[place.parent_pointer()].is_object()) {
                without[place.parent_pointer()].erase(place.back());
                all.push_back(without);
            }
            for (const Json& wrong : wrongValues()) {
                all.push_back(whole);
                all.back()[place] = wrong;
            }
        }
    return all;
}

TEST(RunCodes, WhatIsNotKnownShowsTheSentenceThatIsRecorded) {
    const Json rule{{"code", "of_a_later_version"}, {"samples", {3}}};
    for (const Json& stopped :
         {Json(), Json(7), Json("time_limit"), Json::array(), Json::object(), Json{{"rules", 3}},
          Json{{"rules", Json::array()}}, Json{{"rules", Json::array({rule})}},
          Json{{"rules", {nullptr, "sample_count"}}}})
        EXPECT_EQ(ruleOf(stopped), "as recorded") << stopped;
    Json both = stoppedBySampleCount(5);
    both["rules"].push_back(rule);
    EXPECT_EQ(ruleOf(both), "as recorded") << "a part of it would be another rule";
    Json many = stoppedBySampleCount(5);
    many["rules"] = std::vector<Json>(100000, many["rules"].at(0));
    EXPECT_EQ(ruleOf(many), "as recorded");
    for (const Json& note : {Json(), Json(7), Json("debug_build"), Json::array(), Json::object(), rule})
        EXPECT_EQ(noteOf(note), "as recorded") << note;
}

TEST(RunCodes, DamagedValuesShowTheSentenceThatIsRecordedOrARuleWithoutThem) {
    int recorded = 0;
    for (const RunSentence& each : test::stopSentences())
        for (const Json& stopped : damaged(each.codes)) {
            StudyRun run;
            run.stopRule = "as recorded";
            run.stoppedBy = stopped;
            const std::string text = stopRulePhrase(run).text();
            recorded += text == "as recorded" ? 1 : 0;
            EXPECT_THAT(text, ::testing::Not(HasSubstr("%1")));
            EXPECT_THAT(text, ::testing::Not(HasSubstr("nan")));
            EXPECT_FALSE(text.empty()) << stopped;
            (void)endedByTimeLimit(run);
        }
    EXPECT_GT(recorded, 500);
    for (const RunSentence& each : test::noteSentences())
        for (const Json& note : damaged(each.codes)) {
            Study study;
            study.environment = {{"notes", {"as recorded"}}, {"note_codes", Json::array({note})}};
            const auto notes = environmentNotes(study);
            ASSERT_EQ(notes.size(), 1u);
            EXPECT_THAT(notes.front().text(), ::testing::Not(HasSubstr("nan")));
        }
}

TEST(RunCodes, NotesWithoutCodesAndCodesWithoutNotesDoNotShift) {
    Study study;
    study.environment = {{"notes", {3, "first", "second"}},
                         {"note_codes", {nullptr, debugBuildNote(), 7, debugBuildNote()}}};
    const auto notes = environmentNotes(study);
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_EQ(notes[0], test::noteSentences().front().english);
    EXPECT_EQ(notes[1], "second");
    for (const Json& codes : {Json(), Json("debug_build"), Json{{"code", "debug_build"}}}) {
        study.environment = {{"notes", {"first"}}, {"note_codes", codes}};
        ASSERT_EQ(environmentNotes(study).size(), 1u);
        EXPECT_EQ(environmentNotes(study).front(), "first");
    }
}

} // namespace
} // namespace heteroscope::profiling
