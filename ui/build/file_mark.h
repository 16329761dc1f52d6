// SPDX-License-Identifier: GPL-3.0-or-later
// What a file held when it was last read or written here: tells whether another program has changed it since.
// GUI thread.
#pragma once

#include <QByteArray>
#include <QString>

namespace heteroscope::ui {

class FileMark {
  public:
    /// From now on the file is expected to hold this.
    void set(const QByteArray& content);
    /// Whether the file holds anything else, or cannot be read to find out. A file that is gone has nothing
    /// that could be written over: false.
    bool changed(const QString& path);
    /// changed(), once for each version that another program leaves there.
    bool isNews(const QString& path);

  private:
    QByteArray m_digest;
    QByteArray m_stamp; ///< of a file that held it: its number, size and times
    QByteArray m_told;  ///< of the version that isNews() was true for
};

} // namespace heteroscope::ui
