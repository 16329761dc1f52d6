// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/phrase.h"

#include <algorithm>
#include <utility>

namespace heteroscope::profiling {

Phrase listed(const char* format, const std::vector<Phrase>& entries, const char* more) {
    constexpr std::size_t kMostNamed = 8;
    if (entries.empty())
        return {};
    const std::size_t named = std::min(entries.size(), kMostNamed);
    Phrase list = joined({entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(named)}, ", ");
    if (entries.size() > named)
        list = say(more, {std::move(list), std::to_string(entries.size() - named)});
    return say(format, {std::move(list)});
}

} // namespace heteroscope::profiling
