// SPDX-License-Identifier: GPL-3.0-or-later
// New, open, save, bring back and recover the edited experiment.
#include "profiling/stream/stream_reader.h"
#include "ui/common/format.h"
#include "ui/main_window/window_impl.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QStatusBar>
#include <QThreadPool>

namespace heteroscope::ui {

namespace {

/// A template's files lie beside it; its copy may be saved anywhere.
void makeInputPathAbsolute(Json& document, const QString& directory) {
    const Json::json_pointer pointer("/pooling/input/path");
    if (!document.contains(pointer) || !document[pointer].is_string())
        return;
    const QString path = fromStd(document[pointer].get<std::string>());
    document[pointer] = QDir::cleanPath(QDir(directory).absoluteFilePath(path)).toStdString();
}

Result<Json> readDocument(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return badInput(path.toStdString(), file.errorString().toStdString());
    if (file.size() > qint64(compute::SpecLimits::kMaxFileBytes))
        return badInput(path.toStdString(), "larger than an experiment may be");
    return compute::parseJsonText(file.readAll().toStdString());
}

/// Reads the whole run file: not on the GUI thread.
Result<StoredExperiment> experimentOf(const QString& runFile) {
    const auto content = profiling::readRunFile(runFile.toStdString());
    if (!content)
        return content.error();
    const Json& experiment = content->study.experiment;
    if (!experiment.is_object() || experiment.empty())
        return badInput(runFile.toStdString(), "does not hold its experiment");
    return StoredExperiment{experiment, fromStd(content->study.name())};
}

} // namespace

void MainWindow::Impl::newExperiment(const Json& content, const QString& title) {
    offerBringBack();
    documentDirectory.clear();
    document.newExperiment(content, title);
    self.setMode(Mode::Build);
}

void MainWindow::Impl::openTemplate(const QString& path) {
    auto content = readDocument(path);
    if (!content) {
        say(MessageBar::Tone::Error, fromStd(content.error().sentence()));
        return;
    }
    const QString directory = QFileInfo(path).absolutePath();
    makeInputPathAbsolute(*content, directory);
    const QString name = content->is_object() ? fromStd(content->value("name", std::string())) : QString();
    newExperiment(*content, name.isEmpty() ? QFileInfo(path).completeBaseName() : name);
    documentDirectory = directory;
}

void MainWindow::Impl::openExperiment(const QString& path) {
    offerBringBack();
    QString error;
    if (!document.load(path, &error)) {
        say(MessageBar::Tone::Error, error);
        return;
    }
    documentDirectory.clear();
    noteRecent(path);
    self.setMode(Mode::Build);
}

void MainWindow::Impl::openInput(const QString& path, const QString& source) {
    if (document.json().value("kind", std::string()) != "pooling")
        newExperiment(compute::defaultPoolingDocument(), QFileInfo(path).completeBaseName());
    const Json input = {{"source", source.toStdString()},
                        {"path", QFileInfo(path).absoluteFilePath().toStdString()}};
    document.setValue(QStringLiteral("/pooling/input"), input,
                      tr("Use %1 as Input").arg(QFileInfo(path).fileName()));
    self.setMode(Mode::Build);
}

void MainWindow::Impl::openWithDialog(const QString& caption, const QString& filter) {
    const QString path = QFileDialog::getOpenFileName(&self, caption, settings.lastFolder(), filter);
    if (path.isEmpty())
        return;
    settings.setLastFolder(QFileInfo(path).absolutePath());
    self.openPath(path);
}

/// Nothing asks before an edited experiment is replaced: it can be brought back instead.
void MainWindow::Impl::offerBringBack() {
    if (!document.isModified())
        return;
    const Json unsaved = document.json();
    const QString title = document.title();
    say(MessageBar::Tone::Info, tr("\u201c%1\u201d had unsaved changes.").arg(title),
        {{tr("Bring It Back"), [this, unsaved, title] {
              document.newExperiment(document.json(), title);
              document.replaceAll(unsaved, tr("Bring Back"));
              self.setMode(Mode::Build);
          }}});
}

void MainWindow::Impl::offerRecovery() {
    const QString journal = Document::findRecovery();
    if (journal.isEmpty())
        return;
    say(MessageBar::Tone::Warning, tr("Heteroscope ended unexpectedly; unsaved work was found."),
        {{tr("Restore It"),
          [this, journal] {
              QString error;
              if (document.restoreRecovery(journal, &error))
                  self.setMode(Mode::Build);
              else
                  say(MessageBar::Tone::Error, error);
          }},
         {tr("Discard It"), [this, journal] { document.discardRecovery(journal); }}});
}

void MainWindow::Impl::save() {
    if (document.path().isEmpty()) {
        saveAs();
        return;
    }
    QString error;
    if (!document.save(document.path(), &error))
        say(MessageBar::Tone::Error, error, {{tr("Save As\u2026"), [this] { saveAs(); }}});
}

void MainWindow::Impl::saveAs() {
    const QString suggested =
        QDir(settings.lastFolder()).filePath(document.title() + QStringLiteral(".json"));
    QString path =
        QFileDialog::getSaveFileName(&self, tr("Save Experiment"), suggested, tr("Experiments (*.json)"));
    if (path.isEmpty())
        return;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".json");
    settings.setLastFolder(QFileInfo(path).absolutePath());
    QString error;
    if (document.save(path, &error))
        noteRecent(path);
    else
        say(MessageBar::Tone::Error, error);
}

bool MainWindow::Impl::confirmClose() {
    if (!document.isModified())
        return true;
    QMessageBox box(&self);
    box.setIcon(QMessageBox::Question);
    box.setText(tr("Save the changes to \u201c%1\u201d?").arg(document.title()));
    box.setInformativeText(tr("Without saving they are lost."));
    QPushButton* keep = box.addButton(tr("Save"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(tr("Close Without Saving"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(keep);
    box.exec();
    if (box.clickedButton() == keep)
        save();
    return box.clickedButton() == discard || (box.clickedButton() == keep && !document.isModified());
}

void MainWindow::Impl::noteRecent(const QString& path) {
    settings.addRecentFile(path);
    fillRecentMenu();
    if (start != nullptr)
        start->setRecentFiles(settings.recentFiles());
}

void MainWindow::Impl::adoptExperimentOf(const QString& runFile) {
    self.statusBar()->showMessage(tr("Reading the experiment of %1").arg(QFileInfo(runFile).fileName()));
    QThreadPool::globalInstance()->start([window = QPointer(&self), this, runFile] {
        auto content = experimentOf(runFile);
        QMetaObject::invokeMethod(
            qApp,
            [window, this, content = std::move(content)] {
                if (window)
                    adoptExperiment(content);
            },
            Qt::QueuedConnection);
    });
}

void MainWindow::Impl::adoptExperiment(const Result<StoredExperiment>& stored) {
    self.statusBar()->clearMessage();
    if (!stored)
        say(MessageBar::Tone::Error, fromStd(stored.error().sentence()));
    else
        newExperiment(stored->document, stored->name);
}

QString MainWindow::Impl::experimentDirectory() const {
    if (!document.path().isEmpty())
        return QFileInfo(document.path()).absolutePath();
    return documentDirectory;
}

} // namespace heteroscope::ui
