// SPDX-License-Identifier: GPL-3.0-or-later
// Puts a draw list into an image, row of pixels by row of pixels: a lane is composed once as a line of
// colours and copied, so that the cost depends on pixels only. GUI thread.
#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/label_cache.h"
#include "ui/timeline/time_format.h"

#include <QImage>

namespace heteroscope::ui {

struct RowColors {
    QRgb background = 0, group = 0, border = 0, grid = 0, pinnedGap = 0;
};
/// The rows' colours of the current or the printing theme.
RowColors rowColors(bool dark);
/// Black or white, whichever reads better on `fill`.
QRgb textOn(QRgb fill);

/// `image` is Format_RGB32, in device pixels, with its ratio set.
void paintRaster(QImage& image, const DrawList& list, const TickSet& ticks, const RowColors& colors,
                 LabelCache& labels);

} // namespace heteroscope::ui
