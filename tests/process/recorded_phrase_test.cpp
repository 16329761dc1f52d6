// SPDX-License-Identifier: Apache-2.0
// What this program writes into its run files is known to the window, which says it in its own language: of
// fresh runs and of the recordings that come with it by codes with values, of earlier ones by their English
// sentences.
#include "compute/base/run_note.h"
#include "compute/base/stop_rule.h"
#include "profiling/analysis/recorded_phrase.h"
#include "profiling/stream/stream_reader.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <heteroscope_paths.h>

namespace heteroscope::process_test {
namespace {

bool isSaid(const profiling::Phrase& phrase) {
    return !phrase.isGiven || std::any_of(phrase.arguments.begin(), phrase.arguments.end(), isSaid);
}

/// Of fresh files codes make them, of recordings of earlier versions the sentences.
enum class From { Codes, Sentences };

/// Returns how many sentences there were.
int expectKnownSentences(const std::string& path, From from) {
    const auto file = profiling::readRunFile(path);
    EXPECT_TRUE(file) << path;
    if (!file)
        return 0;
    const profiling::Study& study = file->study;
    int count = 0;
    for (const profiling::Phrase& note : profiling::environmentNotes(study)) {
        EXPECT_TRUE(isSaid(note)) << path << ": " << note.text();
        ++count;
    }
    for (const profiling::StudyRun& run : study.runs) {
        if (run.stopRule.empty())
            continue;
        EXPECT_TRUE(isSaid(profiling::stopRulePhrase(run))) << path << ": " << run.stopRule;
        EXPECT_EQ(profiling::stopRulePhrase(run), run.stopRule);
        EXPECT_EQ(stopPhrase(run.stoppedBy).empty(), from == From::Sentences) << run.stoppedBy;
        ++count;
    }
    if (from == From::Codes) {
        const Json& notes = study.environment.at("notes");
        const Json& codes = study.environment.at("note_codes");
        EXPECT_EQ(notes.size(), codes.size());
        for (std::size_t i = 0; i < std::min(notes.size(), codes.size()); ++i)
            EXPECT_EQ(notePhrase(codes.at(i)).text(), notes.at(i));
    }
    return count;
}

TEST(RecordedPhrase, KnowsWhatFreshRunsSay) {
    const TemporaryFolder folder;
    const std::string path = folder.file("r.hscope");
    const std::vector<std::vector<std::string>> ways{
        {},
        {"--samples", "1"},
        {"--preset", "standard", "--processes", "2", "--set", "/sampling/time_limit_s=0.2"},
        {"--samples", "100000", "--set", "/sampling/time_limit_s=0.1"}};
    for (const std::vector<std::string>& way : ways) {
        Json experiment = poolingExperiment(16, 6);
        if (!way.empty() && way[0] == "--preset")
            experiment["sampling"].erase("samples");
        std::vector<std::string> words{"run", "-", "--out", path};
        words.insert(words.end(), way.begin(), way.end());
        const Finished done = runCli(words, experiment.dump());
        ASSERT_EQ(done.exitCode, 0) << done.err;
        EXPECT_GE(expectKnownSentences(path, From::Codes), 2); // a rule of each target
    }
}

TEST(RecordedPhrase, KnowsWhatTrainingsSay) {
    const TemporaryFolder folder;
    const std::string path = folder.file("r.hscope");
    Json experiment = Json::parse(R"({"heteroscope": 1, "kind": "network", "task": "train",
        "data": {"source": "shapes", "count": 40, "test_count": 10, "validation_share": 0.25},
        "training": {"batch": 8, "epochs": 30, "patience": 1, "optimizer": {"learning_rate": 30}},
        "network": {"input": {"shape": [1, 8, 8]}, "layers": [{"type": "flatten"}, {"type": "dense", "units": 4}]},
        "targets": ["cpu/sequential"]})");
    for (const char* preset : {"quick", "standard"})
        for (const int patience : {0, 1}) {
            experiment["sampling"] = {{"preset", preset}};
            experiment["training"]["patience"] = patience;
            const Finished done = runCli({"run", "-", "--out", path}, experiment.dump());
            ASSERT_EQ(done.exitCode, 0) << done.err;
            EXPECT_GE(expectKnownSentences(path, From::Codes), 1);
        }
}

int expectKnownRecordings(const std::string& folder, std::string_view nameBegins, From from) {
    int files = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(HETEROSCOPE_SOURCE_DIR) + folder))
        if (entry.path().extension() == ".hscope" &&
            entry.path().filename().string().starts_with(nameBegins)) {
            ++files;
            EXPECT_GT(expectKnownSentences(entry.path().string(), from), 0) << entry.path();
        }
    return files;
}

TEST(RecordedPhrase, KnowsWhatTheRecordingsSay) {
    EXPECT_GE(expectKnownRecordings("/resources/recorded", "", From::Codes), 4);
}

/// Recorded before there were codes.
TEST(RecordedPhrase, KnowsWhatEarlierRecordingsSay) {
    EXPECT_GE(expectKnownRecordings("/tests/fuzz/seeds/run_file", "gpu_", From::Sentences), 4);
}

} // namespace
} // namespace heteroscope::process_test
