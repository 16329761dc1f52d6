// SPDX-License-Identifier: GPL-3.0-or-later
// What the window keeps on disk, one thing a call, for faults: saving an experiment, the journal of unsaved
// work, the library's index and its notes, a run file that is opened. Prints what it promised its user; exit
// code 0, or 1 with a sentence on stderr.
#include "ui/build/document.h"
#include "ui/common/format.h"
#include "ui/common/paths.h"
#include "ui/common/program_end.h"
#include "ui/library/library_entry.h"
#include "ui/library/library_worker.h"
#include "ui/models/study_session.h"

#include <QApplication>
#include <QDir>
#include <QEventLoop>

#include <csignal>
#include <cstdio>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace heteroscope::ui {
namespace {

constexpr int kEdits = 5;

/// One write, so that what is on the pipe was promised.
void say(const std::string& line) {
    const std::string text = line + "\n";
    if (::write(STDOUT_FILENO, text.data(), text.size()) == static_cast<ssize_t>(text.size()))
        return;
    std::perror("fault_window: error: standard output");
    ::_exit(1);
}

int failed(const QString& sentence) {
    std::fprintf(stderr, "fault_window: error: %s\n", qPrintable(sentence));
    return 1;
}

std::string nameOf(const Document& document) {
    return document.json().value("name", std::string());
}

int save(const QString& path) {
    Document document;
    QString error;
    if (!document.load(path, &error))
        return failed(error);
    document.setValue("/name", "changed", "Rename");
    if (!document.save(path, &error))
        return failed(error);
    say("saved");
    return 0;
}

/// Edits, and ends as a crash does.
int editAndDie(const QString& path) {
    Document document;
    QObject::connect(&document, &Document::unprotected, [](const QString&) { say("unprotected"); });
    QString error;
    if (!document.load(path, &error))
        return failed(error);
    for (int i = 1; i <= kEdits; ++i) {
        document.setValue("/name", "edit " + std::to_string(i), "Rename");
        say(nameOf(document));
    }
    ::raise(SIGKILL);
    return 1;
}

int recover() {
    const QString journal = Document::findRecovery();
    if (journal.isEmpty()) {
        say("nothing to recover");
        return 0;
    }
    Document document;
    QString error;
    if (!document.restoreRecovery(journal, &error))
        return failed(error);
    say(nameOf(document));
    ::_exit(0); // no clean end: the journal of this process stays
}

int index(const QString& folder) {
    LibraryWorker worker(QDir(folder).filePath("index.sqlite"));
    std::vector<LibraryEntry> found;
    QObject::connect(&worker, &LibraryWorker::scanned, [&](const auto& entries) { found = entries; });
    QObject::connect(&worker, &LibraryWorker::problem, [](const QString& sentence) {
        std::fprintf(stderr, "fault_window: %s\n", qPrintable(sentence));
    });
    worker.scan(folder);
    for (const LibraryEntry& entry : found)
        say(QFileInfo(entry.path).fileName().toStdString() + ": " + entry.state.toStdString() + ", " +
            entry.notes.toStdString());
    return found.empty() ? failed("no run file was found") : 0;
}

int takeNote(const QString& runFile) {
    LibraryEntry entry = summarizeRunFile(runFile);
    entry.notes = "a later note";
    if (const Status written = writeSidecar(entry); !written)
        return failed(fromStd(written.error().sentence()));
    say("noted");
    return 0;
}

/// As the window does it: decoded on a thread of its own, shown from here.
int open(const QString& runFile) {
    StudySession session;
    QEventLoop loop;
    QObject::connect(&session, &StudySession::stateChanged, &loop, [&] {
        if (session.state() != StudySession::State::Loading)
            loop.quit();
    });
    QMetaObject::invokeMethod(
        &session, [&] { session.openFile(runFile); }, Qt::QueuedConnection);
    loop.exec();
    if (session.state() != StudySession::State::Done)
        return failed(session.message());
    std::size_t samples = 0;
    for (const auto& run : session.study().runs)
        samples += run.samples.size();
    say("opened " + std::to_string(samples) + " samples");
    return 0;
}

/// Faults begin here (HETEROSCOPE_FAULT_FROM=mark): Qt has started.
void mark() {
    if (auto* begin = reinterpret_cast<void (*)()>(::dlsym(RTLD_DEFAULT, "heteroscope_fault_mark")))
        begin();
}

int carryOut(const QString& what, const QString& path) {
    if (what == "save")
        return save(path);
    if (what == "edit-and-die")
        return editAndDie(path);
    if (what == "recover")
        return recover();
    if (what == "index")
        return index(path);
    if (what == "open")
        return open(path);
    return what == "note" ? takeNote(path) : 64;
}

} // namespace
} // namespace heteroscope::ui

int main(int argc, char** argv) {
    const QApplication app(argc, argv);
    heteroscope::ui::mark();
    return heteroscope::ui::endProgram(argc == 3 ? heteroscope::ui::carryOut(argv[1], argv[2]) : 64);
}
