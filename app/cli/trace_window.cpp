// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_window.h"

#include "compute/base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace heteroscope::cli {

Result<std::int64_t> timeFromText(const std::string& text) {
    struct Unit {
        std::string_view name;
        double ns;
    };
    static constexpr std::array kUnits{Unit{"", 1e9}, Unit{"s", 1e9}, Unit{"ms", 1e6}, Unit{"us", 1e3},
                                       Unit{"ns", 1}};
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
    constexpr double kLongestNs = 4e18; // fits 64 bits
    for (const Unit& unit : kUnits)
        if (error == std::errc() && rest == unit.name && value >= 0 && value * unit.ns < kLongestNs)
            return std::llround(value * unit.ns);
    return badInput({}, "\"" + text + "\" is no time in a recording",
                    "a number from 0 on, with s, ms, us or ns behind it; without a unit seconds");
}

Result<profiling::NsRange> traceWindow(const profiling::Trace& trace, const std::string& from,
                                       const std::string& to) {
    profiling::NsRange window{trace.startNs(), trace.endNs()};
    if (!from.empty()) {
        const auto start = timeFromText(from);
        if (!start)
            return start.error();
        window.startNs = trace.startNs() + *start;
    }
    if (!to.empty()) {
        const auto end = timeFromText(to);
        if (!end)
            return end.error();
        window.endNs = trace.startNs() + *end;
    }
    const profiling::NsRange whole{trace.startNs(), trace.endNs()};
    const bool chosen = !from.empty() || !to.empty();
    if (chosen && inside(window, whole).lengthNs() == 0)
        return badInput({}, "nothing was recorded from --from to --to",
                        "a part of 0 to " + formatDurationNs(static_cast<double>(whole.lengthNs())) +
                            " after the start of the recording");
    return inside(window, whole);
}

} // namespace heteroscope::cli
