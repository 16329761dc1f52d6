// SPDX-License-Identifier: GPL-3.0-or-later
// Judges a run file that is read piece by piece as readRunFile() judges it. Any thread.
#pragma once

#include "profiling/stream/run_file_state.h"
#include "profiling/stream/stream_reader.h"

#include <optional>
#include <string>

namespace heteroscope::ui {

class RunFileJudge {
  public:
    /// Before the first piece is read: the writer may be done by the time all is.
    explicit RunFileJudge(std::string path);
    /// After the last one. `damage`: why reading ended before the file did.
    profiling::RunFileState state(const profiling::StreamReader& reader, const profiling::Study& study,
                                  std::optional<Error> damage) const;

  private:
    bool hasWriter() const;

    std::string m_path;
    bool m_hadWriter;
};

} // namespace heteroscope::ui
