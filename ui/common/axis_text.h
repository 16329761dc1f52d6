// SPDX-License-Identifier: GPL-3.0-or-later
// Axes of a study in the window's language. Pure functions; any thread.
#pragma once

#include <QString>

#include <string>

namespace heteroscope::ui {

/// "N" of a JSON pointer that ends in /input/size; linked axes by all their parts: "m = n = k". The last part
/// of a pointer that is not known.
QString axisShortName(const std::string& axis);
/// "Input size N (elements per side)".
QString axisTitle(const std::string& axis);

} // namespace heteroscope::ui
