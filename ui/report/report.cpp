// SPDX-License-Identifier: GPL-3.0-or-later
// Reads run files, writes every figure that fits in every format, the tables and the page.
#include "ui/report/report.h"

#include "profiling/stream/stream_reader.h"
#include "ui/analyze/run_table.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/figure_export.h"
#include "ui/common/output_kind.h"
#include "ui/common/paths.h"
#include "ui/report/html_report.h"

#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <vector>

namespace heteroscope::ui {

namespace {

ExportSettings reportSettings() {
    ExportSettings settings;
    settings.millimetres = {174, 100};
    return settings;
}

/// A run file that is damaged or stops early gives what it has, as long as it has runs.
std::optional<profiling::RunFile> readFile(const QString& path, QString* error, ErrorCode& code) {
    code = ErrorCode::BadInput;
    if (*error = undecodableName(path); !error->isEmpty())
        return std::nullopt;
    auto file = profiling::readRunFile(path.toStdString());
    if (file && !file->study.runs.empty())
        return std::move(*file);
    if (!file || file->damage) {
        const Error& why = file ? *file->damage : file.error();
        *error = QString::fromStdString(why.sentence());
        code = why.code;
    } else {
        *error = ChartText::tr("%1: holds no run; open a run file (.hscope).").arg(path);
    }
    return std::nullopt;
}

struct ReportFile {
    QString path;
    QByteArray bytes;
};
using ReportFiles = std::vector<ReportFile>;

bool drawFigure(ReportSection& section, const ChartKind& kind, const QDir& folder, const QString& prefix,
                ReportFiles& files, QString* error) {
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
        if (bytes.isEmpty())
            return false;
        if (info.format == ExportFormat::Svg)
            figure.svg = bytes;
        figure.files << name;
        files.push_back({folder.filePath(name), bytes});
    }
    section.figures.push_back(std::move(figure));
    return true;
}

void makeTables(ReportSection& section, const QDir& folder, const QString& prefix, ReportFiles& files) {
    const RunTable table = buildRunTable(section.input);
    section.tableFiles = {prefix + QStringLiteral("runs.csv"), prefix + QStringLiteral("runs.tex")};
    files.push_back({folder.filePath(section.tableFiles[0]), runTableToCsv(table)});
    files.push_back(
        {folder.filePath(section.tableFiles[1]), runTableToLatex(table, section.input.a->caption)});
}

bool drawSection(ReportSection& section, const QDir& folder, const QString& prefix, ReportFiles& files,
                 QString* error) {
    for (const ChartKind& kind : chartKinds())
        if (!kind.comparison && !drawFigure(section, kind, folder, prefix, files, error))
            return false;
    makeTables(section, folder, prefix, files);
    return true;
}

/// The names of its figures, without case and ending.
QSet<QString> figuresOf(const QString& name) {
    QSet<QString> figures;
    for (const ChartKind& kind : chartKinds())
        figures << QStringLiteral("%1-%2").arg(name, QLatin1String(kind.id)).toCaseFolded();
    return figures;
}

/// Of one file none. A name whose figures would be another's, as the second of two equal ones, gets a number
/// that makes no other name that was given.
QStringList prefixesOf(const QStringList& runFiles) {
    if (runFiles.size() < 2)
        return {QString()};
    QStringList names;
    for (const QString& path : runFiles)
        names << QFileInfo(path).completeBaseName();
    QSet<QString> given, taken;
    for (const QString& name : names)
        given << name.toCaseFolded();
    QStringList prefixes;
    for (const QString& name : names) {
        QString unique = name;
        for (int number = 2; taken.intersects(figuresOf(unique)); ++number) {
            const QString numbered = QStringLiteral("%1-%2").arg(name, QString::number(number));
            if (!given.contains(numbered.toCaseFolded()))
                unique = numbered;
        }
        taken += figuresOf(unique);
        prefixes << unique + QLatin1Char('-');
    }
    return prefixes;
}

/// The file's name, with as many folders as tell it from the others.
QString labelOf(const QString& path, const QStringList& runFiles) {
    const auto whole = [](const QString& file) {
        return QDir::cleanPath(QFileInfo(file).absoluteFilePath());
    };
    for (int parts = 1;; ++parts) {
        const auto ending = [&](const QString& file) {
            return whole(file).section(QLatin1Char('/'), -parts);
        };
        const QString label = ending(path);
        if (std::none_of(runFiles.begin(), runFiles.end(), [&](const QString& other) {
                return whole(other) != whole(path) && ending(other) == label;
            }))
            return label;
    }
}

OutputRules rulesFor(const ReportFile& file, const QStringList& runFiles, const OutputRules& asked) {
    OutputRules rules = overItsKind({file.bytes.constData(), std::size_t(file.bytes.size())});
    for (const QString& path : runFiles)
        rules.inputs.push_back(path.toStdString());
    rules.force = asked.force;
    rules.forceAdvice = asked.forceAdvice;
    return rules;
}

/// All of them or, when one of them may not be written over, none.
bool writeFiles(const ReportFiles& files, const QStringList& runFiles, const OutputRules& rules,
                QString* error, ErrorCode& code) {
    for (const ReportFile& file : files)
        if (const Status status = checkOutput(file.path.toStdString(), rulesFor(file, runFiles, rules));
            !status) {
            *error = QString::fromStdString(status.error().sentence());
            code = status.error().code;
            return false;
        }
    code = ErrorCode::Io;
    return std::all_of(files.begin(), files.end(), [&](const ReportFile& file) {
        return saveBytes(file.path, file.bytes, error, rulesFor(file, runFiles, rules));
    });
}

} // namespace

