// SPDX-License-Identifier: GPL-3.0-or-later
// Names and meanings of the dictionary of figures in the window's language. GUI thread (translated texts).
#pragma once

#include "profiling/analysis/figure.h"

#include <QString>

#include <span>

namespace heteroscope::ui {

/// "Wall time": as the title of a column.
QString figureTitle(const profiling::Figure& figure);
/// "time in which such a copy ran", or "median of the reference / median of the run".
QString figureMeaning(const profiling::Figure& figure);

/// Those that the window names: their texts are in resources/translations/figure_texts.cpp.
std::span<const profiling::Figure* const> shownFigures();

} // namespace heteroscope::ui
