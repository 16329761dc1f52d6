// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a draw list on any QPainter: shapes stay shapes and text stays text. GUI thread.
#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/label_cache.h"
#include "ui/timeline/raster_painter.h"

class QPainter;

namespace heteroscope::ui {

/// The rows' area with its top left corner at the painter's origin.
void paintVector(QPainter& painter, const DrawList& list, const TickSet& ticks, const RowColors& colors,
                 LabelCache& labels);

} // namespace heteroscope::ui
