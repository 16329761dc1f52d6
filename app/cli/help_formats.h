// SPDX-License-Identifier: Apache-2.0
// The table of verbs in the forms that other programs read: a manual page for man, completions for shells.
// Pure functions; any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::cli {

struct OptionWords {
    std::string names;                ///< "--json", "-h,--help"; of a positional "FILE"
    std::vector<std::string> flags;   ///< "--json", "-h"; empty for a positional
    std::string valueName;            ///< "FOLDER"; empty when it takes no value
    std::vector<std::string> choices; ///< the values it takes, where they are listed
    std::string description;
};

struct VerbWords {
    std::string name, summary, description, examples;
    std::vector<OptionWords> options;
    std::vector<VerbWords> subcommands;
};

/// What the verbs' own option tables say, hidden options left out.
std::vector<VerbWords> verbWords();

std::string manPage(const std::vector<VerbWords>& verbs); ///< heteroscope-cli(1), roff

std::span<const std::string_view> completionShells(); ///< "bash", "fish", "zsh"
/// The script for one of completionShells().
std::string completionScript(std::string_view shell, const std::vector<VerbWords>& verbs);

/// "    0   done" and so on, one line each.
std::string_view exitCodeLines();

} // namespace heteroscope::cli
