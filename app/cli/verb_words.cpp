// SPDX-License-Identifier: Apache-2.0
// Reads the tables of CLI11.
#include "app/cli/help_formats.h"
#include "app/cli/verbs.h"

#include <CLI/CLI.hpp>

#include <sstream>

namespace heteroscope::cli {
namespace {

/// CLI11 puts a check for membership behind the type's name: "FORMAT:{chrome,results,csv}".
std::vector<std::string> choicesOf(const std::string& typeName) {
    const std::size_t open = typeName.find('{'), close = typeName.rfind('}');
    std::vector<std::string> choices;
    if (open == std::string::npos || close == std::string::npos || close < open)
        return choices;
    std::istringstream list(typeName.substr(open + 1, close - open - 1));
    for (std::string word; std::getline(list, word, ',');)
        choices.push_back(word);
    return choices;
}

OptionWords wordsOf(const CLI::Option& option) {
    OptionWords words;
    const bool positional = option.get_positional();
    words.names = positional ? option.get_name(true) : option.get_name(false, true);
    words.description = option.get_description();
    for (const std::string& name : option.get_lnames())
        words.flags.push_back("--" + name);
    for (const std::string& name : option.get_snames())
        words.flags.push_back("-" + name);
    const std::string typeName = option.get_type_name();
    words.choices = choicesOf(typeName);
    if (option.get_items_expected_max() > 0)
        words.valueName = typeName.empty() ? "VALUE" : typeName.substr(0, typeName.find(':'));
    return words;
}

VerbWords wordsOf(const CLI::App& app) {
    VerbWords words;
    words.summary = app.get_description();
    for (const CLI::Option* option :
         app.get_options([](const CLI::Option* o) { return !o->get_group().empty(); }))
        words.options.push_back(wordsOf(*option));
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        words.subcommands.push_back(wordsOf(*sub));
        words.subcommands.back().name = sub->get_name();
    }
    return words;
}

} // namespace

std::vector<VerbWords> verbWords() {
    std::vector<VerbWords> all;
    for (const Verb& verb : verbs()) {
        CLI::App app(std::string(verb.summary), std::string(verb.name));
        const auto action = verb.define(app);
        all.push_back(wordsOf(app));
        all.back().name = verb.name;
        all.back().description = verb.description;
        all.back().examples = verb.examples;
    }
    return all;
}

} // namespace heteroscope::cli
