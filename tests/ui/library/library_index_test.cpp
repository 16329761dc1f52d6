// SPDX-License-Identifier: GPL-3.0-or-later
// The library's index when another program holds it, when it is damaged, and when it cannot be there.
#include "tests/ui/library/run_files.h"
#include "ui/library/library_worker.h"

#include <QDir>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

/// A folder with one run, and a worker that looks at it.
struct Fixture {
    QTemporaryDir folder;
    LibraryWorker worker{path()};
    QSignalSpy problems{&worker, &LibraryWorker::problem};
    std::vector<LibraryEntry> found;

    Fixture() {
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
    void aLockedIndexIsWaitedForAndLeftAlone() {
        Fixture f;
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
        Fixture f;
        overwrite(f.path(), QByteArray(8192, 'x'));
        f.scan();
        QCOMPARE(f.found.size(), std::size_t(1));
        QCOMPARE(f.problems.size(), 1);
        QVERIFY2(f.problem(0).contains("index.sqlite.damaged-1"), qPrintable(f.problem(0)));
        QCOMPARE(contents(f.path() + ".damaged-1"), QByteArray(8192, 'x'));
        QCOMPARE(f.kept(), std::size_t(1));
    }

    void damageFurtherInIsFoundWhenItIsRead() {
        Fixture f;
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

    void asideNamesAreNotUsedTwice() {
        Fixture f;
        for (const char byte : {'x', 'y'}) {
            overwrite(f.path(), QByteArray(8192, byte));
            LibraryWorker(f.path()).scan(f.folder.path());
        }
        QCOMPARE(contents(f.path() + ".damaged-1"), QByteArray(8192, 'x'));
        QCOMPARE(contents(f.path() + ".damaged-2"), QByteArray(8192, 'y'));
    }

    void anIndexThatCannotBeThereIsToldOnce() {
        Fixture f;
        QVERIFY(QDir().mkdir(f.path()));
        f.scan();
        f.scan();
        QCOMPARE(f.found.size(), std::size_t(1));
        QCOMPARE(f.problems.size(), 1);
        QVERIFY(QDir(f.path()).exists());
    }
};

QTEST_GUILESS_MAIN(LibraryIndexTest)
#include "library_index_test.moc"
