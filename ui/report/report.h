// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and an HTML report of stored studies without a display: `heteroscope --report DIR --runs F...`. GUI
// thread.
#pragma once

#include <QString>
#include <QStringList>

namespace heteroscope::ui {

/// Writes every chart that fits each study as PNG, SVG, PDF, CSV and .tex, and report.html, into `directory`.
/// False with a sentence in `error` when something could not be read (`*badInput` is set then) or written.
bool writeReport(const QString& directory, const QStringList& runFiles, QString* error,
                 bool* badInput = nullptr);

} // namespace heteroscope::ui
