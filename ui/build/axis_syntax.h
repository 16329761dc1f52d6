// SPDX-License-Identifier: GPL-3.0-or-later
// Values of a sweep as people type them: "4..4096 *2", "1..8", "10..50 +10", "1, 2, 4", "image, window".
// Pure functions; any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"

#include <QString>

#include <vector>

namespace heteroscope::ui {

/// The values, or what is wrong with the text. At most SpecLimits::kMaxPoints values.
Result<std::vector<Json>> parseAxisValues(const QString& text);

/// The shortest text that gives these values again.
QString axisValuesText(const std::vector<Json>& values);

/// "4, 8, 16 … 4096": for a preview.
QString axisPreview(const std::vector<Json>& values);

/// `one` for a single thing, else `many` with the number for %n.
QString counted(std::size_t count, const QString& one, const QString& many);

} // namespace heteroscope::ui
