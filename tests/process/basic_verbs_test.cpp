// SPDX-License-Identifier: Apache-2.0
// help, version, devices, and every way to misuse the command line.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/support/number_style.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <iterator>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kVerbs{"check", "compare", "devices",   "evaluate", "export",
                                      "help",  "run",     "self-test", "trace",    "version"};

TEST(Overview, listsEveryVerbAndExitCode) {
    const Finished done = runCli({"help"});
    EXPECT_EQ(done.exitCode, 0);
    for (const std::string& verb : kVerbs)
        EXPECT_THAT(done.out, HasSubstr("\n    " + verb + " ")) << verb;
    for (const char* code : {"0 ", "1 ", "2 ", "3 ", "4 ", "64 "})
        EXPECT_THAT(done.out, HasSubstr(std::string("\n    ") + code));
}

TEST(Overview, withoutVerbIsAUsageError) {
    const Finished done = runCli({});
    EXPECT_EQ(done.exitCode, 64);
    EXPECT_EQ(done.out, "");
    EXPECT_THAT(done.err, HasSubstr("Usage: heteroscope-cli VERB"));
}

TEST(ManualPage, ofEveryVerbHasAllParts) {
    for (const std::string& verb : kVerbs) {
        const Finished page = runCli({"help", verb});
        EXPECT_EQ(page.exitCode, 0) << verb;
        for (const char* part :
             {"NAME\n", "SYNOPSIS\n", "DESCRIPTION\n", "OPTIONS\n", "EXAMPLES\n", "EXIT CODES\n"})
            EXPECT_THAT(page.out, HasSubstr(part)) << verb;
        EXPECT_EQ(runCli({verb, "--help"}).out, page.out);
    }
}

TEST(Figures, AreExplainedForPeopleAndForPrograms) {
    const Finished text = runCli({"help", "figures"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, HasSubstr("median of the reference at the same point / median of the run"));
    const Finished json = runCli({"help", "figures", "--json"});
    EXPECT_EQ(json.exitCode, 0);
    const Json document = Json::parse(json.out, nullptr, false);
    ASSERT_TRUE(document.is_object());
    EXPECT_EQ(document.at("format"), "heteroscope-figures");
    EXPECT_THAT(runCli({"help", "figures", "--markdown"}).out, HasSubstr("\n| `speedup` | speedup | 1 | "));
}

TEST(HelpPages, AreThoseOfTheHelp) {
    std::size_t pages = 0;
    for (const auto& file : std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/help")) {
        if (file.path().extension() != ".md")
            continue;
        ++pages;
        const std::string page = file.path().stem().string();
        SCOPED_TRACE(page);
        std::ifstream stream(file.path());
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        const Finished done =
            page == "figures" ? runCli({"help", page, "--markdown"}) : runCli({"help", page});
        EXPECT_EQ(done.exitCode, 0) << done.err;
        EXPECT_TRUE(done.out == text) << "another text";
        EXPECT_THAT(runCli({"help"}).out, HasSubstr(page));
    }
    EXPECT_GE(pages, 8u);
    EXPECT_EQ(runCli({"help", "Statistics"}).out, runCli({"help", "statistics"}).out)
        << "as the help calls it";
    EXPECT_THAT(runCli({"help", "statistic"}).err,
                HasSubstr("'statistic' is neither a verb nor a page; allowed: a verb, or one of the pages "
                          "command_line, figures, gpu, installing, networks, reliability, security, "
                          "statistics"));
}

TEST(Usage, mistakesGive64AndAHint) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"rnu"}, "did you mean 'run'?"},
        {{"nonsense"}, "see heteroscope-cli help"},
        {{"help", "nonsense"}, "see heteroscope-cli help"},
        {{"help", "run", "--json"}, "heteroscope-cli help figures --json"},
        {{"help", "--markdown"}, "heteroscope-cli help figures --json"},
        {{"devices", "--jsn"}, "see heteroscope-cli help devices"},
        {{"devices", "extra"}, "see heteroscope-cli help devices"},
        {{"check"}, "EXPERIMENT"},
        {{"run"}, "EXPERIMENT"},
        {{"run", "x.json", "--preset", "huge"}, "quick"},
        {{"run", "x.json", "--samples", "0"}, "--samples"},
        {{"run", "x.json", "--samples", "many"}, "--samples"},
        {{"compare", "one.hscope"}, "B"},
        {{"evaluate", "x.json"}, "--tensors"},
        {{"self-test", "--keep"}, "--keep"},
        {{"trace"}, "see heteroscope-cli help trace"},
        {{"trace", "explode"}, "see heteroscope-cli help trace"},
    };
    for (const auto& [words, hint] : cases) {
        const Finished done = runCli(words);
        EXPECT_EQ(done.exitCode, 64) << testing::PrintToString(words) << done.err;
        EXPECT_EQ(done.out, "") << testing::PrintToString(words);
        EXPECT_THAT(done.err, HasSubstr(hint)) << testing::PrintToString(words);
    }
}

