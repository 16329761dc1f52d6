// SPDX-License-Identifier: GPL-3.0-or-later
// What the window may write over: only an earlier file of the same kind. Pure; any thread.
#pragma once

#include "compute/base/output_file.h"

#include <string_view>

namespace heteroscope::ui {

/// Rules for a file that begins with `bytes`: one that is there is written over when its first bytes tell of
/// the same kind (picture, PDF, report, results, trace, table). A refusal advises to choose another name, as
/// the window has no --force; whoever has sets `forceAdvice`.
OutputRules overItsKind(std::string_view bytes);

} // namespace heteroscope::ui
