// SPDX-License-Identifier: Apache-2.0
// The script for zsh, whose words are described to _arguments and _describe.
#include "app/cli/completion_words.h"

namespace heteroscope::cli {
namespace {

/// _arguments takes ':' and '[' ']' as signs of its own.
std::string zshText(const std::string& text) {
    std::string result;
    for (const char c : onOneLine(text))
        result += c == ':' || c == '[' || c == ']' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    return result;
}

std::string zshArguments(const VerbWords& verb, const std::string& indent, const std::string& positionals) {
    std::string text = indent + "_arguments -S";
    for (const OptionWords& option : verb.options)
        for (const std::string& flag : option.flags) {
            const std::string values =
                option.choices.empty() ? "_files" : "(" + joinedWords(option.choices) + ")";
            const std::string value =
                option.valueName.empty() ? "" : ":" + zshText(option.valueName) + ":" + values;
            text += " \\\n" + indent + "    " +
                    shellQuoted("*" + flag + "[" + zshText(option.description) + "]" + value, "'\\''");
        }
    return text + " \\\n" + indent + "    " + positionals + "\n";
}

std::string zshList(const std::vector<VerbWords>& words) {
    std::string text;
    for (const VerbWords& word : words)
        text += " " + shellQuoted(word.name + ":" + zshText(word.summary), "'\\''");
    return text;
}

std::string zshVerb(const VerbWords& verb, const std::vector<VerbWords>& all) {
    std::string text = "        " + verb.name + ")\n";
    if (verb.subcommands.empty())
        return text +
               zshArguments(verb, "            ",
                            takesVerb(verb) ? "'1:verb:(" + helpTopics(all) + ")'" : "'*:file:_files'") +
               "            ;;\n";
    text += "            if (( CURRENT == 2 )); then\n                words=(" +
            zshList(verb.subcommands).substr(1) +
            ")\n                _describe subcommand words\n                return\n            fi\n"
            "            case $line[2] in\n";
    for (const VerbWords& sub : verb.subcommands)
        text += "                " + sub.name + ")\n" +
                zshArguments(sub, "                    ", "'*:file:_files'") + "                    ;;\n";
    return text + "            esac\n            ;;\n";
}

} // namespace

std::string zshScript(const std::vector<VerbWords>& verbs) {
    std::string text =
        "#compdef heteroscope-cli\n"
        "# Completion of heteroscope-cli for zsh, made from its table of verbs.\n"
        "_heteroscope_cli() {\n    local -a line names\n"
        "    if (( CURRENT == 2 )); then\n        names=(" +
        zshList(verbs).substr(1) +
        ")\n        _describe verb names\n        return\n    fi\n"
        "    line=($words[2,-1])\n    shift words\n    (( CURRENT-- ))\n    case $line[1] in\n";
    for (const VerbWords& verb : verbs)
        text += zshVerb(verb, verbs);
    return text + "    esac\n}\n_heteroscope_cli \"$@\"\n";
}

} // namespace heteroscope::cli
