// SPDX-License-Identifier: GPL-3.0-or-later
// Digests of files; the stamp spares reading one that nobody has touched.
#include "ui/build/file_mark.h"

#include "compute/base/file_kind.h"

#include <QCryptographicHash>
#include <QFile>

#include <sys/stat.h>

namespace heteroscope::ui {

namespace {

QByteArray digestOf(const QByteArray& content) {
    return QCryptographicHash::hash(content, QCryptographicHash::Sha256);
}

/// Empty where there is no file.
QByteArray stampOf(const QString& path) {
    struct stat info {};
    if (::stat(QFile::encodeName(path).constData(), &info) != 0)
        return {};
    QByteArray stamp;
    for (const auto part :
         {qint64(info.st_dev), qint64(info.st_ino), qint64(info.st_size), qint64(info.st_mtim.tv_sec),
          qint64(info.st_mtim.tv_nsec), qint64(info.st_ctim.tv_sec), qint64(info.st_ctim.tv_nsec)})
        stamp += QByteArray::number(part) + ' ';
    return stamp;
}

} // namespace

void FileMark::set(const QByteArray& content) {
    m_digest = digestOf(content);
    m_stamp.clear();
    m_told.clear();
}

bool FileMark::changed(const QString& path) {
    const QByteArray stamp = stampOf(path); // before it is read: a change meanwhile is noticed next time
    if (stamp.isEmpty() || stamp == m_stamp)
        return false;
    QFile file(path);
    if (!kindOfSpecialFile(path.toStdString()).empty() || !file.open(QIODevice::ReadOnly))
        return true;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!hash.addData(&file) || hash.result() != m_digest)
        return true;
    m_stamp = stamp;
    return false;
}

bool FileMark::isNews(const QString& path) {
    const QByteArray stamp = stampOf(path);
    if (stamp == m_told || !changed(path))
        return false;
    m_told = stamp;
    return true;
}

} // namespace heteroscope::ui
