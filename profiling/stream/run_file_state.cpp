// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/run_file_state.h"

namespace heteroscope::profiling {

std::string RunFileState::name() const {
    if (damage)
        return "damaged";
    return whole() ? "whole" : "stopped early";
}

std::string RunFileState::sentence() const {
    if (damage)
        return name() + ": " + damage->sentence() + "; everything before was read";
    if (whole())
        return name();
    std::string text = name() + ": it holds everything up to byte " + std::to_string(wholeBytes);
    if (unfinishedBytes > 0)
        text += "; the " + std::to_string(unfinishedBytes) + " bytes after it are an unfinished record";
    return text;
}

RunFileState stateOf(const RunFile& file) {
    return {file.damage, file.study.ended, file.wholeBytes, file.bytesRead - file.wholeBytes};
}

} // namespace heteroscope::profiling
