// SPDX-License-Identifier: Apache-2.0
// The pages of resources/help, as Markdown. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heteroscope::cli {

struct HelpPage {
    std::string_view name; ///< "statistics"
    std::string_view text;
};

/// All but the dictionary of figures, by name.
std::span<const HelpPage> helpPages();

/// The page of that name, in capital letters or small ones; null without one.
const HelpPage* findHelpPage(std::string_view name);

/// "command_line, figures, gpu, ...".
std::string helpPageNames();

} // namespace heteroscope::cli
