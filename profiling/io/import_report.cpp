// SPDX-License-Identifier: Apache-2.0
#include "profiling/io/import_report.h"

#include <algorithm>

namespace heteroscope::profiling {

std::string ImportLoss::sentence() const {
    if (!firstByte)
        return std::to_string(count) + " " + what;
    const std::string place = "at byte " + std::to_string(*firstByte);
    if (count == 1)
        return "event " + place + " left out: " + what;
    return std::to_string(count) + " events left out: " + what + "; the first " + place;
}

std::string ImportReport::summary() const {
    std::string text = std::to_string(events) + " events imported, ";
    if (unfinished > 0)
        text += std::to_string(unfinished) + " of them without an end, ";
    return text + std::to_string(skipped) + " skipped";
}

Json ImportReport::json() const {
    Json list = Json::array();
    for (const ImportLoss& loss : losses)
        list.push_back({{"what", loss.what},
                        {"count", loss.count},
                        {"first_byte", loss.firstByte ? Json(*loss.firstByte) : Json(nullptr)}});
    return {{"events", events},
            {"skipped", skipped},
            {"unfinished", unfinished},
            {"losses", std::move(list)},
            {"notes", notes}};
}

Status requireSomething(const ImportReport& report, const Trace& trace, const std::string& name) {
    if (trace.spanCount() > 0 || trace.counterCount() > 0)
        return {};
    constexpr std::size_t kMostShown = 3;
    std::string message = "it holds no span and no counter value that can be shown";
    const std::size_t shown = std::min(report.notes.size(), kMostShown);
    for (std::size_t i = 0; i < shown; ++i)
        message += (i == 0 ? ": " : "; ") + report.notes[i];
    if (report.notes.size() > shown)
        message += "; and " + std::to_string(report.notes.size() - shown) + " more reasons";
    if (report.notes.empty())
        message += report.events == 0 ? ": it has no events"
                                      : ": its " + std::to_string(report.events) + " events only name rows";
    return badInput(name, message, "at least one event that is a span, an instant or a counter",
                    "record the trace again");
}

} // namespace heteroscope::profiling
