// SPDX-License-Identifier: GPL-3.0-or-later
// What kind of file a person handed over, by its first bytes and its name. Any thread.
#pragma once

#include <QString>

namespace heteroscope::ui {

enum class FileKind { Unknown, Experiment, RunFile, Trace, Image, Npy };

FileKind kindOfFile(const QString& path);
/// A sentence for FileKind::Unknown.
QString whyNotOpened(const QString& path);

} // namespace heteroscope::ui
