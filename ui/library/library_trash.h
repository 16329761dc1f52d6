// SPDX-License-Identifier: GPL-3.0-or-later
// Deleting a run moves it, with its sidecar, into the folder "trash" beside it; undo moves it back. Any
// thread.
#pragma once

#include <QString>

namespace heteroscope::ui {

struct TrashedRun {
    QString original, trashed;
};

/// Empty `trashed` and a sentence in `error` when the file could not be moved.
TrashedRun moveToTrash(const QString& runFile, QString* error);
bool restoreFromTrash(const TrashedRun& run, QString* error);

} // namespace heteroscope::ui
