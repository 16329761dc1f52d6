// SPDX-License-Identifier: Apache-2.0
// Text behind an experiment on standard input: it was dropped without a word, where a file with it is
// refused.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;

std::string experimentLine(int samples) {
    return poolingExperiment(64, samples).dump() + "\n";
}

/// `behind`: what stands between the experiment and the text, blanks only.
auto refusalOf(const std::string& text, const std::string& place) {
    return AllOf(HasSubstr("standard input: " + place + ": text after the experiment: '" + text + "'"),
                 HasSubstr("allowed: one experiment, then only blanks and line ends"),
                 HasSubstr("take the rest away"));
}

std::string placeOf(int line, int column, std::size_t byte) {
    return "line " + std::to_string(line) + ", column " + std::to_string(column) + " (byte " +
           std::to_string(byte) + ")";
}

TEST(TextBehindAnExperiment, isRefusedBeforeAnythingIsOpened) {
    const TemporaryFolder folder;
    const std::string out = folder.file("a.hscope"), first = experimentLine(1);
    for (const Words& words : {Words{"run", "-", "--out", out}, Words{"run", "-", "--stream", "--out", out},
                               Words{"run", "-", "--preset", "thesis", "--out", out}, Words{"check", "-"},
                               Words{"evaluate", "-", "--tensors", "none.npz", "--out", out},
                               Words{"export", "-", "--experiment", out}}) {
        const Finished done = runCli(words, first + "\r\n \t{\"second\": 2}\n");
        EXPECT_EQ(done.exitCode, 2) << testing::PrintToString(words);
        EXPECT_EQ(done.out, "");
        EXPECT_THAT(done.err, refusalOf("{\"second\": 2}", placeOf(3, 3, first.size() + 4)));
        EXPECT_FALSE(std::filesystem::exists(out));
    }
    const std::string file = folder.file("two.json");
    writeText(file, first + first);
    ChildProcess::Options options;
    options.redirections = "< " + file;
    EXPECT_THAT(runCli({"run", "-"}, {}, options).err,
                HasSubstr("text after the experiment: '{\"heteroscope\""));
}

TEST(TextBehindAnExperiment, isQuotedInPartAndPrintable) {
    const Finished done = runCli({"run", "-"}, experimentLine(1) + "\x1b[31m" + std::string(10000, 'x'));
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_EQ(done.err.find('\x1b'), std::string::npos);
    EXPECT_LT(done.err.size(), 500u);
}

TEST(TextBehindAnExperiment, mayBeBlank) {
    for (const char* verb : {"run", "check"})
        EXPECT_EQ(runCli({verb, "-"}, experimentLine(1) + "\n\r\n \t\n").exitCode, 0) << verb;
}

TEST(TextBehindAnExperiment, isWaitedForWhereTheInputStopsNothing) {
    ChildProcess child({"check", "-"});
    child.write(experimentLine(1));
    EXPECT_FALSE(child.waitForOutput(1, Milliseconds(200))) << "the rest is not known yet";
    child.write("more\n");
    child.closeStdin();
    const Finished done = child.finish();
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("text after the experiment: 'more'"));
}

class TextThatComesLater : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(TextThatComesLater, endsTheStudyAsFailedWithWhatItHas) {
    const TemporaryFolder folder;
    const std::string out = folder.file("a.hscope"), first = experimentLine(100000);
    std::vector<std::string> words{"run", "-", "--out", out};
    words.insert(words.end(), GetParam().begin(), GetParam().end());
    ChildProcess child(words);
    child.write(first);
    const auto hasSamples = [&] {
        const auto file = profiling::readRunFile(out);
        return file.ok() && !sampleKeys(file->study).empty();
    };
    const auto until = std::chrono::steady_clock::now() + Milliseconds(30000 * kTimeFactor);
    while (!hasSamples()) {
        ASSERT_LT(std::chrono::steady_clock::now(), until) << child.err();
        child.pump(Milliseconds(10));
    }
    child.write("\n");
    child.write("  stop!\n");
    const Finished done = child.finish(Milliseconds(20000 * kTimeFactor));
    EXPECT_EQ(done.exitCode, 2) << done.err;
    const auto sentence = refusalOf("stop!", placeOf(3, 3, first.size() + 3));
    EXPECT_THAT(done.err, sentence);
    const auto file = profiling::readRunFile(out);
    ASSERT_TRUE(file.ok());
    EXPECT_EQ(file->study.endStatus, "failed");
    EXPECT_THAT(file->study.endReason, sentence);
    EXPECT_FALSE(sampleKeys(file->study).empty());
}

INSTANTIATE_TEST_SUITE_P(Ways, TextThatComesLater,
                         testing::Values(Words{}, Words{"--stream"},
                                         Words{"--preset", "thesis", "--samples", "100000"}));

} // namespace
} // namespace heteroscope::process_test
