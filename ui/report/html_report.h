// SPDX-License-Identifier: GPL-3.0-or-later
// One self-contained HTML page of studies: environment, method, figures as inline SVG, tables, captions;
// light and dark by the reader's setting. GUI thread (the figures are drawn).
#pragma once

#include "profiling/stream/run_file_state.h"
#include "ui/charts/chart_input.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace heteroscope::ui {

/// A figure of the report and the files written beside it.
struct ReportFigure {
    ChartData chart;
    QByteArray svg;
    QStringList files; ///< relative to the page
};

struct ReportSection {
    QString file; ///< the run file's name, with folders where another one has the same
    profiling::RunFileState state;
    ChartInput input;
    std::vector<ReportFigure> figures;
    QStringList tableFiles;
    QStringList left; ///< "Thread efficiency: no target ran with two numbers of threads"
};

QByteArray htmlReport(const std::vector<ReportSection>& sections);

} // namespace heteroscope::ui
