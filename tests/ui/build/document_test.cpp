// SPDX-License-Identifier: GPL-3.0-or-later
// Undo, files and crash recovery of the document.
#include "tests/ui/program/ui_test.h"
#include "ui/build/document.h"
#include "ui/build/json_text.h"
#include "ui/common/paths.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <csignal>
#include <sys/resource.h>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

QStringList journals() {
    return QDir(dataDirectory() + "/recovery").entryList({"*.journal"}, QDir::Files);
}

/// No file of this process can grow while one of these lives, as on a full disk.
class FullDisk {
  public:
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit none{0, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &none);
    }
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;

  private:
    rlimit m_before{};
};

/// What the killed process does: edits, then dies without a chance to clean up.
[[noreturn]] void editAndDie() {
    Document document;
    document.newExperiment(compute::defaultPoolingDocument(), "lost");
    document.setValue("/pooling/kernel", 5, "Set Kernel to 5");
    document.setValue("/pooling/input/size", 77, "Set Size to 77");
    ::raise(SIGKILL);
    std::abort();
}

/// The same, but the first edit finds the disk full.
[[noreturn]] void editOnAFullDiskAndDie() {
    Document document;
    document.newExperiment(compute::defaultPoolingDocument(), "lost");
    {
        const FullDisk full;
        document.setValue("/pooling/kernel", 5, "Set Kernel to 5");
    }
    document.setValue("/pooling/input/size", 77, "Set Size to 77");
    ::raise(SIGKILL);
    std::abort();
}

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { QDir(dataDirectory() + "/recovery").removeRecursively(); }

    void undoesAndRedoesToTheSameJson() {
        Document document;
        std::vector<Json> states = {document.json()};
        const auto edit = [&](auto&& change) {
            change();
            states.push_back(document.json());
        };
        edit([&] { document.setValue("/pooling/kernel", 3, "a"); });
        edit([&] { document.setValue("/pooling/window/multiply", "tiled", "b"); }); // creates the object
        edit([&] { document.removeValue("/name", "c"); });                          // from the middle
        edit([&] {
            document.setValue("/pooling/input", Json{{"source", "manual"}, {"values", {{1, 2}, {3, 4}}}},
                              "d");
        });
        edit([&] { document.setValue("/pooling/input/values/1/0", 9, "e"); });
        edit([&] { document.replaceAll(compute::defaultMatmulDocument(), "f"); });
        QCOMPARE(document.undoStack().count(), 6);
        for (std::size_t i = states.size() - 1; i-- > 0;) {
            document.undoStack().undo();
            QVERIFY(document.json() == states[i]);
        }
        QVERIFY(!document.isModified());
        for (std::size_t i = 1; i < states.size(); ++i) {
            document.undoStack().redo();
            QVERIFY(document.json() == states[i]);
        }
    }

    void mergesQuickEditsOfOneValue() {
        Document document;
        const Json before = document.json();
        document.setValue("/pooling/kernel", 3, "Set Kernel to 3");
        document.setValue("/pooling/kernel", 4, "Set Kernel to 4");
        QCOMPARE(document.undoStack().count(), 1);
        QCOMPARE(document.undoStack().undoText(), QString("Set Kernel to 4"));
        document.setValue("/pooling/stride", 1, "Set Stride to 1");
        QCOMPARE(document.undoStack().count(), 2);
        document.undoStack().undo();
        document.undoStack().undo();
        QVERIFY(document.json() == before);
    }

    void anEditBackToTheStartLeavesNothing() {
        Document document;
        document.setValue("/pooling/kernel", 3, "a");
        document.setValue("/pooling/kernel", 2, "b");
        QCOMPARE(document.undoStack().count(), 0);
        QVERIFY(!document.isModified());
    }

    void savesReadablyAndLoadsTheSame() {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.json");
        Document document;
        document.setValue("/pooling/input", Json{{"values", {{1, 2}, {3, 4}}}, {"source", "manual"}}, "a");
        QVERIFY(document.save(path, nullptr));
        QVERIFY(!document.isModified());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.startsWith("{\n  \"heteroscope\": 1,\n  \"kind\": \"pooling\""));
        QVERIFY(text.indexOf("\"source\"") < text.indexOf("\"values\""));
        QVERIFY(text.contains("[1, 2],\n"));
        Document again;
        QVERIFY(again.load(path, nullptr));
        QVERIFY(nlohmann::json(again.json()) == nlohmann::json(document.json()));
        QVERIFY(again.save(path, nullptr));
        QVERIFY(file.seek(0));
        QFile second(path);
        QVERIFY(second.open(QIODevice::ReadOnly));
        QCOMPARE(second.readAll(), text);
    }

    void aMalformedFileKeepsThePresentDocument() {
        QTemporaryDir folder;
        Document document;
        document.setValue("/name", "mine", "a");
        const Json before = document.json();
        for (const QByteArray& bytes : {QByteArray("{\"heteroscope\": 1,"), QByteArray(), QByteArray("[1]"),
                                        QByteArray("{}"), QByteArray(200, '[')}) {
            write(folder.filePath("bad.json"), bytes);
            QString error;
            QVERIFY(!document.load(folder.filePath("bad.json"), &error));
            QVERIFY(error.contains("bad.json"));
            QVERIFY(document.json() == before);
            QVERIFY(document.isModified());
        }
        QString error;
        QVERIFY(!document.load(folder.filePath("absent.json"), &error));
        QVERIFY(!error.isEmpty());
    }

    void aFailedSaveSaysWhyAndStaysModified() {
        Document document;
        document.setValue("/name", "mine", "a");
        QString error;
        QVERIFY(!document.save("/proc/nowhere/a.json", &error));
        QVERIFY(error.contains("a.json"));
        QVERIFY(document.isModified());
    }

    void diagnosticsFollowEveryEdit() {
        Document document;
        QSignalSpy told(&document, &Document::diagnosticsChanged);
        QVERIFY(document.canRun());
        document.setValue("/pooling/kernel", 0, "a");
        QVERIFY(!document.canRun());
        QCOMPARE(QString::fromStdString(document.diagnostics().front().pointer), QString("/pooling/kernel"));
        document.setValue("/pooling/stride", 1, "b");
        document.undoStack().undo();
        QTRY_VERIFY(told.count() > 0);
        document.undoStack().undo();
        QVERIFY(document.canRun());
    }

    void recoversTheWorkOfAKilledProcess() {
        editInAnotherProcess();
        const QString journal = Document::findRecovery();
        QVERIFY(!journal.isEmpty());
        Document document;
        QString error;
        QVERIFY2(document.restoreRecovery(journal, &error), qPrintable(error));
        QVERIFY(document.json().at("pooling").at("kernel") == 5);
        QVERIFY(document.json().at("pooling").at("input").at("size") == 77);
        QVERIFY(document.isModified());
        QVERIFY(!QFile::exists(journal));
        QVERIFY(Document::findRecovery().isEmpty()); // this process owns the new journal
        document.undoStack().undo();
        QVERIFY(document.json() == compute::defaultPoolingDocument());
    }

    void workThatAnotherWindowRestoredIsNotSaidToBeKept() {
        editInAnotherProcess();
        const QString journal = Document::findRecovery();
        Document other;
        QVERIFY(other.restoreRecovery(journal, nullptr));
        Document document;
        QString error;
        QVERIFY(!document.restoreRecovery(journal, &error));
        QVERIFY2(error.contains("another window") && !error.contains("kept"), qPrintable(error));
        QVERIFY(!document.isModified());
    }

    void aJournalCutShortGivesWhatIsWhole() {
        editInAnotherProcess();
        const QString journal = Document::findRecovery();
        QFile file(journal);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.resize(file.size() - 3));
        file.close();
        Document document;
        QVERIFY(document.restoreRecovery(journal, nullptr));
        QVERIFY(document.json().at("pooling").at("kernel") == 5);
        QVERIFY(document.json().at("pooling").at("input").at("size") != 77);
    }

    /// As a loss of power leaves it: the length is there, a part of the bytes is not.
    void aJournalWithZerosGivesWhatComesBeforeThem() {
        editInAnotherProcess();
        const QString journal = Document::findRecovery();
        QFile file(journal);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray lines = file.readAll();
        QCOMPARE(lines.count('\n'), 3); // the document and two edits
        const qsizetype last = lines.lastIndexOf('\n', lines.size() - 2) + 1;
        QVERIFY(file.seek(last) && file.write(QByteArray(lines.size() - last, '\0')) > 0);
        file.close();
        Document document;
        QVERIFY(document.restoreRecovery(journal, nullptr));
        QVERIFY(document.json().at("pooling").at("kernel") == 5);
        QVERIFY(document.json().at("pooling").at("input").at("size") != 77);
    }

    /// A digit that is wrong, or a line that somebody made, takes no memory and no stack.
    void aJournalThatLeadsFarBeyondTheDocumentEndsThere_data() {
        QTest::addColumn<QByteArray>("place");
        QTest::newRow("the end of a list") << QByteArray("/targets/4000000000");
        QTest::newRow("no number of a place") << QByteArray("/targets/99999999999999999999");
        QTest::newRow("a new list") << QByteArray("/x/4000000000");
        QTest::newRow("any depth") << QByteArray("/x").repeated(500000);
    }
    void aJournalThatLeadsFarBeyondTheDocumentEndsThere() {
        QFETCH(QByteArray, place);
        editInAnotherProcess();
        const QString journal = Document::findRecovery();
        QFile file(journal);
        QVERIFY(file.open(QIODevice::Append));
        file.write(R"({"at": ")" + place + R"(", "value": 1})" + "\n");
        file.close();
        Document document;
        QVERIFY(document.restoreRecovery(journal, nullptr));
        QVERIFY(document.json().at("pooling").at("input").at("size") == 77);
        QVERIFY(document.json().at("targets").size() < 10);
        QVERIFY(!document.json().contains("x"));
    }

    void aJournalThatCannotBeReadIsKept() {
        editInAnotherProcess();
        const QString journal = Document::findRecovery();
        QFile file(journal);
        const qint64 bytes = QFileInfo(journal).size();
        QVERIFY(file.resize(qint64(300) << 20)); // more than is read; it takes no room on the disk
        QVERIFY(Document::findRecovery().isEmpty());
        QVERIFY2(QFile::exists(journal), "unsaved work was removed unread");
        QVERIFY(file.resize(bytes));
        QCOMPARE(Document::findRecovery(), journal);
    }

    void unsavedWorkIsKeptUntilANewJournalHoldsIt() {
        editInAnotherProcess();
        const QString journal = Document::findRecovery();
        Document document;
        QSignalSpy unprotected(&document, &Document::unprotected);
        {
            const FullDisk full;
            QVERIFY(document.restoreRecovery(journal, nullptr));
        }
        QVERIFY(document.json().at("pooling").at("kernel") == 5);
        QVERIFY2(QFile::exists(journal), "the only copy on disk is gone");
        QCOMPARE(unprotected.size(), 1);
        QVERIFY(unprotected[0][0].toString().contains("File too large"));
    }

    void withoutAFolderForJournalsTheReasonIsSaid() {
        const QByteArray before = qgetenv("HETEROSCOPE_DATA");
        QTemporaryDir folder;
        QFile inTheWay(folder.filePath("data"));
        QVERIFY(inTheWay.open(QIODevice::WriteOnly));
        qputenv("HETEROSCOPE_DATA", QFile::encodeName(inTheWay.fileName()));
        Document document;
        QSignalSpy unprotected(&document, &Document::unprotected);
        document.setValue("/pooling/kernel", 3, "a");
        qputenv("HETEROSCOPE_DATA", before);
        QCOMPARE(unprotected.size(), 1);
        QVERIFY2(unprotected[0][0].toString().contains("Not a directory"),
                 qPrintable(unprotected[0][0].toString()));
        document.setValue("/pooling/kernel", 4, "b");
        QVERIFY(!Document::findUnsavedWork().size()); // this window's own is not offered to it
    }

    void afterAFullDiskTheNextEditProtectsEverything() {
        editInAnotherProcess(QStringLiteral("edit-on-a-full-disk-and-die"));
        Document document;
        QVERIFY(document.restoreRecovery(Document::findRecovery(), nullptr));
        QVERIFY(document.json().at("pooling").at("kernel") == 5); // edited while the disk was full
        QVERIFY(document.json().at("pooling").at("input").at("size") == 77);
    }

    void aCleanEndLeavesNoJournal() {
        QTemporaryDir folder;
        {
            Document document;
            document.setValue("/pooling/kernel", 3, "a");
            QCOMPARE(journals().size(), 1);
            QVERIFY(Document::findRecovery().isEmpty()); // it has a living owner
            QVERIFY(document.save(folder.filePath("a.json"), nullptr));
            QCOMPARE(journals().size(), 0);
            document.setValue("/pooling/kernel", 4, "b");
            document.undoStack().undo();
            QCOMPARE(journals().size(), 0);
            document.setValue("/pooling/kernel", 4, "c");
            QCOMPARE(journals().size(), 1);
        }
        QCOMPARE(journals().size(), 0);
    }

    void aFullDiskKeepsTheFileSavedBefore() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("kept.json");
        Document document;
        QVERIFY(document.save(path, nullptr));
        document.setValue("/pooling/kernel", 3, "a");
        QString error;
        {
            const FullDisk full;
            QVERIFY(!document.save(path, &error));
        }
        QVERIFY2(error.contains("File too large"), qPrintable(error));
        QVERIFY(document.isModified());
        Document again;
        QVERIFY2(again.load(path, &error), qPrintable(error));
        QVERIFY(again.json().at("pooling").at("kernel") != 3);
    }

    void savingKeepsLinksAndPermissions() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("real.json");
        const QString link = folder.filePath("link.json");
        const auto readable = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup;
        write(path, "{\"heteroscope\": 1}");
        QVERIFY(QFile::setPermissions(path, readable));
        QVERIFY(QFile::link(path, link));
        Document document;
        QString error;
        QVERIFY2(document.save(link, &error), qPrintable(error));
        QVERIFY(QFileInfo(link).isSymLink());
        QVERIFY2(document.load(path, &error), qPrintable(error));
        QCOMPARE(QFile::permissions(path) & ~(QFile::ReadUser | QFile::WriteUser), readable);
    }

    void savingRemovesWhatAKilledWriterLeftInTheFolder() {
        const QTemporaryDir folder;
        const QString left = folder.filePath(".other.json.17-0.heteroscope-part");
        write(left, "half of it");
        QVERIFY(Document().save(folder.filePath("a.json"), nullptr));
        QVERIFY(!QFile::exists(left));
    }

    void aFileThatCannotBeSavedIsToldAsOnTheCommandLine() {
        QString error;
        QVERIFY(!Document().save("/nowhere/at/all.json", &error));
        QCOMPARE(error,
                 QString("/nowhere/at/all.json: cannot be created: No such file or directory; check the "
                         "folder '/nowhere/at', in which the new file is written first"));
    }

    void savesOverExperimentsOnly() {
        const QTemporaryDir folder;
        const QString recording = folder.filePath("run.hscope");
        write(recording, "HSCOPE\r\n recorded for an hour");
        Document document;
        QString error;
        QVERIFY(!document.save(recording, &error));
        QVERIFY2(error.contains("run.hscope") && error.contains("not an experiment"), qPrintable(error));
        QCOMPARE(QFileInfo(recording).size(), 29);
        const QString earlier = folder.filePath("earlier.json");
        write(earlier, "{\"heteroscope\": 1, \"kind\": \"matmul\"}");
        QVERIFY2(document.save(earlier, &error), qPrintable(error));
    }

    void listsWhatEveryKilledProcessLeft() {
        editInAnotherProcess();
        editInAnotherProcess();
        const auto found = Document::findUnsavedWork();
        QCOMPARE(found.size(), std::size_t(2));
        for (const Document::UnsavedWork& work : found) {
            QVERIFY(!work.title.isEmpty());
            QVERIFY(work.changed.secsTo(QDateTime::currentDateTime()) < 3600);
        }
        QVERIFY(found[0].journal != found[1].journal);
    }

    /// Its file may have been written by others since the journal was begun.
    void restoredWorkKnowsWhatItsFileHeld() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("e.json");
        Document first;
        QVERIFY(first.save(path, nullptr));
        first.setValue("/pooling/kernel", 3, "a");
        const QDir journalsOf(dataDirectory() + "/recovery");
        const QString journal = journalsOf.filePath(journals().front());
        QVERIFY(QFile::copy(journal, journalsOf.filePath("1.journal")));
        QVERIFY(QFile::copy(journal, journalsOf.filePath("2.journal")));
        Document same;
        QVERIFY(same.restoreRecovery(journalsOf.filePath("1.journal"), nullptr));
        QVERIFY(!same.changedOnDisk());
        write(path, "{\"heteroscope\": 1, \"kind\": \"matmul\"}");
        QVERIFY(same.changedOnDisk());
        Document late;
        QVERIFY(late.restoreRecovery(journalsOf.filePath("2.journal"), nullptr));
        QVERIFY(late.changedOnDisk());
    }

    void withoutAJournalNothingIsLeft() {
        Document document;
        document.keepNoJournal();
        document.setValue("/pooling/kernel", 3, "a");
        QVERIFY(document.isModified());
        QCOMPARE(journals().size(), 0);
    }

    void discardingRecoveryForgetsIt() {
        editInAnotherProcess();
        Document document;
        document.discardRecovery(Document::findRecovery());
        QVERIFY(Document::findRecovery().isEmpty());
    }

  private:
    static void editInAnotherProcess(const QString& how = QStringLiteral("edit-and-die")) {
        QProcess other;
        other.start(QCoreApplication::applicationFilePath(), {how});
        QVERIFY(other.waitForFinished());
        QCOMPARE(other.exitStatus(), QProcess::CrashExit);
    }
};

HETEROSCOPE_UI_TEST(DocumentTest)
[[maybe_unused]] static const bool kDies[] = {
    heteroscope::ui::test::add({"edit-and-die", [](int, char**) -> int { editAndDie(); }}),
    heteroscope::ui::test::add(
        {"edit-on-a-full-disk-and-die", [](int, char**) -> int { editOnAFullDiskAndDie(); }})};
#include "document_test.moc"
