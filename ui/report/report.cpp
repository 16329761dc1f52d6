// SPDX-License-Identifier: GPL-3.0-or-later
// Reads run files, writes every figure that fits in every format, the tables and the page.
#include "ui/report/report.h"

#include "profiling/stream/stream_reader.h"
#include "ui/analyze/run_table.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/figure_export.h"
#include "ui/report/html_report.h"

#include <QDir>
#include <QFileInfo>

namespace heteroscope::ui {

namespace {

ExportSettings reportSettings() {
    ExportSettings settings;
    settings.millimetres = {174, 100};
    return settings;
}

/// A run file that is damaged or stops early gives what it has, as long as it has runs.
std::optional<profiling::RunFile> readFile(const QString& path, QString* error) {
    auto file = profiling::readRunFile(path.toStdString());
    if (file && !file->study.runs.empty())
        return std::move(*file);
    if (!file || file->damage)
        *error = QString::fromStdString((file ? *file->damage : file.error()).sentence());
    else
        *error = ChartText::tr("%1: holds no run; open a run file (.hscope).").arg(path);
    return std::nullopt;
}

bool writeFigure(ReportSection& section, const ChartKind& kind, const QDir& folder, const QString& prefix,
                 QString* error) {
    ReportFigure figure;
    figure.chart = buildChart(kind, section.input);
    if (!figure.chart.drawable()) {
        section.left << QStringLiteral("%1: %2").arg(chartTitle(kind), figure.chart.reason);
        return true;
    }
    for (const ExportFormatInfo& info : exportFormats()) {
        const QByteArray bytes = renderChart(figure.chart, info.format, reportSettings(), error);
        const QString name =
            QStringLiteral("%1%2.%3").arg(prefix, QLatin1String(kind.id), QLatin1String(info.suffix));
        if (bytes.isEmpty() || !saveBytes(folder.filePath(name), bytes, error))
            return false;
        if (info.format == ExportFormat::Svg)
            figure.svg = bytes;
        figure.files << name;
    }
    section.figures.push_back(std::move(figure));
    return true;
}

bool writeTables(ReportSection& section, const QDir& folder, const QString& prefix, QString* error) {
    const RunTable table = buildRunTable(section.input);
    section.tableFiles = {prefix + QStringLiteral("runs.csv"), prefix + QStringLiteral("runs.tex")};
    return saveBytes(folder.filePath(section.tableFiles[0]), runTableToCsv(table), error) &&
           saveBytes(folder.filePath(section.tableFiles[1]), runTableToLatex(table, section.input.a->caption),
                     error);
}

bool writeSection(ReportSection& section, const QDir& folder, const QString& prefix, QString* error) {
    for (const ChartKind& kind : chartKinds())
        if (!kind.comparison && !writeFigure(section, kind, folder, prefix, error))
            return false;
    return writeTables(section, folder, prefix, error);
}

} // namespace

bool writeReport(const QString& directory, const QStringList& runFiles, QString* error, bool* badInput) {
    QString ignored;
    QString& message = error ? *error : ignored;
    if (runFiles.isEmpty()) {
        message = ChartText::tr("No run file was given; name at least one after --runs.");
        return false;
    }
    std::vector<ReportSection> sections;
    for (const QString& path : runFiles) {
        auto file = readFile(path, &message);
        if (!file) {
            if (badInput != nullptr)
                *badInput = true;
            return false;
        }
        ReportSection section;
        section.file = QFileInfo(path).fileName();
        section.state = profiling::stateOf(*file);
        section.input = analyzeStudies({file->study});
        section.input.roofline = std::make_shared<const profiling::Roofline>(
            profiling::roofline(*file->trace, file->study, profiling::deviceWork(*file->trace)));
        const QString prefix =
            runFiles.size() > 1 ? QFileInfo(path).completeBaseName() + QLatin1Char('-') : QString();
        if (!writeSection(section, QDir(directory), prefix, &message))
            return false;
        sections.push_back(std::move(section));
    }
    return saveBytes(QDir(directory).filePath(QStringLiteral("report.html")), htmlReport(sections), &message);
}

} // namespace heteroscope::ui
