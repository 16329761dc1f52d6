// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window finds its resources and keeps its data. Any thread.
#pragma once

#include <QString>

namespace heteroscope::ui {

/// $HETEROSCOPE_DATA, else the user's data location. Created on demand.
QString dataDirectory();
/// $HETEROSCOPE_RESOURCES, else share/heteroscope beside the program, else the source tree of this build.
QString resourcesDirectory();

} // namespace heteroscope::ui
