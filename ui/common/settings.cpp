// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes the settings file.
#include "ui/common/settings.h"

#include "ui/common/paths.h"

#include <QDir>
#include <QFileInfo>

namespace heteroscope::ui {

namespace {
constexpr int kStateVersion =
    1; ///< raised when docks change, so that an old layout is not forced on a new window
}

Settings::Settings() : m_settings(dataDirectory() + QStringLiteral("/settings.ini"), QSettings::IniFormat) {}

ColorScheme Settings::colorScheme() const {
    const QString name = m_settings.value(QStringLiteral("view/scheme")).toString();
    if (name == QLatin1String("dark"))
        return ColorScheme::Dark;
    return name == QLatin1String("light") ? ColorScheme::Light : ColorScheme::System;
}

void Settings::setColorScheme(ColorScheme scheme) {
    const char* name = scheme == ColorScheme::Dark    ? "dark"
                       : scheme == ColorScheme::Light ? "light"
                                                      : "system";
    m_settings.setValue(QStringLiteral("view/scheme"), QString::fromLatin1(name));
}

QString Settings::language() const {
    return m_settings.value(QStringLiteral("view/language")).toString();
}

void Settings::setLanguage(const QString& code) {
    m_settings.setValue(QStringLiteral("view/language"), code);
}

QStringList Settings::recentFiles() const {
    QStringList present;
    for (const QString& path : m_settings.value(QStringLiteral("files/recent")).toStringList()) {
        if (QFileInfo::exists(path))
            present.append(path);
    }
    return present.mid(0, kRecentFiles);
}

void Settings::addRecentFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    m_settings.setValue(QStringLiteral("files/recent"), files.mid(0, kRecentFiles));
}

void Settings::clearRecentFiles() {
    m_settings.remove(QStringLiteral("files/recent"));
}

QByteArray Settings::windowGeometry() const {
    return m_settings.value(QStringLiteral("window/geometry")).toByteArray();
}

QByteArray Settings::windowState() const {
    if (m_settings.value(QStringLiteral("window/version")).toInt() != kStateVersion)
        return {};
    return m_settings.value(QStringLiteral("window/state")).toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& state) {
    m_settings.setValue(QStringLiteral("window/version"), kStateVersion);
    m_settings.setValue(QStringLiteral("window/geometry"), geometry);
    m_settings.setValue(QStringLiteral("window/state"), state);
}

QString Settings::lastFolder() const {
    return m_settings.value(QStringLiteral("files/folder"), QDir::homePath()).toString();
}

void Settings::setLastFolder(const QString& folder) {
    m_settings.setValue(QStringLiteral("files/folder"), folder);
}

QString Settings::filePath() const {
    return m_settings.fileName();
}

} // namespace heteroscope::ui
