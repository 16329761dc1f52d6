// SPDX-License-Identifier: Apache-2.0
// Completion scripts. Each holds the tables and the few lines that look words up in them.
#include "app/cli/completion_words.h"

#include <array>

namespace heteroscope::cli {
namespace {

constexpr std::array<std::string_view, 3> kShells{"bash", "fish", "zsh"};

// bash

std::string bashFlags(const std::string& pattern, const VerbWords& verb) {
    std::string flags;
    for (const OptionWords& option : verb.options)
        if (!option.flags.empty())
            flags += (flags.empty() ? "" : " ") + joinedWords(option.flags);
    return "        " + pattern + ") words=\"" + flags + "\" ;;\n";
}

std::string bashChoices(const std::string& context, const VerbWords& verb) {
    std::string text;
    for (const OptionWords& option : verb.options)
        for (const std::string& flag : option.flags)
            if (!option.choices.empty())
                text += "        \"" + context + " " + flag + "\") words=\"" + joinedWords(option.choices) +
                        "\" ;;\n";
    return text;
}

std::string bashScript(const std::vector<VerbWords>& verbs) {
    std::string flags, choices, firstWords;
    for (const VerbWords& verb : verbs) {
        flags += bashFlags(verb.subcommands.empty() ? verb.name : "'" + verb.name + " '", verb);
        choices += bashChoices(verb.name, verb);
        for (const VerbWords& sub : verb.subcommands) {
            flags += bashFlags("'" + verb.name + " " + sub.name + "'", sub);
            choices += bashChoices(verb.name + " " + sub.name, sub);
        }
        if (!verb.subcommands.empty())
            firstWords += "        " + verb.name + ") words=\"" + namesOf(verb.subcommands) + "\" ;;\n";
        else if (takesVerb(verb))
            firstWords += "        " + verb.name + ") words=\"" + helpTopics(verbs) + "\" ;;\n";
    }
    return "# Completion of heteroscope-cli for bash, made from its table of verbs.\n"
           "_heteroscope_cli() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local verb=${COMP_WORDS[1]} context words=\"\"\n"
           "    context=$verb\n"
           "    case \"$verb\" in\n" +
           [&] {
               std::string text;
               for (const VerbWords& verb : verbs)
                   if (!verb.subcommands.empty())
                       text += "        " + verb.name +
                               ") context=\"$verb \"; [ \"$COMP_CWORD\" -eq 2 ] || context+=${COMP_WORDS[2]} "
                               ";;\n";
               return text;
           }() +
           "    esac\n"
           "    COMPREPLY=()\n"
           "    case \"$context $before\" in\n" +
           choices +
           "    esac\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        words=\"" +
           namesOf(verbs) +
           "\"\n"
           "    elif [ \"$COMP_CWORD\" -eq 2 ] && [[ $current != -* ]]; then\n"
           "        case \"$verb\" in\n" +
           firstWords +
           "        esac\n"
           "    elif [[ -z $words && $current == -* ]]; then\n"
           "        case \"$context\" in\n" +
           flags +
           "        esac\n"
           "    fi\n"
           "    if [ -n \"$words\" ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
           "    else\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _heteroscope_cli heteroscope-cli\n";
}

// fish

std::string fishOption(const std::string& condition, const OptionWords& option) {
    std::string text = "complete -c heteroscope-cli -n \"" + condition + "\"";
    for (const std::string& flag : option.flags)
        text += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
    if (!option.valueName.empty())
        text += option.choices.empty() ? " -r -F" : " -x -a \"" + joinedWords(option.choices) + "\"";
    return text + " -d " + shellQuoted(onOneLine(option.description), "\\'") + "\n";
}

std::string fishOptions(const std::string& condition, const VerbWords& verb) {
    std::string text;
    for (const OptionWords& option : verb.options)
        if (!option.flags.empty())
            text += fishOption(condition, option);
    return text;
}

std::string fishWord(const std::string& condition, const VerbWords& word) {
    return "complete -c heteroscope-cli -f -n \"" + condition + "\" -a " + word.name + " -d " +
           shellQuoted(word.summary, "\\'") + "\n";
}

std::string fishVerb(const VerbWords& verb, const std::vector<VerbWords>& all) {
    const std::string seen = "__fish_seen_subcommand_from " + verb.name;
    std::string text = fishWord("__fish_use_subcommand", verb);
    if (takesVerb(verb))
        text += "complete -c heteroscope-cli -f -n \"" + seen + "\" -a \"" + helpTopics(all) + "\"\n";
    if (verb.subcommands.empty())
        return text + fishOptions(seen, verb);
    const std::string none = seen + "; and not __fish_seen_subcommand_from " + namesOf(verb.subcommands);
    for (const VerbWords& sub : verb.subcommands)
        text +=
            fishWord(none, sub) + fishOptions(seen + "; and __fish_seen_subcommand_from " + sub.name, sub);
    return text;
}

std::string fishScript(const std::vector<VerbWords>& verbs) {
    std::string text = "# Completion of heteroscope-cli for fish, made from its table of verbs.\n";
    for (const VerbWords& verb : verbs)
        text += fishVerb(verb, verbs);
    return text;
}

} // namespace

std::span<const std::string_view> completionShells() {
    return kShells;
}

std::string completionScript(std::string_view shell, const std::vector<VerbWords>& verbs) {
    if (shell == "bash")
        return bashScript(verbs);
    return shell == "fish" ? fishScript(verbs) : zshScript(verbs);
}

} // namespace heteroscope::cli
