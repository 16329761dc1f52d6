// SPDX-License-Identifier: GPL-3.0-or-later
// What the library knows of a run file. Plain values and files; any thread.
#pragma once

#include "compute/base/result.h"

#include <QDateTime>
#include <QMetaType>
#include <QString>
#include <QStringList>

#include <vector>

namespace heteroscope::ui {

struct LibraryEntry {
    QString path;
    qint64 bytes = 0;
    qint64 modifiedMs = 0; ///< of the file; with `bytes` it tells whether the summary is still right
    QString name, kind, machine;
    QDateTime started; ///< local time
    QStringList targets;
    int points = 0;
    double bestSpeedup = 0; ///< the one that the headline speaks of; 0: nothing to compare
    QString bestTarget;     ///< whose it is
    QString bestPoint;      ///< at which point, as JSON; empty without axes
    QString state;          ///< RunFileState::outcome(), or "unreadable"
    QStringList tags;
    QString notes;
};

/// Reads what the library shows from a run file, without its trace. `path`, `bytes` and `modifiedMs` are set
/// always.
LibraryEntry summarizeRunFile(const QString& path);

/// Tags and notes lie beside the run file, so that they move with it and outlive the index.
QString sidecarPath(const QString& runFile);
void readSidecar(LibraryEntry& entry);
/// Atomic; removes the sidecar when there is nothing to keep. Errors: writeOutput()'s.
Status writeSidecar(const LibraryEntry& entry);

} // namespace heteroscope::ui

Q_DECLARE_METATYPE(std::vector<heteroscope::ui::LibraryEntry>)
