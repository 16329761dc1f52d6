// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are replaced whole or not at all. Any thread.
#pragma once

#include <QByteArray>
#include <QString>

namespace heteroscope::ui {

/// Puts a file with these bytes in the place of `path` once they are on the disk. False with the system's
/// reason in `why`; what was there stays then. QSaveFile alone does not notice a disk that is full when it
/// writes the last block.
bool writeWholeFile(const QString& path, const QByteArray& bytes, QString* why);

} // namespace heteroscope::ui
