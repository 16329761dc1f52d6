// SPDX-License-Identifier: Apache-2.0
#include "app/cli/help_pages.h"

#include "compute/base/ascii_case.h"

#include <algorithm>
#include <vector>

namespace heteroscope::cli {
namespace {

constexpr HelpPage kPages[] = {
#include <help_page_texts.inc>
};

} // namespace

std::span<const HelpPage> helpPages() {
    return kPages;
}

const HelpPage* findHelpPage(std::string_view name) {
    const auto found = std::find_if(std::begin(kPages), std::end(kPages), [&](const HelpPage& page) {
        return std::equal(page.name.begin(), page.name.end(), name.begin(), name.end(),
                          [](char ours, char given) { return ours == lowerAscii(given); });
    });
    return found == std::end(kPages) ? nullptr : found;
}

std::string helpPageNames() {
    std::vector<std::string_view> names{"figures"};
    for (const HelpPage& page : kPages)
        names.push_back(page.name);
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string_view name : names)
        text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

} // namespace heteroscope::cli
