// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/whole_file.h"

#include <QSaveFile>

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace heteroscope::ui {

namespace {

/// Where a file system has nothing to synchronise it says so with EINVAL.
bool reachesTheDisk(const QFileDevice& file) {
    return ::fsync(file.handle()) == 0 || errno == EINVAL;
}

} // namespace

bool writeWholeFile(const QString& path, const QByteArray& bytes, QString* why) {
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush();
    if (written && !reachesTheDisk(file)) {
        *why = QString::fromLocal8Bit(std::strerror(errno));
        file.cancelWriting();
        return false;
    }
    if (written && file.commit())
        return true;
    *why = file.errorString();
    return false;
}

} // namespace heteroscope::ui
