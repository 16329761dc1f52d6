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
    /// What its run is doing, or was, where the recording ends (StudyActivity::sentence()). Empty of a
    /// damaged one: it may have gone on behind the damage.
    std::string activity = {};
    std::uint64_t trailingBytes = 0; ///< bytes after the End frame, which are all that is wrong then

    bool whole() const { return !damage && ended && unfinishedBytes == 0; }
    bool complete() const { return whole() || trailingBytes > 0; } ///< nothing of the recording is missing
    std::string name() const; ///< of the file: "whole", "being written", "stopped early", "damaged"
    /// One word for a title or a list: how the run of a whole file ended ("done", "failed", "cancelled"),
    /// else name().
    std::string outcome() const;
    /// "whole"; "being written: so far it holds everything up to byte N; computing run 0"; "stopped early: it
    /// holds everything up to byte N; it was computing run 0"; "damaged: WHAT; everything before was read".
    std::string sentence() const;
    /// What is missing, for the line on losses: "the recording ends early"; empty of one that is complete().
    std::string gap() const;
};

RunFileState stateOf(const RunFile& file);

/// What readRunFile() and whoever reads a file piece by piece knows at its end.
struct RunFileReading {
    std::string path;
    const Study& study;
    std::optional<Error> damage; ///< why reading ended before the file did
    std::uint64_t wholeBytes = 0, fileBytes = 0;
    bool beingWritten = false;
};
/// The damage with what to do about it; of bytes behind the end, with their number. Nothing without damage.
std::optional<Error> damageOf(const RunFileReading& reading);
RunFileState stateOf(const RunFileReading& reading);
/// Of a file that ends before its first frame could begin: that it is empty, or cut in its header.
std::optional<Error> missingStart(const std::string& path, std::uint64_t fileBytes);

} // namespace heteroscope::profiling
