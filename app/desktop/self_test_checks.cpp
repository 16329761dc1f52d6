// SPDX-License-Identifier: GPL-3.0-or-later
// What the window needs: each is tried, not just looked for.
#include "app/desktop/self_test_checks.h"

#include "profiling/stream/stream_reader.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/figure_export.h"
#include "ui/common/paths.h"
#include "ui/library/library_index.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFontDatabase>
#include <QFontInfo>
#include <QGuiApplication>
#include <QImage>
#include <QImageReader>
#include <QRawFont>
#include <QStringList>

#include <optional>
#include <vector>

namespace heteroscope {

namespace {

void addResult(Json& record, const char* name, const QString& problem, const QString& detail) {
    addCheck(record, name, problem.isEmpty() ? WindowCheck::Pass : WindowCheck::Fail,
             problem.isEmpty() ? detail : problem);
}

void checkFonts(Json& record) {
    const QFont font = QGuiApplication::font();
    const QString family = QFontInfo(font).family();
    const bool draws = QRawFont::fromFont(font).supportsCharacter(QChar('x'));
    addResult(record, "fonts",
              draws ? QString()
                    : QStringLiteral("no font with Latin letters was found; install fonts-dejavu-core"),
              QStringLiteral("%1, %2 families")
                  .arg(family.isEmpty() ? QStringLiteral("a font without a name") : family) // no fontconfig
                  .arg(QFontDatabase::families().size()));
}

void checkResources(Json& record) {
    const QString demo = ui::resourcesDirectory() + QStringLiteral("/examples/demo.json");
    addResult(record, "resources",
              QFile::exists(demo)
                  ? QString()
                  : QStringLiteral("%1 was not found; install the program whole, or set "
                                   "HETEROSCOPE_RESOURCES to the folder resources of the sources")
                        .arg(demo),
              ui::resourcesDirectory());
}

void checkPictures(Json& record) {
    const bool svg = QImageReader::supportedImageFormats().contains("svg");
    addResult(record, "SVG pictures",
              svg ? QString() : QStringLiteral("Qt's SVG plugin was not found; install libqt6svg6"),
              QStringLiteral("icons can be drawn"));
}

/// An index of its own beside the library's.
void checkIndex(Json& record) {
    const QString path =
        ui::dataDirectory() + QStringLiteral("/self-test-%1.sqlite").arg(QCoreApplication::applicationPid());
    std::optional<ui::IndexTrouble> trouble;
    std::vector<ui::LibraryEntry> stored;
    ui::LibraryEntry entry;
    entry.path = QStringLiteral("self-test.hscope");
    {
        ui::LibraryIndex index;
        trouble = index.open(path);
        if (!trouble)
            trouble = index.put({entry});
        if (!trouble)
            trouble = index.read(stored);
    }
    QString problem;
    if (trouble)
        problem = QStringLiteral("%1: %2").arg(path, trouble->reason);
    else if (stored.size() != 1 || stored.front().path != entry.path)
        problem = QStringLiteral("%1: what was written could not be read back").arg(path);
    if (!QFile::remove(path) && problem.isEmpty())
        problem = QStringLiteral("%1 could not be removed").arg(path);
    addResult(record, "library", problem,
              QStringLiteral("the index in %1 can be written").arg(ui::dataDirectory()));
}

QString figureProblem(const profiling::Study& study, const QString& folder, QStringList& written) {
    const ui::ChartInput input = ui::analyzeStudies({study});
    for (const ui::ChartKind& kind : ui::chartKinds()) {
        const ui::ChartData chart = kind.comparison ? ui::ChartData() : ui::buildChart(kind, input);
        if (kind.comparison || !chart.drawable())
            continue;
        for (const ui::ExportFormatInfo& format : ui::exportFormats()) {
            QString problem;
            const QString path = QStringLiteral("%1/figure.%2").arg(folder, QLatin1String(format.suffix));
            if (!ui::exportChart(chart, format.format, {}, path, &problem))
                return problem;
            written << QString::fromLatin1(format.suffix).toUpper();
        }
        return {};
    }
    return QStringLiteral("no chart of the study can be drawn");
}

/// Whether something is drawn on it.
bool hasInk(const QImage& image) {
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != image.pixel(0, 0))
                return true;
    return false;
}

void checkFigure(Json& record, const QString& folder) {
    const QStringList runs = QDir(folder).entryList({QStringLiteral("*.hscope")}, QDir::Files, QDir::Name);
    if (runs.isEmpty())
        return addCheck(record, "figures", WindowCheck::Fail,
                        QStringLiteral("the command line left no run file to draw"));
    for (const QString& name : runs) {
        const auto file = profiling::readRunFile(QDir(folder).filePath(name).toStdString());
        if (!file)
            return addCheck(record, "figures", WindowCheck::Fail,
                            QString::fromStdString(file.error().sentence()));
        QStringList written;
        QString problem = figureProblem(file->study, folder, written);
        if (problem.isEmpty() && !hasInk(QImage(folder + QStringLiteral("/figure.png"))))
            problem = QStringLiteral("the figure of %1 is empty").arg(name);
        if (!problem.isEmpty() || name == runs.last())
            return addResult(
                record, "figures", problem,
                QStringLiteral("of %1 run files, as %2").arg(runs.size()).arg(written.join(", ")));
    }
}

int countOf(const Json& record, const char* result) {
    int count = 0;
    for (const Json& check : record.at("checks"))
        count += check.at("result") == result ? 1 : 0;
    return count;
}

} // namespace

void addCheck(Json& record, const char* name, WindowCheck result, const QString& detail) {
    const char* word = result == WindowCheck::Pass   ? "pass"
                       : result == WindowCheck::Fail ? "fail"
                                                     : "missing";
    record["checks"].push_back(
        {{"group", "window"}, {"name", name}, {"result", word}, {"detail", detail.toStdString()}});
}

void checkWindow(Json& record, const QString& folder) {
    checkFonts(record);
    checkResources(record);
    checkPictures(record);
    checkIndex(record);
    checkFigure(record, folder);
}

bool allPassed(const Json& record) {
    return countOf(record, "fail") == 0;
}

QString checkTable(const Json& record) {
    QString text;
    const auto cell = [](const Json& check, const char* key) {
        return QString::fromStdString(check.at(key).get<std::string>());
    };
    for (const Json& check : record.at("checks"))
        text += QStringLiteral("%1  %2  %3  %4\n")
                    .arg(cell(check, "result"), -7)
                    .arg(cell(check, "group"), -7)
                    .arg(cell(check, "name"), -26)
                    .arg(cell(check, "detail"));
    return text + QStringLiteral("\nSelf-test %1: %2 passed, %3 failed, %4 missing here, in %5 s.\n")
                      .arg(allPassed(record) ? QStringLiteral("passed") : QStringLiteral("FAILED"))
                      .arg(countOf(record, "pass"))
                      .arg(countOf(record, "fail"))
                      .arg(countOf(record, "missing"))
                      .arg(record.at("seconds").get<double>(), 0, 'f', 1);
}

} // namespace heteroscope
