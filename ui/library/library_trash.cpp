// SPDX-License-Identifier: GPL-3.0-or-later
// The trash folder.
#include "ui/library/library_trash.h"

#include "ui/common/text.h"
#include "ui/library/library_entry.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace heteroscope::ui {

namespace {

bool moveFile(const QString& from, const QString& to, QString* error) {
    QFile file(from);
    if (file.rename(to))
        return true;
    *error = tr("%1 could not be moved: %2.").arg(from, file.errorString());
    return false;
}

bool moveBoth(const QString& from, const QString& to, QString* error) {
    if (!moveFile(from, to, error))
        return false;
    QString ignored; // notes stay where they are when they cannot follow; the run is what counts
    if (QFileInfo::exists(sidecarPath(from)))
        moveFile(sidecarPath(from), sidecarPath(to), &ignored);
    return true;
}

} // namespace

TrashedRun moveToTrash(const QString& runFile, QString* error) {
    const QFileInfo info(runFile);
    QDir folder(info.absolutePath());
    folder.mkpath(QStringLiteral("trash"));
    folder.cd(QStringLiteral("trash"));
    QString target = folder.filePath(info.fileName());
    for (int i = 2; QFileInfo::exists(target); ++i)
        target = folder.filePath(QStringLiteral("%1_%2.hscope").arg(info.completeBaseName()).arg(i));
    if (!moveBoth(runFile, target, error))
        return {runFile, {}};
    return {runFile, target};
}

bool restoreFromTrash(const TrashedRun& run, QString* error) {
    return moveBoth(run.trashed, run.original, error);
}

} // namespace heteroscope::ui