bool writeReport(const QString& directory, const QStringList& runFiles, QString* error, ErrorCode* code,
                 const OutputRules& rules) {
    QString ignored;
    ErrorCode unasked = ErrorCode::BadInput;
    ErrorCode& why = code ? *code : unasked;
    why = ErrorCode::BadInput;
    QString& message = error ? *error : ignored;
    if (runFiles.isEmpty()) {
        message = ChartText::tr("No run file was given; name at least one after --runs.");
        return false;
    }
    std::vector<ReportSection> sections;
    ReportFiles files;
    QStringList damaged;
    std::optional<ErrorCode> damage; ///< of the first
    const QStringList prefixes = prefixesOf(runFiles);
    for (qsizetype i = 0; i < runFiles.size(); ++i) {
        const QString& path = runFiles[i];
        auto file = readFile(path, &message, why);
        if (!file)
            return false;
        ReportSection section;
        section.file = labelOf(path, runFiles);
        section.state = profiling::stateOf(*file);
        if (section.state.damage) {
            damage = damage.value_or(section.state.damage->code);
            damaged.append(path + QStringLiteral(" is ") + QString::fromStdString(section.state.sentence()));
        }
        section.input = analyzeStudies({file->study});
        const profiling::DeviceWork work = profiling::deviceWork(*file->trace);
        section.input.roofline =
            std::make_shared<const profiling::Roofline>(profiling::roofline(*file->trace, file->study, work));
        section.input.layers = std::make_shared<const std::vector<profiling::RunLayerTimes>>(
            profiling::layerTimes(*file->trace, file->study, work));
        if (!drawSection(section, QDir(directory), prefixes[i], files, &message)) {
            why = ErrorCode::Io;
            return false;
        }
        sections.push_back(std::move(section));
    }
    files.push_back({QDir(directory).filePath(QStringLiteral("report.html")), htmlReport(sections)});
    if (!writeFiles(files, runFiles, rules, &message, why))
        return false;
    why = damage.value_or(ErrorCode::BadInput);
    message = damaged.join(QStringLiteral("; "));
    return true;
}

} // namespace heteroscope::ui
