// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as files for print: PNG, SVG, PDF, CSV and pgfplots, at a physical size, in the light print style
// whatever the window shows. Files are written whole or not at all. GUI thread.
#pragma once

#include "compute/base/output_file.h"
#include "ui/charts/chart_data.h"

#include <QByteArray>
#include <QSet>
#include <QSizeF>
#include <QString>

#include <span>

namespace heteroscope::ui {

enum class ExportFormat { Pdf, Svg, Png, Csv, Tex };

struct ExportFormatInfo {
    ExportFormat format;
    const char* suffix; ///< "pdf"
    const char* title;  ///< "PDF (vector)", translated in context ChartText
};
std::span<const ExportFormatInfo> exportFormats();
QString formatSuffix(ExportFormat format);

/// Final physical size of the figure.
struct FigureSize {
    const char* id;
    const char* title; ///< translated in context ChartText
    QSizeF millimetres;
};
std::span<const FigureSize> figureSizes(); ///< column, page, slide; the first is the default

struct ExportSettings {
    QSizeF millimetres{84, 60};
    int pngDpi = 300;
    bool caption = false; ///< draw the machine caption under the figure
    bool grey = false;
    QSet<QString> hiddenSeries;
};

/// The bytes of one file. Empty with a sentence in `error` when the chart cannot be drawn.
QByteArray renderChart(const ChartData& chart, ExportFormat format, const ExportSettings& settings,
                       QString* error);

/// Renders and saves over an earlier file of the kind; the suffix of `path` is taken as it is. False with a
/// sentence in `error`.
bool exportChart(const ChartData& chart, ExportFormat format, const ExportSettings& settings,
                 const QString& path, QString* error);

/// Writes bytes whole or not at all, and the folder where there is none.
bool saveBytes(const QString& path, const QByteArray& bytes, QString* error, const OutputRules& rules);

/// "max-pooling-size-sweep-time": safe in any file system, from the study's name and the chart kind.
QString defaultFileName(const QString& studyName, const QString& chartKind);

} // namespace heteroscope::ui
