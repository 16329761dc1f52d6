// SPDX-License-Identifier: Apache-2.0
// How far a recording goes and how its run ended, in the words that command line, report, library and window
// share. Pure; any thread.
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
    std::string endStatus = {};        ///< of the End frame: "done", "failed", "cancelled"
    bool beingWritten = false;         ///< a run still had the file when it was read

    bool whole() const { return !damage && ended && unfinishedBytes == 0; }
    std::string name() const; ///< of the file: "whole", "being written", "stopped early", "damaged"
    /// One word for a title or a list: how the run of a whole file ended ("done", "failed", "cancelled"),
    /// else name().
    std::string outcome() const;
    /// "whole"; "being written: so far it holds everything up to byte N"; "stopped early: it holds everything
    /// up to byte N"; "damaged: WHAT; everything before was read".
    std::string sentence() const;
    /// What is missing, for the line on losses: "the recording ends early"; empty of a whole file.
    std::string gap() const;
};

RunFileState stateOf(const RunFile& file);

} // namespace heteroscope::profiling
