// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_file_judge.h"

#include "compute/base/output_lock.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace heteroscope::ui {

RunFileJudge::RunFileJudge(std::string path) : m_path(std::move(path)), m_hadWriter(hasWriter()) {}

bool RunFileJudge::hasWriter() const {
    return !requireNoWriter(m_path, m_path);
}

profiling::RunFileState RunFileJudge::state(const profiling::StreamReader& reader,
                                            const profiling::Study& study,
                                            std::optional<Error> damage) const {
    std::error_code unknown;
    const std::uint64_t read = reader.offset() + reader.pendingBytes();
    const auto size = std::filesystem::file_size(m_path, unknown);
    const std::uint64_t all = unknown || !damage ? read : std::max<std::uint64_t>(size, read);
    const bool written = !study.ended && (m_hadWriter || hasWriter());
    return profiling::stateOf(
        profiling::RunFileReading{m_path, study, std::move(damage), reader.offset(), all, written});
}

} // namespace heteroscope::ui
