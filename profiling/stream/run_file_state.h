// SPDX-License-Identifier: Apache-2.0
// How far a recording goes, in the words that command line, report and window share. Pure; any thread.
#pragma once

#include "compute/base/error.h"
#include "profiling/stream/stream_reader.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heteroscope::profiling {

struct RunFileState {
    std::optional<Error> damage;       ///< bytes that could not be read
    bool ended = false;                ///< an End frame was there
    std::uint64_t wholeBytes = 0;      ///< up to here everything was read
    std::uint64_t unfinishedBytes = 0; ///< at the end, of a record that was never finished

    bool whole() const { return !damage && ended && unfinishedBytes == 0; }
    std::string name() const; ///< "whole", "stopped early", "damaged"
    /// "whole"; "stopped early: it holds everything up to byte N"; "damaged: WHAT; everything before was
    /// read".
    std::string sentence() const;
};

RunFileState stateOf(const RunFile& file);

} // namespace heteroscope::profiling
