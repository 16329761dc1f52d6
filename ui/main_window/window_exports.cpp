// SPDX-License-Identifier: GPL-3.0-or-later
// File > Export: results, traces, pictures and the report of the shown study.
#include "profiling/analysis/results.h"
#include "profiling/io/chrome_json.h"
#include "ui/common/format.h"
#include "ui/common/output_kind.h"
#include "ui/main_window/window_impl.h"
#include "ui/report/report.h"
#include "ui/timeline/timeline_view.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

#include <memory>
#include <string_view>
#include <vector>

namespace heteroscope::ui {

namespace {

using Sessions = std::vector<std::shared_ptr<StudySession>>;

/// Never over the recordings that are shown, nor over a file of another kind than `text`.
OutputRules rulesBeside(const Sessions& sessions, std::string_view text) {
    OutputRules rules = overItsKind(text);
    for (const auto& session : sessions)
        rules.inputs.push_back(session->filePath().toStdString());
    return rules;
}

bool writeText(const QString& path, const std::string& text, const Sessions& sessions, QString* error) {
    const Status written = writeOutput(path.toStdString(), text, rulesBeside(sessions, text));
    if (!written)
        *error = fromStd(written.error().sentence());
    return written.ok();
}

} // namespace

QString MainWindow::Impl::askTarget(const QString& caption, const QString& suffix, const QString& filter) {
    const QString base = QFileInfo(sessions.front()->filePath()).completeBaseName();
    const QString suggested = QDir(settings.lastFolder()).filePath(base + suffix);
    const QString path = QFileDialog::getSaveFileName(&self, caption, suggested, filter);
    if (!path.isEmpty())
        settings.setLastFolder(QFileInfo(path).absolutePath());
    return path;
}

void MainWindow::Impl::sayWritten(const QString& path) {
    say(MessageBar::Tone::Good, tr("Written: %1").arg(path),
        {{tr("Show in Folder"),
          [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath())); }}},
        Topic::Export);
}

void MainWindow::Impl::exportResultsJson() {
    const QString path =
        askTarget(tr("Export Results"), QStringLiteral("-results.json"), tr("JSON (*.json)"));
    if (path.isEmpty())
        return;
    const auto& study = sessions.front()->study();
    QString error;
    const std::string text = profiling::resultsToJson(study, profiling::summarizeStudy(study))
                                 .dump(2, ' ', false, Json::error_handler_t::replace) +
                             "\n";
    if (writeText(path, text, sessions, &error)) {
        sayWritten(path);
        fileProblem.clear();
    } else {
        say(MessageBar::Tone::Error, error, {}, Topic::Export);
    }
}

void MainWindow::Impl::exportResultsCsv() {
    const QString path = askTarget(tr("Export Samples"), QStringLiteral(".csv"), tr("CSV (*.csv)"));
    if (path.isEmpty())
        return;
    QString error;
    if (writeText(path, profiling::resultsToCsv(sessions.front()->study()), sessions, &error))
        sayWritten(path);
    else
        say(MessageBar::Tone::Error, error, {}, Topic::Export);
}

void MainWindow::Impl::exportTraceJson() {
    const QString path =
        askTarget(tr("Export Trace"), QStringLiteral("-trace.json"), tr("Chrome trace (*.json)"));
    if (path.isEmpty())
        return;
    const Status written = profiling::exportChromeJson(*sessions.front()->trace(), path.toStdString(),
                                                       rulesBeside(sessions, "{\"traceEvents\""));
    if (written)
        sayWritten(path);
    else
        say(MessageBar::Tone::Error, fromStd(written.error().sentence()), {}, Topic::Export);
}

void MainWindow::Impl::exportTimelinePicture() {
    if (sessions.empty())
        return;
    const QString path = askTarget(tr("Export Timeline"), QStringLiteral("-timeline.pdf"),
                                   tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png)"));
    if (path.isEmpty())
        return;
    self.setMode(Mode::Timeline);
    QString error;
    if (timeline->exportPicture(path, &error))
        sayWritten(path);
    else
        say(MessageBar::Tone::Error, error, {}, Topic::Export);
}

void MainWindow::Impl::exportReport() {
    const QString folder =
        QFileDialog::getExistingDirectory(&self, tr("Folder of the Report"), settings.lastFolder());
    if (folder.isEmpty())
        return;
    settings.setLastFolder(folder);
    OutputRules rules;
    rules.forceAdvice = "choose another folder";
    QString error;
    if (writeReport(folder, {sessions.front()->filePath()}, &error, nullptr, rules))
        sayWritten(folder + QStringLiteral("/report.html"));
    else
        say(MessageBar::Tone::Error, error, {}, Topic::Export);
}

} // namespace heteroscope::ui