TEST(Version, saysVersionAndFormats) {
    const Finished text = runCli({"version"});
    EXPECT_EQ(text.exitCode, 0);
    EXPECT_THAT(text.out, HasSubstr("heteroscope-cli "));
    EXPECT_EQ(runCli({"--version"}).out, text.out);
    const Json record = Json::parse(runCli({"version", "--json"}).out);
    EXPECT_THAT(text.out, HasSubstr(record.at("version").get<std::string>()));
    EXPECT_EQ(record.at("experiment_format"), 1);
}

TEST(Devices, listTheProcessorAndItsImplementations) {
    const Finished done = runCli({"devices", "--json"});
    ASSERT_EQ(done.exitCode, 0);
    const Json record = Json::parse(done.out);
    const Json& cpu = record.at("devices").at(0);
    EXPECT_EQ(cpu.at("id"), "cpu");
    EXPECT_GT(cpu.at("memory_total_bytes").get<std::int64_t>(), 0);
    std::vector<std::string> ids;
    for (const Json& implementation : cpu.at("implementations")) {
        ids.push_back(implementation.at("id"));
        EXPECT_NE(implementation.at("available").get<bool>(), implementation.at("reason") != "")
            << ids.back();
    }
    EXPECT_THAT(ids, testing::IsSupersetOf({"sequential", "openmp"}));
    EXPECT_THAT(runCli({"devices"}).out, HasSubstr("cpu/sequential"));
}

TEST(Devices, haveSizesInUnits) {
    const std::string text = runCli({"devices"}).out;
    EXPECT_THAT(number_style::badNumbers(text), testing::IsEmpty()) << text;
    EXPECT_THAT(text, testing::Not(testing::ContainsRegex("bytes [0-9]{4,}"))) << text;
}

TEST(Output, thatCannotBeWrittenIsAnError) {
    ChildProcess::Options options;
    options.stdoutPath = "/dev/full";
    const Finished done = runCli({"devices"}, {}, options);
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.err, HasSubstr("No space left on device"));
}

TEST(Options, ThatWouldHaveNoEffectAreRefused) {
    const std::string experiment = examplePath("demo.json");
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"run", experiment, "--counters-kernel", "pool"}, "add --counters"},
        {{"export", examplePath("network_model0.json"), "--batch", "4", "--npz", "none.npz"}, "--onnx"},
        {{"check", experiment, "--force"}, "--summary"},
        {{"trace", "stats", experiment, "--json", "--csv"}, "--json"}};
    for (const auto& [arguments, said] : cases) {
        const Finished done = runCli(arguments);
        EXPECT_EQ(done.exitCode, 64) << arguments[0] << done.err;
        EXPECT_THAT(done.err, testing::HasSubstr(said));
    }
}

} // namespace
} // namespace heteroscope::process_test
