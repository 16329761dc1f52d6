// SPDX-License-Identifier: GPL-3.0-or-later
// What a run of a pooling study had to do, worked out from its experiment: windows extracted. Pure function.
#pragma once

#include "profiling/stream/study.h"

#include <cstdint>
#include <optional>

namespace heteroscope::ui {

/// Windows of a run: from its metric "windows", else computed from the experiment; nothing for other kinds.
std::optional<double> windowsOf(const profiling::Study& study, const profiling::StudyRun& run);

} // namespace heteroscope::ui
