// SPDX-License-Identifier: Apache-2.0
// What Perfetto and chrome://tracing ask of a Chrome JSON trace, checked on the text itself, without the
// importer of this project: valid JSON; times in microseconds with nanosecond decimals; the spans of a
// thread nested or apart; a thread in one process only, with a name and a place; arrows whose ends lie in
// spans of their threads and never in the wrong order; counters that are numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::test {

/// Broken rules, at most 20; empty for a trace that both viewers open and show whole.
std::vector<std::string> brokenChromeRules(std::string_view json);

} // namespace heteroscope::test
