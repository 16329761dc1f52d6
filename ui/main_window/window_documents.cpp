// SPDX-License-Identifier: GPL-3.0-or-later
// New, open, save, bring back and recover the edited experiment.
#include "profiling/stream/stream_reader.h"
#include "ui/common/format.h"
#include "ui/common/paths.h"
#include "ui/main_window/window_impl.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLocale>
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
        return cannotOpen(file);
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

bool MainWindow::Impl::newExperiment(const Json& content, const QString& title) {
    if (!mayLeave(tr("Discard the Changes")))
        return false;
    clearMessage({Topic::Document});
    documentDirectory.clear();
    document.newExperiment(content, title);
    self.setMode(Mode::Build);
    return true;
}

void MainWindow::Impl::openTemplate(const QString& path) {
    auto content = readDocument(path);
    if (!content) {
        say(MessageBar::Tone::Error, fromStd(content.error().sentence()), {}, Topic::General,
            content.error().code);
        return;
    }
    const QString directory = QFileInfo(path).absolutePath();
    makeInputPathAbsolute(*content, directory);
    const QString name = content->is_object() ? fromStd(content->value("name", std::string())) : QString();
    if (newExperiment(*content, name.isEmpty() ? QFileInfo(path).completeBaseName() : name))
        documentDirectory = directory;
}

void MainWindow::Impl::openExperiment(const QString& path) {
    if (!mayLeave(tr("Discard the Changes")))
        return;
    QString error;
    ErrorCode code = ErrorCode::BadInput;
    if (!document.load(path, &error, &code)) {
        say(MessageBar::Tone::Error, error, {}, Topic::General, code);
        return;
    }
    clearMessage({Topic::Document});
    documentDirectory.clear();
    noteRecent(path);
    self.setMode(Mode::Build);
}

