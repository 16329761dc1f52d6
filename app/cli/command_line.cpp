// SPDX-License-Identifier: Apache-2.0
// Finds the verb, parses its options, runs it, and turns whatever goes wrong into a sentence and an exit
// code.
#include "app/cli/command_line.h"

#include "app/cli/output.h"
#include "app/cli/thrown_error.h"
#include "app/cli/verbs.h"
#include "compute/base/activity.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <exception>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::cli {
namespace {

/// Number of edits that turn one word into the other.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t change = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({change, row[j + 1] + 1, row[j] + 1});
        }
    }
    return row.back();
}

std::string nearestVerb(std::string_view word) {
    const auto all = verbs();
    const auto nearest = std::min_element(all.begin(), all.end(), [&](const Verb& a, const Verb& b) {
        return editDistance(word, a.name) < editDistance(word, b.name);
    });
    return editDistance(word, nearest->name) <= 2 ? std::string(nearest->name) : std::string();
}

std::string verbNames() {
    std::string names;
    for (const Verb& verb : verbs())
        names += (names.empty() ? "" : ", ") + std::string(verb.name);
    return names;
}

ExitCode unknownVerb(const std::string& word) {
    const std::string nearest = nearestVerb(word);
    return reportError({ErrorCode::Usage,
                        "'" + word + "' is not a verb",
                        {},
                        verbNames(),
                        nearest.empty() ? "see heteroscope-cli help" : "did you mean '" + nearest + "'?"});
}

/// CLI11 takes the words last first.
std::vector<std::string> reversedTail(const std::vector<std::string>& words) {
    return {words.rbegin(), words.rend() - 2};
}

/// The first option that was given nothing: an unset variable in a script must not mean "no file", "no
/// limit".
const CLI::Option* emptyOption(const CLI::App& app) {
    for (const CLI::Option* option : app.get_options()) {
        const auto& values = option->results();
        if (option->get_expected_max() > 0 &&
            std::any_of(values.begin(), values.end(), [](const std::string& value) { return value.empty(); }))
            return option;
    }
    for (const CLI::App* verb : app.get_subcommands())
        if (const CLI::Option* option = emptyOption(*verb))
            return option;
    return nullptr;
}

ExitCode runVerb(const Verb& verb, const std::vector<std::string>& words) {
    CLI::App app(std::string(verb.summary), "heteroscope-cli " + std::string(verb.name));
    const auto action = verb.define(app);
    try {
        app.parse(reversedTail(words));
    } catch (const CLI::CallForHelp&) {
        return reportStatus(writeStdout(manualPage(verb)));
    } catch (const CLI::ParseError& error) {
        return reportError({ErrorCode::Usage,
                            error.what(),
                            std::string(verb.name),
                            {},
                            "see heteroscope-cli help " + std::string(verb.name)});
    }
    if (const CLI::Option* option = emptyOption(app))
        return reportError({ErrorCode::Usage, "the value of " + option->get_name() + " is empty",
                            std::string(verb.name), "a value that is not",
                            "leave the option out, or look whether a variable of your script has a value"});
    return action();
}

ExitCode dispatch(const std::vector<std::string>& words) {
    if (words.size() < 2) {
        writeStderr(overview());
        return ExitCode::Usage;
    }
    std::string word = words[1];
    if (word == "--help" || word == "-h")
        word = "help";
    if (word == "--version")
        word = "version";
    const Verb* verb = findVerb(word);
    return verb ? runVerb(*verb, words) : unknownVerb(word);
}

} // namespace

int runCommandLine(const std::vector<std::string>& words) {
    struct AtEnd {
        ~AtEnd() { setActivity({}); }
    } const nothingRuns;
    try {
        return static_cast<int>(dispatch(words));
    } catch (const std::exception&) {
        return static_cast<int>(reportError(thrownError()));
    }
}

} // namespace heteroscope::cli
