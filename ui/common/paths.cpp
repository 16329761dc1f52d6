// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of resources and data.
#include "ui/common/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace heteroscope::ui {

QString dataDirectory() {
    QString path = qEnvironmentVariable("HETEROSCOPE_DATA");
    if (path.isEmpty())
        path = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    createFolder(path); // who writes into it says why it cannot
    return QDir::cleanPath(path);
}

QString createFolder(const QString& path) {
    std::error_code failed; // Qt says only that it failed
    std::filesystem::create_directories(QFile::encodeName(path).toStdString(), failed);
    if (!failed)
        return {};
    return QCoreApplication::translate("heteroscope::ui",
                                       "%1 cannot be created: %2; make it writable, or choose another folder "
                                       "for the data (environment variable HETEROSCOPE_DATA)")
        .arg(path, QString::fromStdString(failed.message()));
}

QString undecodableName(const QString& path) {
    if (!path.contains(QChar::ReplacementCharacter) || QFile::exists(path)) // the sign itself may be meant
        return {};
    return QCoreApplication::translate("heteroscope::ui",
                                       "%1 cannot be opened by the window: its name holds bytes that are no "
                                       "UTF-8 text. Rename it, or open a link to it that has another name "
                                       "(ln -s). heteroscope-cli opens it as it is.")
        .arg(path);
}

Error cannotOpen(const QFile& file) {
    Error error =
        badInput(file.fileName().toStdString(), "it cannot be opened: " + file.errorString().toStdString());
    if (file.error() == QFileDevice::ResourceError) // what Qt makes of it
        error.systemError = EMFILE;
    return error;
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