void MainWindow::Impl::openInput(const QString& path, const QString& source) {
    if (document.json().value("kind", std::string()) != "pooling" &&
        !newExperiment(compute::defaultPoolingDocument(), QFileInfo(path).completeBaseName()))
        return;
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

/// Whether the edited experiment may be replaced or closed: it has no changes, they are saved now, or a
/// person gives them up.
bool MainWindow::Impl::mayLeave(const QString& discardText) {
    if (!document.isModified())
        return true;
    QMessageBox box(&self);
    box.setObjectName(QStringLiteral("saveQuestion"));
    box.setIcon(QMessageBox::Question);
    box.setText(tr("Save the changes to \u201c%1\u201d?").arg(document.title()));
    box.setInformativeText(tr("Without saving they are lost."));
    QPushButton* keep = box.addButton(tr("Save"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(discardText, QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(keep);
    box.exec();
    if (box.clickedButton() == keep)
        return save() && !document.isModified();
    return box.clickedButton() == discard;
}

/// The newest unsaved work of a start that ended unexpectedly, once it is restored or discarded the next one.
/// False when there is none.
bool MainWindow::Impl::offerRecovery() {
    QStringList unread;
    const auto found = Document::findUnsavedWork(&unread);
    const QString kept = unread.isEmpty()
                             ? QString()
                             : tr("Unsaved work that cannot be read now is kept: %1. A start with "
                                  "a larger --memory-limit offers it.")
                                   .arg(unread.join(QStringLiteral("; ")));
    if (found.empty()) {
        if (!kept.isEmpty())
            sayOfRecovery(kept);
        return !kept.isEmpty();
    }
    const Document::UnsavedWork& newest = found.front();
    QString text =
        tr("Heteroscope ended unexpectedly; unsaved work was found: \u201c%1\u201d, last changed %2.")
            .arg(newest.title, QLocale().toString(newest.changed, QLocale::ShortFormat));
    if (found.size() == 2)
        text += QLatin1Char(' ') + tr("An older one is offered after it.");
    else if (found.size() > 2)
        text += QLatin1Char(' ') + tr("%1 older ones are offered after it.").arg(found.size() - 1);
    if (!kept.isEmpty())
        text += QLatin1Char(' ') + kept;
    sayOfRecovery(text, {{tr("Restore It"), [this, journal = newest.journal] { restoreWork(journal); }},
                         {tr("Discard It"), [this, newest] { discardWork(newest); }}});
    return true;
}

void MainWindow::Impl::restoreWork(const QString& journal) {
    QString error;
    if (mayLeave(tr("Discard the Changes"))) {
        if (!document.restoreRecovery(journal, &error)) {
            say(MessageBar::Tone::Error, error);
            return;
        }
        documentDirectory.clear();
        self.setMode(Mode::Build);
    }
    offerRecovery();
}

/// Asks before the only copy goes.
void MainWindow::Impl::discardWork(const Document::UnsavedWork& work) {
    QMessageBox box(&self);
    box.setObjectName(QStringLiteral("discardWorkQuestion"));
    box.setIcon(QMessageBox::Warning);
    box.setText(tr("Discard the unsaved work on \u201c%1\u201d, last changed %2?")
                    .arg(work.title, QLocale().toString(work.changed, QLocale::ShortFormat)));
    box.setInformativeText(tr("There is no other copy of it."));
    QPushButton* discard = box.addButton(tr("Discard It"), QMessageBox::DestructiveRole);
    QPushButton* keep = box.addButton(tr("Keep It"), QMessageBox::RejectRole);
    box.setDefaultButton(keep);
    box.setEscapeButton(keep);
    box.exec();
    if (box.clickedButton() == discard)
        document.discardRecovery(work.journal);
    offerRecovery();
}

bool MainWindow::Impl::save() {
    if (document.path().isEmpty())
        return saveAs();
    return document.changedOnDisk() ? saveOverChanges() : saveTo(document.path());
}

/// Another window or program has written the file meanwhile: nobody's work is written over unasked.
bool MainWindow::Impl::saveOverChanges() {
    QMessageBox box(&self);
    box.setObjectName(QStringLiteral("changedOnDiskQuestion"));
    box.setIcon(QMessageBox::Warning);
    box.setText(tr("%1 was changed by another program since it was opened or saved here.")
                    .arg(QDir::toNativeSeparators(document.path())));
    box.setInformativeText(tr("Writing over it loses those changes."));
    QPushButton* elsewhere = box.addButton(tr("Save As\u2026"), QMessageBox::AcceptRole);
    QPushButton* over = box.addButton(tr("Write Over It"), QMessageBox::DestructiveRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(elsewhere);
    box.exec();
    if (box.clickedButton() == elsewhere)
        return saveAs();
    return box.clickedButton() == over && saveTo(document.path());
}

bool MainWindow::Impl::saveTo(const QString& path) {
    QString error;
    if (!document.save(path, &error)) {
        say(MessageBar::Tone::Error, error, {{tr("Save As\u2026"), [this] { saveAs(); }}}, Topic::Document);
        return false;
    }
    clearMessage({Topic::Document});
    noteRecent(path);
    return true;
}

bool MainWindow::Impl::saveAs() {
    const QString suggested =
        QDir(settings.lastFolder()).filePath(document.title() + QStringLiteral(".json"));
    QString path =
        QFileDialog::getSaveFileName(&self, tr("Save Experiment"), suggested, tr("Experiments (*.json)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".json");
    settings.setLastFolder(QFileInfo(path).absolutePath());
    return saveTo(path);
}

void MainWindow::Impl::sayChangedOnDisk() {
    const QString path = document.path();
    say(MessageBar::Tone::Warning,
        tr("%1 was changed by another program; what is shown and runs here is the earlier version.")
            .arg(QDir::toNativeSeparators(path)),
        {{tr("Open the Changed File"), [this, path] { openExperiment(path); }}}, Topic::Document);
}

void MainWindow::Impl::noteRecent(const QString& path) {
    if (isUnattended)
        return;
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
