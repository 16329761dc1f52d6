// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/run_file_state.h"

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
    std::string text = name() + (beingWritten ? ": so far it holds" : ": it holds") +
                       " everything up to byte " + std::to_string(wholeBytes);
    if (unfinishedBytes > 0)
        text += "; the " + std::to_string(unfinishedBytes) + " bytes after it are an unfinished record";
    return text;
}

std::string RunFileState::gap() const {
    if (whole())
        return {};
    if (damage)
        return "the recording is damaged";
    return beingWritten ? "the recording is being written" : "the recording ends early";
}

RunFileState stateOf(const RunFile& file) {
    return {file.damage,          file.study.ended, file.wholeBytes, file.bytesRead - file.wholeBytes,
            file.study.endStatus, file.beingWritten};
}

} // namespace heteroscope::profiling
