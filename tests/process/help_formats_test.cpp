// SPDX-License-Identifier: Apache-2.0
// help --man and help --completion: the tables of the verbs as other programs read them.
#include "tests/process/child_process.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <regex>
#include <set>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

constexpr const char* kVerbsWithOptions[] = {"check", "compare", "devices",   "evaluate", "export",
                                             "help",  "run",     "self-test", "trace",    "version"};

/// Every long option that the manual page of a verb names.
std::set<std::string> optionsOf(const std::string& verb) {
    const std::string page = runCli({"help", verb}).out;
    const std::string options = page.substr(page.find("\nOPTIONS\n"), page.find("\nEXAMPLES\n"));
    static const std::regex line("\n    (?:-\\w,)?(--[a-z-]+)");
    std::set<std::string> found;
    for (auto at = std::sregex_iterator(options.begin(), options.end(), line); at != std::sregex_iterator();
         ++at)
        found.insert((*at)[1]);
    return found;
}

std::string withoutBackslashes(std::string text) {
    text.erase(std::remove(text.begin(), text.end(), '\\'), text.end());
    return text;
}

/// What a shell prints; empty when it is not installed.
std::string shellOutput(const std::string& shell, const std::string& script) {
    const TemporaryFolder folder;
    writeText(folder.file("script"), script);
    const std::string command = shell + " " + folder.file("script") + " 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    std::string text;
    std::array<char, 4096> block{};
    while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe.get()))
        text.append(block.data(), count);
    return text;
}

/// The words that bash offers for a command line, of which the last word is being typed.
std::string bashOffers(const std::vector<std::string>& words) {
    std::string script = runCli({"help", "--completion", "bash"}).out + "COMP_WORDS=(";
    for (const std::string& word : words)
        script += "'" + word + "' ";
    return shellOutput("bash", script + ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
                                   "\n_heteroscope_cli\nprintf '%s ' \"${COMPREPLY[@]}\"\n");
}

TEST(ManPage, hasEveryVerbAndOption) {
    const Finished done = runCli({"help", "--man"});
    ASSERT_EQ(done.exitCode, 0);
    EXPECT_TRUE(done.out.starts_with(".TH HETEROSCOPE"));
    const std::string page = withoutBackslashes(done.out);
    for (const char* verb : kVerbsWithOptions) {
        const std::size_t start = page.find(std::string("\n.SS ") + verb + "\n");
        ASSERT_NE(start, std::string::npos) << verb;
        const std::string section = page.substr(start, page.find("\n.SS ", start + 1) - start);
        for (const std::string& option : optionsOf(verb))
            EXPECT_THAT(section, HasSubstr(option)) << verb;
    }
}

/// roff takes a line that begins with a point or an apostrophe for a request.
TEST(ManPage, hasNoOtherRequestsThanItsOwn) {
    static const std::regex request("\n([.'][^\n ]*)");
    const std::string page = runCli({"help", "--man"}).out;
    const std::set<std::string> known{".TH", ".SH", ".SS", ".TP", ".PP", ".RS",
                                      ".RE", ".nf", ".fi", ".B",  ".BR"};
    for (auto at = std::sregex_iterator(page.begin(), page.end(), request); at != std::sregex_iterator();
         ++at)
        EXPECT_EQ(known.count((*at)[1]), 1u) << (*at)[1];
}

TEST(Completion, forBashOffersVerbsOptionsAndValues) {
    EXPECT_EQ(bashOffers({"heteroscope-cli", "se"}), "self-test ");
    EXPECT_EQ(bashOffers({"heteroscope-cli", "trace", "in"}), "info ");
    EXPECT_EQ(bashOffers({"heteroscope-cli", "trace", "export", "--for"}), "--force --format ");
    EXPECT_EQ(bashOffers({"heteroscope-cli", "trace", "export", "--format", "c"}), "chrome csv ");
    EXPECT_EQ(bashOffers({"heteroscope-cli", "run", "x.json", "--preset", ""}), "quick standard thesis ");
    EXPECT_EQ(bashOffers({"heteroscope-cli", "help", "ver"}), "version ");
    EXPECT_EQ(bashOffers({"heteroscope-cli", "help", "fig"}), "figures ");
    for (const char* verb : kVerbsWithOptions)
        for (const std::string& option : optionsOf(verb))
            if (std::string(verb) != "trace") {
                EXPECT_THAT(bashOffers({"heteroscope-cli", verb, option}), HasSubstr(option)) << verb;
            }
}

TEST(Completion, forBashOffersFilesElsewhere) {
    const TemporaryFolder folder;
    writeText(folder.file("study.json"), "{}");
    EXPECT_EQ(bashOffers({"heteroscope-cli", "run", folder.file("stu")}), folder.file("study.json") + " ");
}

TEST(Completion, scriptsNameEveryVerbAndOption) {
    for (const char* shell : {"bash", "fish", "zsh"}) {
        const Finished done = runCli({"help", "--completion", shell});
        ASSERT_EQ(done.exitCode, 0) << shell;
        for (const char* verb : kVerbsWithOptions) {
            EXPECT_THAT(done.out, HasSubstr(verb)) << shell;
            for (const std::string& option : optionsOf(verb))
                EXPECT_THAT(done.out,
                            HasSubstr(std::string(shell) == "fish" ? "-l " + option.substr(2) : option))
                    << shell << verb;
        }
    }
}

/// Empty when a script is one that its shell can read.
std::string complaintOf(const std::string& shell) {
    return shellOutput(shell + " -n", runCli({"help", "--completion", shell}).out);
}

TEST(Completion, forBashIsAScriptThatItReads) {
    EXPECT_EQ(complaintOf("bash"), "");
}

class CompletionOfOtherShells : public testing::TestWithParam<const char*> {};

TEST_P(CompletionOfOtherShells, isAScriptThatTheyRead) {
    const std::string shell = GetParam();
    if (shellOutput(shell, "echo here") != "here\n")
        SKIP_WITHOUT(shell, shell + " is not installed");
    EXPECT_EQ(complaintOf(shell), "");
}

INSTANTIATE_TEST_SUITE_P(Shells, CompletionOfOtherShells, testing::Values("fish", "zsh"),
                         [](const auto& shell) { return std::string(shell.param); });

TEST(Completion, forAnotherShellIsAUsageError) {
    const Finished done = runCli({"help", "--completion", "tcsh"});
    EXPECT_EQ(done.exitCode, 64);
    EXPECT_THAT(done.err, HasSubstr("zsh"));
    EXPECT_EQ(runCli({"help", "--completion", "zsh", "--man"}).exitCode, 64);
}

} // namespace
} // namespace heteroscope::process_test
