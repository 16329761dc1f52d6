// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window finds its resources and keeps its data. Any thread.
#pragma once

#include "compute/base/error.h"

#include <QString>

class QFile;

namespace heteroscope::ui {

/// $HETEROSCOPE_DATA, else the user's data location. Created on demand.
QString dataDirectory();
/// With the folders above it. Empty, or why not: "/data/runs cannot be created: Read-only file system; ...".
QString createFolder(const QString& path);
/// $HETEROSCOPE_RESOURCES, else share/heteroscope beside the program, else the source tree of this build.
QString resourcesDirectory();
/// Why a file cannot be opened whose name is no UTF-8 text: paths are texts here, which cannot hold its
/// bytes. Empty for any other.
QString undecodableName(const QString& path);
/// Of a file whose open() has failed: bad input, with the system's words.
Error cannotOpen(const QFile& file);

} // namespace heteroscope::ui
