// SPDX-License-Identifier: GPL-3.0-or-later
// The index in SQLite.
#include "ui/library/library_index.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>
#include <QVariant>

namespace heteroscope::ui {

namespace {

/// 4: the point of the best speedup has a column of its own, to be named in the language of the window. An
/// older index is filled afresh.
constexpr int kVersion = 4;

const char* const kColumns =
    "path, bytes, modified, name, kind, machine, started, targets, points, best, best_target, best_point, "
    "state, tags, notes";

const char* const kCreate =
    "CREATE TABLE IF NOT EXISTS runs (path TEXT PRIMARY KEY, bytes INTEGER, modified INTEGER, "
    "name TEXT, kind TEXT, machine TEXT, started INTEGER, targets TEXT, points INTEGER, best REAL, "
    "best_target TEXT, best_point TEXT, state TEXT, tags TEXT, notes TEXT)";

const QChar kSeparator(0x1f); ///< between the parts of a list in one column

LibraryEntry entryFrom(const QSqlQuery& row) {
    LibraryEntry entry;
    int column = 0;
    entry.path = row.value(column++).toString();
    entry.bytes = row.value(column++).toLongLong();
    entry.modifiedMs = row.value(column++).toLongLong();
    entry.name = row.value(column++).toString();
    entry.kind = row.value(column++).toString();
    entry.machine = row.value(column++).toString();
    entry.started = QDateTime::fromMSecsSinceEpoch(row.value(column++).toLongLong());
    entry.targets = row.value(column++).toString().split(kSeparator, Qt::SkipEmptyParts);
    entry.points = row.value(column++).toInt();
    entry.bestSpeedup = row.value(column++).toDouble();
    entry.bestTarget = row.value(column++).toString();
    entry.bestPoint = row.value(column++).toString();
    entry.state = row.value(column++).toString();
    entry.tags = row.value(column++).toString().split(kSeparator, Qt::SkipEmptyParts);
    entry.notes = row.value(column++).toString();
    return entry;
}

QVariantList valuesOf(const LibraryEntry& entry) {
    return {entry.path,
            entry.bytes,
            entry.modifiedMs,
            entry.name,
            entry.kind,
            entry.machine,
            entry.started.toMSecsSinceEpoch(),
            entry.targets.join(kSeparator),
            entry.points,
            entry.bestSpeedup,
            entry.bestTarget,
            entry.bestPoint,
            entry.state,
            entry.tags.join(kSeparator),
            entry.notes};
}

/// SQLite's primary result codes.
constexpr int kBusy = 5, kLocked = 6, kCorrupt = 11, kNoDatabase = 26, kPrimary = 0xff;

IndexTrouble troubleOf(const QSqlError& error) {
    const int code = error.nativeErrorCode().toInt() & kPrimary;
    const auto kind = code == kBusy || code == kLocked          ? IndexTrouble::Kind::Busy
                      : code == kCorrupt || code == kNoDatabase ? IndexTrouble::Kind::Damaged
                                                                : IndexTrouble::Kind::Other;
    return {kind, error.text()};
}

/// Nothing when all statements succeed; else none has any effect.
template <class Statements>
std::optional<IndexTrouble> inTransaction(const QString& connection, Statements&& statements) {
    QSqlDatabase database = QSqlDatabase::database(connection);
    QSqlQuery query(database);
    // At once: a reader that later wants to write can be refused without being waited for.
    if (!query.exec(QStringLiteral("BEGIN IMMEDIATE")))
        return troubleOf(query.lastError());
    if (statements(query) && query.exec(QStringLiteral("COMMIT")))
        return std::nullopt;
    const IndexTrouble trouble = troubleOf(query.lastError());
    query.exec(QStringLiteral("ROLLBACK"));
    return trouble;
}

std::optional<IndexTrouble> prepareTables(QSqlDatabase& database) {
    QSqlQuery query(database);
    if (!query.exec(QStringLiteral("PRAGMA user_version")) || !query.next())
        return troubleOf(query.lastError());
    const int version = query.value(0).toInt();
    query.finish();
    if (version == kVersion)
        return std::nullopt;
    if (version > kVersion || version < 0)
        return IndexTrouble{IndexTrouble::Kind::Damaged, QStringLiteral("version %1").arg(version)};
    if ((version > 0 && !query.exec(QStringLiteral("DROP TABLE IF EXISTS runs"))) ||
        !query.exec(QString::fromLatin1(kCreate)) ||
        !query.exec(QStringLiteral("PRAGMA user_version = %1").arg(kVersion)))
        return troubleOf(query.lastError());
    return std::nullopt;
}

} // namespace

LibraryIndex::~LibraryIndex() {
    close();
}

void LibraryIndex::close() {
    if (m_connection.isEmpty())
        return;
    QSqlDatabase::database(m_connection, false).close();
    QSqlDatabase::removeDatabase(m_connection);
    m_connection.clear();
}

std::optional<IndexTrouble> LibraryIndex::open(const QString& path) {
    close();
    m_connection = QUuid::createUuid().toString();
    std::optional<IndexTrouble> trouble;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
        database.setDatabaseName(path);
        database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(kWaitMs));
        if (!database.open())
            trouble = troubleOf(database.lastError());
        else
            trouble = prepareTables(database);
        if (!trouble)
            QSqlQuery(database).exec(QStringLiteral("PRAGMA synchronous = NORMAL"));
    }
    if (trouble)
        close();
    return trouble;
}

std::optional<IndexTrouble> LibraryIndex::read(std::vector<LibraryEntry>& entries) const {
    if (!isOpen())
        return std::nullopt;
    QSqlQuery query(QSqlDatabase::database(m_connection));
    query.setForwardOnly(true);
    if (!query.exec(QStringLiteral("SELECT %1 FROM runs").arg(QLatin1String(kColumns))))
        return troubleOf(query.lastError());
    while (query.next())
        entries.push_back(entryFrom(query));
    return query.lastError().isValid() ? std::optional(troubleOf(query.lastError())) : std::nullopt;
}

std::optional<IndexTrouble> LibraryIndex::put(const std::vector<LibraryEntry>& entries) {
    if (!isOpen() || entries.empty())
        return std::nullopt;
    return inTransaction(m_connection, [&](QSqlQuery& query) {
        query.prepare(
            QStringLiteral("INSERT OR REPLACE INTO runs (%1) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
                .arg(QLatin1String(kColumns)));
        for (const LibraryEntry& entry : entries) {
            const QVariantList values = valuesOf(entry);
            for (int i = 0; i < values.size(); ++i)
                query.bindValue(i, values[i]);
            if (!query.exec())
                return false;
        }
        return true;
    });
}

std::optional<IndexTrouble> LibraryIndex::remove(const QStringList& paths) {
    if (!isOpen() || paths.isEmpty())
        return std::nullopt;
    return inTransaction(m_connection, [&](QSqlQuery& query) {
        query.prepare(QStringLiteral("DELETE FROM runs WHERE path = ?"));
        for (const QString& path : paths) {
            query.bindValue(0, path);
            if (!query.exec())
                return false;
        }
        return true;
    });
}

QString LibraryIndex::setAside(const QString& path) {
    close();
    QString name;
    for (int number = 1; name.isEmpty() || QFile::exists(name); ++number)
        name = path + QStringLiteral(".damaged-%1").arg(number);
    if (!QFile::rename(path, name))
        return {};
    for (const char* beside :
         {"-journal", "-wal", "-shm"}) // else the new file would be taken for the old one
        QFile::rename(path + QLatin1String(beside), name + QLatin1String(beside));
    return name;
}

} // namespace heteroscope::ui
