// SPDX-License-Identifier: Apache-2.0
// What the completion scripts have in common. Pure functions; any thread.
#pragma once

#include "app/cli/help_formats.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::cli {

/// The words with a space between them.
std::string joinedWords(const std::vector<std::string>& words);
std::string namesOf(const std::vector<VerbWords>& verbs);
/// What `help` explains: the verbs, and figures.
std::string helpTopics(const std::vector<VerbWords>& verbs);
std::string onOneLine(const std::string& text);
/// In single quotes; `quote` is what the shell wants for one inside.
std::string shellQuoted(const std::string& text, std::string_view quote);
bool takesVerb(const VerbWords& verb); ///< its positional is the name of a verb

std::string zshScript(const std::vector<VerbWords>& verbs);

} // namespace heteroscope::cli
