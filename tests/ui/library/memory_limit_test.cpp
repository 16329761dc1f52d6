// SPDX-License-Identifier: GPL-3.0-or-later
// Small files that ask for much memory, wherever the window reads one: within the process's limit, with a
// sentence where there is a place for it, and without losing what they hold.
#include "compute/base/memory_budget.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/hostile/hostile_files.h"
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "ui/build/document.h"
#include "ui/library/library_entry.h"
#include "ui/models/study_session.h"
#include "ui/timeline/notes_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <sys/resource.h>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

constexpr std::int64_t kMebibyte = 1 << 20;
constexpr std::int64_t kLimit = 48 * kMebibyte;

void writeBytes(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

/// A list of many empty lists: 3 bytes of text and 96 of memory each.
QByteArray manyLists(int count) {
    return "[" + QByteArray("[],").repeated(count) + "1]";
}

long peakKiB() {
    rusage self{};
    getrusage(RUSAGE_SELF, &self);
    return self.ru_maxrss;
}

} // namespace

class MemoryLimitTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        setMemoryLimit(kLimit);
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("HETEROSCOPE_DATA", m_folder->path().toUtf8());
        m_peakBefore = peakKiB();
    }
    void cleanup() {
        setMemoryLimit(0);
        const long mostKiB = (kLimit / kMebibyte + 48) * 1024 * (kTimeFactor > 1 ? 3 : 1);
        QVERIFY2(peakKiB() - m_peakBefore < mostKiB, qPrintable(QString::number(peakKiB() - m_peakBefore)));
    }

    /// First: the most that a process took never falls.
    void ofAJournalOfOneEndlessLine() {
        const QString path = m_folder->filePath("recovery/mine.journal");
        QVERIFY(QDir().mkpath(m_folder->filePath("recovery")));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(200 * kMebibyte));
        file.close();
        QStringList unread;
        QCOMPARE(Document::findUnsavedWork(&unread).size(), std::size_t(0));
        QCOMPARE(unread.size(), 1);
        QVERIFY2(unread.front().contains("mine.journal"), qPrintable(unread.front()));
        QVERIFY(QFile::exists(path));
    }

    void ofASession_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("run file") << "r.hscope";
        QTest::newRow("Chrome trace") << "t.json.gz";
    }
    void ofASession() {
        QFETCH(QString, name);
        const QString path = m_folder->filePath(name);
        if (name.endsWith("hscope"))
            hostile::writeSwollenRunFile(path.toStdString(), 100000000);
        else
            hostile::writeManyTracks(path.toStdString(), 300000);
        m_peakBefore = peakKiB(); // writing them took memory, too
        StudySession session;
        session.openFile(path);
        QTRY_VERIFY_WITH_TIMEOUT(session.state() != StudySession::State::Loading, 60000 * kTimeFactor);
        QVERIFY(session.state() != StudySession::State::Done);
        QVERIFY2(session.message().contains("of memory in all; allowed: 48.0 MiB"),
                 qPrintable(session.message()));
        QVERIFY2(session.message().contains(name), qPrintable(session.message()));
    }

    void ofALibraryEntry() {
        const QString path = m_folder->filePath("r.hscope");
        hostile::writeSwollenRunFile(path.toStdString(), 100000000);
        writeBytes(sidecarPath(path), R"({"notes": "kept", "tags": )" + manyLists(100000) + "}");
        m_peakBefore = peakKiB();
        const LibraryEntry entry = summarizeRunFile(path);
        QVERIFY2(entry.state == "damaged" || entry.state == "unreadable", qPrintable(entry.state));
        QCOMPARE(entry.notes, QString("kept")); // 1 MiB of text is within the limit
        setMemoryLimit(8 * kMebibyte);
        QCOMPARE(summarizeRunFile(path).notes, QString());
    }

    void ofNotes() {
        const QString path = m_folder->filePath("notes.json");
        writeBytes(path, R"({"notes": [{"time_ns": 1, "text": "kept"}], "x": )" + manyLists(1000000) + "}");
        const auto notes = loadNotes(path);
        QVERIFY(!notes.ok());
        QCOMPARE(notes.error().code, ErrorCode::OutOfMemory);
        QVERIFY2(notes.error().sentence().find("notes.json") != std::string::npos,
                 notes.error().sentence().c_str());
        setMemoryLimit(512 * kMebibyte);
        QVERIFY(loadNotes(path).ok());
        setMemoryLimit(kLimit);
        m_peakBefore = peakKiB();
    }

    void ofDeeplyNestedNotes() {
        const QString path = m_folder->filePath("notes.json");
        writeBytes(path, QByteArray(1000000, '['));
        QVERIFY(!loadNotes(path).ok());
    }

    /// What is not read now waits for a start with more memory.
    void ofUnsavedWork() {
        const Json head = {{"heteroscope_journal", 1},
                           {"path", ""},
                           {"title", "mine"},
                           {"document", compute::defaultPoolingDocument()}};
        const QString path = m_folder->filePath("recovery/mine.journal");
        QVERIFY(QDir().mkpath(m_folder->filePath("recovery")));
        writeBytes(path, QByteArray::fromStdString(head.dump()) +
                             "\n{\"at\":\"/name\",\"value\":\"edited\"}\n" +
                             "{\"at\":\"/x\",\"value\":" + manyLists(1000000) + "}\n");
        QStringList unread;
        QCOMPARE(Document::findUnsavedWork(&unread).size(), std::size_t(0));
        QCOMPARE(unread.size(), 1);
        Document document;
        QString error;
        QVERIFY(!document.restoreRecovery(path, &error));
        QVERIFY2(error.contains("of memory in all; allowed: 48.0 MiB"), qPrintable(error));
        QVERIFY2(QFile::exists(path), "the only copy of the work is gone");
        setMemoryLimit(512 * kMebibyte);
        QCOMPARE(Document::findUnsavedWork().size(), std::size_t(1));
        setMemoryLimit(kLimit);
        m_peakBefore = peakKiB();
    }

    /// Each edit of a long list writes all of it, and the document holds one of them.
    void ofManyEditsOfTheSamePlace() {
        QVERIFY(QDir().mkpath(m_folder->filePath("recovery")));
        const Json head = {{"heteroscope_journal", 1}, {"document", compute::defaultPoolingDocument()}};
        const QByteArray edit = "{\"at\":\"/x\",\"value\":" + manyLists(10000) + "}\n";
        writeBytes(m_folder->filePath("recovery/mine.journal"),
                   QByteArray::fromStdString(head.dump()) + "\n" + edit.repeated(200) +
                       "{\"at\":\"/name\",\"value\":\"the last edit\"}\n");
        const auto found = Document::findUnsavedWork();
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found.front().title, QString("the last edit"));
    }

    void ofTagsThatAreNotWrittenOver() {
        LibraryEntry entry;
        entry.path = m_folder->filePath("r.hscope");
        const QByteArray kept = R"({"notes": "kept", "tags": )" + manyLists(300000) + "}";
        writeBytes(sidecarPath(entry.path), kept);
        entry.tags = {"new"};
        setMemoryLimit(8 * kMebibyte);
        const Status written = writeSidecar(entry);
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::OutOfMemory);
        QCOMPARE(QFileInfo(sidecarPath(entry.path)).size(), qint64(kept.size()));
        setMemoryLimit(512 * kMebibyte);
        QVERIFY(writeSidecar(entry));
        setMemoryLimit(kLimit);
        m_peakBefore = peakKiB();
    }

  private:
    std::unique_ptr<QTemporaryDir> m_folder;
    long m_peakBefore = 0;
};

HETEROSCOPE_UI_TEST(MemoryLimitTest)
#include "memory_limit_test.moc"
