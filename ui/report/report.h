// SPDX-License-Identifier: GPL-3.0-or-later
// Figures and an HTML report of stored studies without a display: `heteroscope --report DIR --runs F...`. GUI
// thread.
#pragma once

#include "compute/base/error.h"
#include "compute/base/output_file.h"

#include <QString>
#include <QStringList>

namespace heteroscope::ui {

/// Writes every chart that fits each study as PNG, SVG, PDF, CSV and .tex, and report.html, into `directory`.
/// Files that are there are written over when they are of the same kind, with `rules.force` those of any
/// kind, the run files never; all is checked before the first one is written. Of `rules` only `force` and
/// `forceAdvice` count. False with a sentence in `error` when something could not be read or may not be
/// written over, or could not be written. Of a damaged file the report has what could be read; true then,
/// too, with a sentence in `error`. With each sentence `*code` says what kind of mistake it is about.
bool writeReport(const QString& directory, const QStringList& runFiles, QString* error,
                 ErrorCode* code = nullptr, const OutputRules& rules = {});

} // namespace heteroscope::ui
