// SPDX-License-Identifier: GPL-3.0-or-later
// The library's index when another program holds it, when it is damaged, and when it cannot be there.
#include "profiling/stream/run_file_state.h"
#include "tests/ui/library/run_files.h"
#include "tests/ui/program/ui_test.h"
#include "ui/library/library_worker.h"

#include <QDir>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>

#include <algorithm>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

/// A folder with one run, and a worker that looks at it.
struct LibraryIndexFixture {
    QTemporaryDir folder;
    LibraryWorker worker{path()};
    QSignalSpy problems{&worker, &LibraryWorker::problem};
    std::vector<LibraryEntry> found;

    LibraryIndexFixture() {
        writeRun(folder.filePath(QStringLiteral("a.hscope")), "Sweep", 2.0);
        QObject::connect(&worker, &LibraryWorker::scanned, &worker,
                         [this](const std::vector<LibraryEntry>& entries) { found = entries; });
    }
    QString path() const { return folder.filePath(QStringLiteral("index.sqlite")); }
    void scan() { worker.scan(folder.path()); }
    QString problem(int number) const { return problems.value(number).value(0).toString(); }
    std::size_t kept() const {
        LibraryIndex index;
        std::vector<LibraryEntry> entries;
        return index.open(path()) || index.read(entries) ? std::size_t(-1) : entries.size();
    }
};

/// Another program that has the index to itself.
class Holder {
  public:
    explicit Holder(const QString& path) {
        m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("holder"));
        m_database.setDatabaseName(path);
        m_held = m_database.open() && QSqlQuery(m_database).exec(QStringLiteral("BEGIN EXCLUSIVE"));
    }
    ~Holder() {
        m_database.close();
        m_database = QSqlDatabase();
        QSqlDatabase::removeDatabase(QStringLiteral("holder"));
    }
    bool holds() const { return m_held; }

  private:
    QSqlDatabase m_database;
    bool m_held = false;
};

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void overwrite(const QString& path, const QByteArray& bytes, qint64 from = 0) {
    QFile file(path);
    QVERIFY(file.open(from == 0 ? QIODevice::WriteOnly : QIODevice::ReadWrite));
    QVERIFY(file.seek(from) && file.write(bytes) == bytes.size());
}

} // namespace

