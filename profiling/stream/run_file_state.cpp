// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/run_file_state.h"

#include "profiling/stream/frame.h"

#include <algorithm>

namespace heteroscope::profiling {

std::string RunFileState::name() const {
    if (damage)
        return "damaged";
    if (whole())
        return "whole";
    return beingWritten ? "being written" : "stopped early";
}

std::string RunFileState::outcome() const {
    return whole() && !endStatus.empty() ? endStatus : name();
}

std::string RunFileState::sentence() const {
    if (damage)
        return name() + ": " + damage->sentence() + "; everything before was read" +
               (ended && !endStatus.empty() ? ", and the run had ended as " + endStatus : "");
    if (whole())
        return name();
    std::string text = name() + (beingWritten ? ": so far it holds" : ": it holds");
    text += wholeBytes > kFileHeaderBytes ? " everything up to byte " + std::to_string(wholeBytes)
                                          : std::string(" its header and no record");
    if (unfinishedBytes > 0)
        text += "; the " + std::to_string(unfinishedBytes) + " bytes after it are an unfinished record";
    if (!activity.empty())
        text += (beingWritten ? "; computing " : "; it was computing ") + activity;
    return text;
}

std::string RunFileState::gap() const {
    if (complete())
        return {};
    if (damage)
        return "the recording is damaged";
    return beingWritten ? "the recording is being written" : "the recording ends early";
}

namespace {

std::uint64_t trailingBytes(const RunFileReading& reading) {
    const bool behind = reading.damage && reading.damage->code == ErrorCode::BadInput && reading.study.ended;
    return behind && reading.fileBytes > reading.wholeBytes ? reading.fileBytes - reading.wholeBytes : 0;
}

} // namespace

std::optional<Error> damageOf(const RunFileReading& reading) {
    const std::string whole = std::to_string(reading.wholeBytes);
    if (const std::uint64_t behind = trailingBytes(reading); behind > 0)
        return badInput(reading.path + ", byte " + whole,
                        std::to_string(behind) + (behind == 1 ? " byte follows" : " bytes follow") +
                            " behind the end of the recording, which is complete",
                        {}, "what follows is not read: keep the first " + whole + " bytes of the file");
    std::optional<Error> damage = reading.damage;
    if (damage && damage->advice.empty())
        damage->advice = reading.wholeBytes <= kFileHeaderBytes
                             ? "copy the file again from where it was written, or run its experiment again"
                             : "copy the file again where there is another copy of it; what was read can be "
                               "used and exported";
    return damage;
}

RunFileState stateOf(const RunFileReading& reading) {
    RunFileState state;
    state.damage = damageOf(reading);
    state.ended = reading.study.ended;
    state.wholeBytes = reading.wholeBytes;
    state.unfinishedBytes = std::max(reading.fileBytes, reading.wholeBytes) - reading.wholeBytes;
    state.endStatus = reading.study.endStatus;
    state.beingWritten = reading.beingWritten;
    state.trailingBytes = trailingBytes(reading);
    if (!state.damage && !state.ended && reading.study.activity)
        state.activity = reading.study.activity->sentence();
    return state;
}

RunFileState stateOf(const RunFile& file) {
    return stateOf(RunFileReading{file.path, file.study, file.damage, file.wholeBytes, file.fileBytes,
                                  file.beingWritten});
}

std::optional<Error> missingStart(const std::string& path, std::uint64_t fileBytes) {
    if (fileBytes == 0)
        return badInput(path + ", byte 0", "the file is empty", "a run file (.hscope)",
                        "a copy that failed, a full disk or a loss of power may have left it: copy it again "
                        "from where it was written, or run its experiment again");
    if (fileBytes >= kFileHeaderBytes)
        return std::nullopt;
    return badInput(path + ", byte " + std::to_string(fileBytes),
                    "expected a file header of " + std::to_string(kFileHeaderBytes) + " bytes, found the end",
                    {},
                    "a copy that failed, a full disk or a loss of power may have cut it: copy it again from "
                    "where it was written, or run its experiment again");
}

} // namespace heteroscope::profiling
