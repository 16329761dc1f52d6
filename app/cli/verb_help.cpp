// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli help [VERB]: the overview, or the manual page of a verb, made from the verb's own options;
// help PAGE: a page of resources/help; help figures: the dictionary of figures.
#include "app/cli/help_formats.h"
#include "app/cli/help_pages.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "profiling/analysis/figures.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <sstream>

namespace heteroscope::cli {
namespace {

constexpr std::string_view kExitCodes =
    "    0   done\n"
    "    1   the run failed, or something could not be written\n"
    "    2   bad input: the sentence names the place (JSON pointer, file, offset)\n"
    "    3   no target is available: the sentence gives the reason\n"
    "    4   cancelled\n"
    "    64  the command line itself is wrong\n";

std::string indented(std::string_view text, const std::string& by) {
    std::istringstream lines{std::string(text)};
    std::string line, result;
    while (std::getline(lines, line))
        result += (line.empty() ? line : by + line) + "\n";
    return result;
}

std::string optionLine(const CLI::Option& option) {
    std::string names = option.get_positional() ? option.get_name(true) : option.get_name(false, true);
    if (!option.get_positional() && !option.get_type_name().empty())
        names += " " + option.get_type_name();
    return "    " + names + "\n" + indented(option.get_description(), "        ");
}

std::string optionsOf(const CLI::App& app) {
    std::string text;
    for (const CLI::Option* option :
         app.get_options([](const CLI::Option* o) { return !o->get_group().empty(); }))
        text += optionLine(*option);
    return text;
}

std::string synopsis(const CLI::App& app) {
    std::string text = "    " + app.get_name();
    for (const CLI::Option* option :
         app.get_options([](const CLI::Option* o) { return o->get_positional(); }))
        text += option->get_required() ? " " + option->get_name(true) : " [" + option->get_name(true) + "]";
    return text + " [options]\n";
}

std::string subcommands(const CLI::App& app) {
    std::string text;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        text += "\n" + std::string("  ") + app.get_name() + " " + sub->get_name() + ": " +
                sub->get_description() + "\n" + optionsOf(*sub);
    return text;
}

constexpr const char* kFigures = "figures";

struct HelpArguments {
    std::string word, shell;
    bool man = false, json = false, markdown = false;
};

ExitCode printFigures(const HelpArguments& arguments) {
    if (arguments.json)
        return reportStatus(printJson(profiling::figuresToJson()));
    return reportStatus(
        writeStdout(arguments.markdown ? profiling::figuresToMarkdown() : profiling::figuresToText()));
}

ExitCode printHelp(const HelpArguments& arguments) {
    if (arguments.word == kFigures)
        return printFigures(arguments);
    if (arguments.json || arguments.markdown)
        return reportError({ErrorCode::Usage,
                            "--json and --markdown are for the dictionary of figures",
                            "help",
                            {},
                            "write heteroscope-cli help figures --json"});
    if (arguments.word.empty())
        return reportStatus(writeStdout(overview()));
    const Verb* verb = findVerb(arguments.word);
    if (const HelpPage* page = findHelpPage(arguments.word); page && !verb)
        return reportStatus(writeStdout(std::string(page->text)));
    if (!verb)
        return reportError({ErrorCode::Usage, "'" + arguments.word + "' is neither a verb nor a page", "help",
                            "a verb, or one of the pages " + helpPageNames(), "see heteroscope-cli help"});
    return reportStatus(writeStdout(manualPage(*verb)));
}

ExitCode help(const HelpArguments& arguments) {
    if (!arguments.shell.empty())
        return reportStatus(writeStdout(completionScript(arguments.shell, verbWords())));
    return arguments.man ? reportStatus(writeStdout(manPage(verbWords()))) : printHelp(arguments);
}

std::function<ExitCode()> defineHelp(CLI::App& app) {
    const auto arguments = std::make_shared<HelpArguments>();
    const auto shells = completionShells();
    app.add_option(
        "VERB", arguments->word,
        "the verb to explain, or a page: " + helpPageNames() +
            "; figures is what each number in tables and files is; without a word, all verbs are listed");
    auto* man = app.add_flag("--man", arguments->man, "all verbs as a page for man");
    app.add_option("--completion", arguments->shell, "the script that completes command lines in a shell")
        ->type_name("SHELL")
        ->check(CLI::IsMember(std::vector<std::string>(shells.begin(), shells.end())))
        ->excludes(man);
    auto* json = app.add_flag("--json", arguments->json, "the figures for programs");
    app.add_flag("--markdown", arguments->markdown, "the figures as the help page")->excludes(json);
    return [arguments] { return help(*arguments); };
}

} // namespace

std::string_view exitCodeLines() {
    return kExitCodes;
}

std::string overview() {
    std::vector<std::vector<std::string>> rows;
    for (const Verb& verb : verbs())
        rows.push_back({"    " + std::string(verb.name), std::string(verb.summary)});
    return "Usage: heteroscope-cli VERB [options]\n\nVerbs:\n" + textTable(rows) +
           "\nheteroscope-cli help VERB explains one of them, with examples;\nheteroscope-cli help figures "
           "explains the numbers in tables and files, and help PAGE prints\na page: " +
           helpPageNames() +
           ".\nExperiments of the examples lie in "
           "share/heteroscope/examples of a package and in resources/examples\nof the source.\n\nExit "
           "codes:\n" +
           std::string(kExitCodes);
}

std::string manualPage(const Verb& verb) {
    const std::string program = "heteroscope-cli " + std::string(verb.name);
    CLI::App app(std::string(verb.summary), program);
    const auto action = verb.define(app);
    return "NAME\n    " + program + " - " + std::string(verb.summary) + "\n\nSYNOPSIS\n" + synopsis(app) +
           "\nDESCRIPTION\n" + indented(verb.description, "    ") + "\nOPTIONS\n" + optionsOf(app) +
           subcommands(app) + "\nEXAMPLES\n" + indented(verb.examples, "    ") + "\nEXIT CODES\n" +
           std::string(kExitCodes);
}

Verb helpVerb() {
    return {
        "help", "this overview, the manual page of a verb, or a page of the help",
        "Lists the verbs, or explains one: what it does, its options, and examples. help figures lists what "
        "each\n"
        "number in tables, files and advice is: its formula with numerator and denominator, unit and source, "
        "and\n"
        "the keys of JSON and CSV that hold it; help statistics and the other pages are what the folder "
        "help\n"
        "of a package holds. A package installs the verbs' pages as one for man, and the\n"
        "completions for bash, fish and zsh.",
        "heteroscope-cli help\nheteroscope-cli help run\nheteroscope-cli help figures --json\n"
        "heteroscope-cli help statistics\n"
        "heteroscope-cli help --man | man -l -\n"
        "eval \"$(heteroscope-cli help --completion bash)\"",
        defineHelp};
}

} // namespace heteroscope::cli
