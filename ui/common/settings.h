// SPDX-License-Identifier: GPL-3.0-or-later
// What the window remembers between starts: an INI file in the data folder, so that a portable copy keeps it.
// GUI thread.
#pragma once

#include "ui/common/theme.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

namespace heteroscope::ui {

class Settings {
  public:
    Settings(); ///< dataDirectory()/settings.ini

    ColorScheme colorScheme() const;
    void setColorScheme(ColorScheme scheme);

    QString language() const; ///< empty: the system's
    void setLanguage(const QString& code);

    static constexpr int kRecentFiles = 15;
    QStringList recentFiles() const; ///< newest first; files that are gone are left out
    void addRecentFile(const QString& path);
    void clearRecentFiles();

    QByteArray windowGeometry() const;
    QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);

    QString lastFolder() const;
    void setLastFolder(const QString& folder);

    QString filePath() const;

  private:
    QSettings m_settings;
};

} // namespace heteroscope::ui
