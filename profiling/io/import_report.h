// SPDX-License-Identifier: Apache-2.0
// What an import took, and what it lost: one loss for each reason, with its count. Values; any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"
#include "profiling/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::profiling {

/// What was lost for one reason.
struct ImportLoss {
    std::string
        what; ///< of events: why they were left out, "it has no time ("ts")"; else what became of them
    std::uint64_t count = 0;
    std::optional<std::uint64_t> firstByte = {}; ///< of the first event left out; of other losses nothing

    /// "event at byte 52 left out: WHAT", "12 events left out: WHAT; the first at byte 52", or "12 WHAT".
    std::string sentence() const;
};

struct ImportReport {
    std::uint64_t events = 0;     ///< that are in the trace, or name what is
    std::uint64_t skipped = 0;    ///< that are not
    std::uint64_t unfinished = 0; ///< of `events`: begins without an end
    std::vector<ImportLoss> losses;
    std::vector<std::string> notes; ///< one a loss, and what is wrong with the file as a whole; 100 at most

    /// "12 events imported, 1 of them without an end, 3 skipped".
    std::string summary() const;
    /// "events", "skipped", "unfinished", "losses" (maps of "what", "count", "first_byte") and "notes".
    Json json() const;
};

/// Why a trace of file `name` is of no use: not one span or counter value is in it. Fine: nothing. BadInput.
Status requireSomething(const ImportReport& report, const Trace& trace, const std::string& name);

} // namespace heteroscope::profiling