class LibraryIndexTest : public QObject {
    Q_OBJECT
  private slots:
    /// In the words of those who open it.
    void judgesAFileAsItIsJudgedOnOpening() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("a.hscope");
        writeRun(path, "Sweep", 2.0);
        const QByteArray whole = contents(path);
        const auto judged = [&](const QByteArray& bytes) {
            overwrite(path, bytes);
            const auto file = profiling::readRunFile(path.toStdString());
            const QString state = summarizeRunFile(path).state;
            const QString name = file ? QString::fromStdString(profiling::stateOf(*file).name()) : QString();
            return state == (name == "whole" ? QStringLiteral("done") : name) ? state : "not " + name;
        };
        QCOMPARE(judged(whole), QStringLiteral("done"));
        for (const qsizetype place : {whole.size() / 2, whole.size() - 3}) {
            QByteArray flipped = whole;
            flipped[place] = char(~flipped[place]);
            QCOMPARE(judged(flipped), QStringLiteral("damaged"));
        }
        QCOMPARE(judged(whole.chopped(1)), QStringLiteral("stopped early"));
        QCOMPARE(judged(whole + QByteArray(8, '\x01')), QStringLiteral("damaged")); // behind the end
    }

    /// The file is the same after its writer was killed: what is kept of it would stay "being written".
    void aFileThatIsWrittenIsJudgedAgainWithoutItsWriter() {
        LibraryIndexFixture f;
        const QString path = f.folder.filePath("live.hscope");
        std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
        sinks.push_back(std::move(*profiling::openFileSink(path.toStdString())));
        auto writer = std::make_unique<profiling::StreamWriter>(std::move(sinks));
        profiling::Study header;
        header.id = "live";
        profiling::StudyRun run;
        run.target = "cpu/sequential";
        QVERIFY(writer->begin(header).ok() && writer->run(run).ok());
        QVERIFY(writer->sample(profiling::StudySample()).ok() && writer->flush().ok());
        const auto state = [&] {
            f.scan();
            const auto found = std::find_if(f.found.begin(), f.found.end(),
                                            [&](const LibraryEntry& entry) { return entry.path == path; });
            return found == f.found.end() ? QString() : found->state;
        };
        QCOMPARE(state(), QStringLiteral("being written"));
        writer.reset();
        QCOMPARE(state(), QStringLiteral("stopped early"));
    }

    void aCancelledRunIsCalledThat() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("a.hscope");
        writeRun(path, "Sweep", 2.0, "cancelled");
        QCOMPARE(summarizeRunFile(path).state, QStringLiteral("cancelled"));
    }

    void anIndexOfAnEarlierVersionIsFilledAfresh() {
        LibraryIndexFixture f;
        f.scan();
        {
            QSqlDatabase database =
                QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QStringLiteral("earlier"));
            database.setDatabaseName(f.path());
            QVERIFY(database.open());
            QSqlQuery query(database);
            QVERIFY(query.exec("UPDATE runs SET state = 'wrong'") && query.exec("PRAGMA user_version = 1"));
            query.finish();
            database.close();
        }
        QSqlDatabase::removeDatabase(QStringLiteral("earlier"));
        LibraryWorker again(f.path());
        std::vector<LibraryEntry> found;
        QObject::connect(&again, &LibraryWorker::scanned, &again,
                         [&](const std::vector<LibraryEntry>& entries) { found = entries; });
        again.scan(f.folder.path());
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].state, QStringLiteral("done"));
        QCOMPARE(QDir(f.folder.path()).entryList({"*.damaged-*"}), QStringList());
    }

    void aLockedIndexIsWaitedForAndLeftAlone() {
        LibraryIndexFixture f;
        f.scan();
        QCOMPARE(f.kept(), std::size_t(1));
        const QByteArray before = contents(f.path());
        LibraryWorker second(f.path());
        QSignalSpy problems(&second, &LibraryWorker::problem), scans(&second, &LibraryWorker::scanned);
        {
            const Holder holder(f.path());
            QVERIFY(holder.holds());
            QElapsedTimer time;
            time.start();
            second.scan(f.folder.path());
            QVERIFY2(time.elapsed() >= LibraryIndex::kWaitMs, "it was not waited for");
            QCOMPARE(scans.size(), 1); // the library is there all the same
            QCOMPARE(problems.size(), 1);
            QVERIFY2(problems[0][0].toString().contains("3 seconds"), qPrintable(problems[0][0].toString()));
            QCOMPARE(contents(f.path()), before);
        }
        QCOMPARE(QDir(f.folder.path()).entryList({"index*"}, QDir::Files), QStringList("index.sqlite"));
        second.scan(f.folder.path()); // the other one has gone: the index is used again
        QCOMPARE(problems.size(), 1);
        QCOMPARE(f.kept(), std::size_t(1));
    }

    void aFileThatIsNoIndexIsSetAside() {
        LibraryIndexFixture f;
        overwrite(f.path(), QByteArray(8192, 'x'));
        f.scan();
        QCOMPARE(f.found.size(), std::size_t(1));
        QCOMPARE(f.problems.size(), 1);
        QVERIFY2(f.problem(0).contains("index.sqlite.damaged-1"), qPrintable(f.problem(0)));
        QCOMPARE(contents(f.path() + ".damaged-1"), QByteArray(8192, 'x'));
        QCOMPARE(f.kept(), std::size_t(1));
    }

    void damageFurtherInIsFoundWhenItIsRead() {
        LibraryIndexFixture f;
        f.scan();
        constexpr qint64 kPage = 4096;
        overwrite(f.path(), QByteArray(kPage, '\xff'),
                  kPage); // the first page of the table; the header is whole
        LibraryWorker second(f.path());
        QSignalSpy problems(&second, &LibraryWorker::problem);
        second.scan(f.folder.path());
        QCOMPARE(problems.size(), 1);
        QVERIFY2(problems[0][0].toString().contains("damaged-1"), qPrintable(problems[0][0].toString()));
        QCOMPARE(f.kept(), std::size_t(1));
    }

    /// It could not be opened for a moment, say: neither its size nor its time tells that it can be now.
    void aRunThatCouldNotBeReadIsLookedAtAgain() {
        LibraryIndexFixture f;
        const QString run = f.folder.filePath(QStringLiteral("a.hscope"));
        const QByteArray good = contents(run);
        const auto writeAsBefore = [&](const QByteArray& bytes) {
            overwrite(run, bytes);
            QFile file(run);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.setFileTime(QDateTime::fromMSecsSinceEpoch(1'700'000'000'000),
                                     QFileDevice::FileModificationTime));
        };
        writeAsBefore(QByteArray(good.size(), '#'));
        f.scan();
        QCOMPARE(f.found.at(0).state, QString("unreadable"));
        writeAsBefore(good);
        f.scan();
        QCOMPARE(f.found.at(0).state, QString("done"));
    }

    /// A word for each file kept the window's thread busier with every run that was stored.
    void progressIsSaidInIntervals() {
        LibraryIndexFixture f;
        const QByteArray run = contents(f.folder.filePath(QStringLiteral("a.hscope")));
        for (int i = 0; i < 200; ++i) {
            QFile copy(f.folder.filePath(QStringLiteral("%1.hscope").arg(i)));
            QVERIFY(copy.open(QIODevice::WriteOnly) && copy.write(run) == run.size());
        }
        QSignalSpy progress(&f.worker, &LibraryWorker::progress);
        QElapsedTimer timer;
        timer.start();
        f.scan();
        const qint64 took = timer.elapsed();
        QCOMPARE(f.found.size(), std::size_t(201));
        QVERIFY2(progress.size() <= took / LibraryWorker::kProgressMs,
                 qPrintable(QStringLiteral("%1 in %2 ms").arg(progress.size()).arg(took)));
    }

    void asideNamesAreNotUsedTwice() {
        LibraryIndexFixture f;
        for (const char byte : {'x', 'y'}) {
            overwrite(f.path(), QByteArray(8192, byte));
            LibraryWorker(f.path()).scan(f.folder.path());
        }
        QCOMPARE(contents(f.path() + ".damaged-1"), QByteArray(8192, 'x'));
        QCOMPARE(contents(f.path() + ".damaged-2"), QByteArray(8192, 'y'));
    }

    void anIndexThatCannotBeThereIsToldOnce() {
        LibraryIndexFixture f;
        QVERIFY(QDir().mkdir(f.path()));
        f.scan();
        f.scan();
        QCOMPARE(f.found.size(), std::size_t(1));
        QCOMPARE(f.problems.size(), 1);
        QVERIFY(QDir(f.path()).exists());
    }
};

HETEROSCOPE_UI_TEST(LibraryIndexTest)
#include "library_index_test.moc"
