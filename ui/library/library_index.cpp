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

constexpr int kVersion = 1;

const char* const kColumns =
    "path, bytes, modified, name, kind, machine, started, targets, points, best, best_target, "
    "state, tags, notes";

const char* const kCreate =
    "CREATE TABLE IF NOT EXISTS runs (path TEXT PRIMARY KEY, bytes INTEGER, modified INTEGER, "
    "name TEXT, kind TEXT, machine TEXT, started INTEGER, targets TEXT, points INTEGER, best REAL, "
    "best_target TEXT, state TEXT, tags TEXT, notes TEXT)";

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
            entry.state,
            entry.tags.join(kSeparator),
            entry.notes};
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

bool LibraryIndex::open(const QString& path, QString* error) {
    if (openOnce(path, error))
        return true;
    QFile::remove(path); // damaged, or of another version: it is only a cache
    return openOnce(path, error);
}

bool LibraryIndex::openOnce(const QString& path, QString* error) {
    close();
    m_connection = QUuid::createUuid().toString();
    bool usable = false;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_connection);
        database.setDatabaseName(path);
        database.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=3000"));
        QSqlQuery query(database);
        usable = database.open();
        query = QSqlQuery(database);
        usable = usable && query.exec(QStringLiteral("PRAGMA user_version")) && query.next();
        const int version = usable ? query.value(0).toInt() : 0;
        usable = usable && (version == 0 || version == kVersion);
        query.finish();
        usable = usable && query.exec(QString::fromLatin1(kCreate)) &&
                 query.exec(QStringLiteral("PRAGMA user_version = %1").arg(kVersion)) &&
                 query.exec(QStringLiteral("PRAGMA synchronous = NORMAL"));
        if (!usable)
            *error = database.isOpen() ? query.lastError().text() : database.lastError().text();
    }
    if (!usable)
        close();
    return usable;
}

std::vector<LibraryEntry> LibraryIndex::all() const {
    std::vector<LibraryEntry> entries;
    if (!isOpen())
        return entries;
    QSqlQuery query(QSqlDatabase::database(m_connection));
    query.setForwardOnly(true);
    if (query.exec(QStringLiteral("SELECT %1 FROM runs").arg(QLatin1String(kColumns)))) {
        while (query.next())
            entries.push_back(entryFrom(query));
    }
    return entries;
}

void LibraryIndex::put(const std::vector<LibraryEntry>& entries) {
    if (!isOpen() || entries.empty())
        return;
    QSqlDatabase database = QSqlDatabase::database(m_connection);
    database.transaction();
    QSqlQuery query(database);
    query.prepare(QStringLiteral("INSERT OR REPLACE INTO runs (%1) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
                      .arg(QLatin1String(kColumns)));
    for (const LibraryEntry& entry : entries) {
        const QVariantList values = valuesOf(entry);
        for (int i = 0; i < values.size(); ++i)
            query.bindValue(i, values[i]);
        query.exec();
    }
    database.commit();
}

void LibraryIndex::remove(const QStringList& paths) {
    if (!isOpen() || paths.isEmpty())
        return;
    QSqlDatabase database = QSqlDatabase::database(m_connection);
    database.transaction();
    QSqlQuery query(database);
    query.prepare(QStringLiteral("DELETE FROM runs WHERE path = ?"));
    for (const QString& path : paths) {
        query.bindValue(0, path);
        query.exec();
    }
    database.commit();
}

} // namespace heteroscope::ui
