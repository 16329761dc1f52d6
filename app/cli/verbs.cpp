// SPDX-License-Identifier: Apache-2.0
// The sorted table of verbs.
#include "app/cli/verbs.h"

#include <algorithm>
#include <array>

namespace heteroscope::cli {

std::span<const Verb> verbs() {
    static const std::array table{checkVerb(), compareVerb(), devicesVerb(),  evaluateVerb(), exportVerb(),
                                  helpVerb(),  runVerb(),     selfTestVerb(), traceVerb(),    versionVerb()};
    return table;
}

const Verb* findVerb(std::string_view name) {
    const auto all = verbs();
    const auto found =
        std::lower_bound(all.begin(), all.end(), name,
                         [](const Verb& verb, std::string_view word) { return verb.name < word; });
    return found != all.end() && found->name == name ? &*found : nullptr;
}

} // namespace heteroscope::cli
