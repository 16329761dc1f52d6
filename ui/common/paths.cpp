// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of resources and data.
#include "ui/common/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QStandardPaths>

namespace heteroscope::ui {

QString dataDirectory() {
    QString path = qEnvironmentVariable("HETEROSCOPE_DATA");
    if (path.isEmpty())
        path = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    QDir().mkpath(path);
    return QDir::cleanPath(path);
}

QString resourcesDirectory() {
    const QString named = qEnvironmentVariable("HETEROSCOPE_RESOURCES");
    if (!named.isEmpty())
        return QDir::cleanPath(named);
    const QString beside = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/heteroscope");
    if (QDir(beside).exists())
        return QDir::cleanPath(beside);
    return QStringLiteral(HETEROSCOPE_RESOURCES_OF_BUILD);
}

} // namespace heteroscope::ui
