// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_file_judge.h"

#include "compute/base/output_lock.h"

#include <utility>

namespace heteroscope::ui {

RunFileJudge::RunFileJudge(std::string path) : m_path(std::move(path)), m_hadWriter(hasWriter()) {}

bool RunFileJudge::hasWriter() const {
    return !requireNoWriter(m_path, m_path);
}

profiling::RunFileState RunFileJudge::state(const profiling::StreamReader& reader,
                                            const profiling::Study& study,
                                            std::optional<Error> damage) const {
    profiling::RunFileState state;
    state.damage = std::move(damage);
    state.ended = study.ended;
    state.wholeBytes = reader.offset();
    state.unfinishedBytes = reader.pendingBytes();
    state.endStatus = study.endStatus;
    state.beingWritten = !study.ended && (m_hadWriter || hasWriter());
    return state;
}

} // namespace heteroscope::ui
