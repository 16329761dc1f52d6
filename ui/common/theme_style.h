// SPDX-License-Identifier: GPL-3.0-or-later
// The application's style sheet, made from a theme's colours. GUI thread.
#pragma once

#include "ui/common/theme.h"

#include <QString>

namespace heteroscope::ui {

/// Widgets opt in by the dynamic property "role": "title", "heading", "muted", "card", "primary", "call",
/// "chip", "bar", "mono".
QString themeStyleSheet(const ThemeColors& colors);

} // namespace heteroscope::ui
