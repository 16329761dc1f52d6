// SPDX-License-Identifier: GPL-3.0-or-later
// Tells files apart.
#include "ui/main_window/dropped_files.h"

#include "compute/base/file_kind.h"
#include "compute/experiment/spec/spec_json.h"
#include "ui/common/format.h"
#include "ui/common/paths.h"
#include "ui/common/text.h"

#include <QFile>
#include <QFileInfo>

namespace heteroscope::ui {

namespace {

constexpr qint64 kLookBytes = 4096;

/// Both say so in a key. A trace may do so anywhere, after what its recorder has to say; what says neither,
/// and is no larger than an experiment may be, is opened as one, which names what is wrong with it.
FileKind kindOfJson(const QByteArray& start, QFile& file) {
    const char* const events = "\"traceEvents\"";
    if (start.contains(events) || start.trimmed().startsWith('['))
        return FileKind::Trace;
    if (start.contains("\"heteroscope\""))
        return FileKind::Experiment;
    if (file.size() > qint64(compute::SpecLimits::kMaxFileBytes) || !file.seek(0))
        return FileKind::Trace;
    return file.readAll().contains(events) ? FileKind::Trace : FileKind::Experiment;
}

} // namespace

FileKind kindOfFile(const QString& path) {
    if (!kindOfSpecialFile(path.toStdString()).empty())
        return FileKind::Unknown; // opening a FIFO would wait
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return FileKind::Unknown;
    const QByteArray start = file.read(kLookBytes);
    if (start.startsWith("HSCOPE\r\n") || path.endsWith(QStringLiteral(".hscope"), Qt::CaseInsensitive))
        return FileKind::RunFile;
    if (start.startsWith("\x93NUMPY"))
        return FileKind::Npy;
    const bool png = start.startsWith("\x89PNG"), jpeg = start.startsWith("\xff\xd8\xff");
    const bool portable = start.size() > 2 && start[0] == 'P' && start[1] >= '1' && start[1] <= '6' &&
                          QByteArray(" \n\r\t#").contains(start[2]);
    if (png || jpeg || portable ||
        (start.startsWith("BM") && path.endsWith(QStringLiteral(".bmp"), Qt::CaseInsensitive)))
        return FileKind::Image;
    if (start.startsWith("\x1f\x8b"))
        return FileKind::Trace;
    const QByteArray text = start.trimmed();
    if (text.startsWith('{') || text.startsWith('['))
        return kindOfJson(text, file);
    return FileKind::Unknown;
}

QString whyNotOpened(const QString& path) {
    const QFileInfo info(path);
    if (const QString name = undecodableName(path); !name.isEmpty())
        return name;
    if (!info.exists())
        return tr("%1 does not exist.").arg(path);
    if (info.isDir())
        return tr("%1 is a folder; open a file in it.").arg(path);
    if (const std::string kind = kindOfSpecialFile(path.toStdString()); !kind.empty())
        return tr("%1 is a %2, not a regular file.").arg(path, fromStd(kind));
    if (!info.isReadable())
        return tr("%1 may not be read.").arg(path);
    if (info.size() == 0)
        return tr("%1 is empty.").arg(path);
    return tr("%1 is nothing that opens here: experiments (.json), run files (.hscope), Chrome traces "
              "(.json, .json.gz), "
              "images (PNG, JPEG, BMP, PGM) and .npy arrays do.")
        .arg(path);
}

} // namespace heteroscope::ui
