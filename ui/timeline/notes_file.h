// SPDX-License-Identifier: GPL-3.0-or-later
// Notes of a trace in a small JSON file beside it. Any thread.
#pragma once

#include "compute/base/result.h"
#include "ui/timeline/timeline_state.h"

#include <QString>

#include <vector>

namespace heteroscope::ui {

/// No file means no notes. Errors: it cannot be read, is larger than notes may be, or is malformed.
Result<std::vector<Note>> loadNotes(const QString& path);
/// Whole or not at all; without notes the file is removed.
Status saveNotes(const QString& path, const std::vector<Note>& notes);

} // namespace heteroscope::ui
