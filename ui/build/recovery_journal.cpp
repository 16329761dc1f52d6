// SPDX-License-Identifier: GPL-3.0-or-later
// Writes, reads and finds journals of unsaved work.
#include "ui/build/recovery_journal.h"

#include "ui/build/json_text.h"
#include "ui/common/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QUuid>

#include <sys/file.h>
#include <utility>

namespace heteroscope::ui {

namespace {

constexpr qint64 kMaxJournalBytes = 256ll << 20;

QString recoveryDirectory() {
    return QDir(dataDirectory()).filePath(QStringLiteral("recovery"));
}

/// False while another open file of any process holds it.
bool lockFile(const QFile& file) {
    return ::flock(file.handle(), LOCK_EX | LOCK_NB) == 0;
}

std::optional<Json> parseLine(const QByteArray& line) {
    if (!line.endsWith('\n'))
        return std::nullopt;
    Json value = Json::parse(line.begin(), line.end(), nullptr, false);
    if (!value.is_object())
        return std::nullopt;
    return value;
}

bool applyLine(Json& document, const Json& line) {
    if (!line.contains("at") || !line.at("at").is_string() || !line.contains("value"))
        return false;
    try {
        document[Json::json_pointer(line.at("at").get<std::string>())] = line.at("value");
        return true;
    } catch (const Json::exception&) {
        return false;
    }
}

QString lineText(const Json& line, const char* key) {
    const auto found = line.find(key);
    return found != line.end() && found->is_string() ? QString::fromStdString(found->get<std::string>())
                                                     : QString();
}

/// Nothing when not even the first line is whole, or the file cannot be read: its error() tells which.
std::optional<RecoveryJournal::Content> contentOf(QFile& file) {
    const auto head = parseLine(file.readLine());
    if (!head || !head->contains("heteroscope_journal") || !head->contains("document"))
        return std::nullopt;
    RecoveryJournal::Content content;
    content.clean = content.edited = head->at("document");
    content.documentPath = lineText(*head, "path");
    content.title = lineText(*head, "title");
    while (!file.atEnd()) {
        const auto line = parseLine(file.readLine());
        if (!line || !applyLine(content.edited, *line))
            break;
    }
    return content;
}

} // namespace

RecoveryJournal::~RecoveryJournal() {
    clear();
}

void RecoveryJournal::begin(const Json& clean, const QString& documentPath, const QString& title) {
    if (m_file)
        return;
    QDir().mkpath(recoveryDirectory());
    const QString name = QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".journal");
    auto file = std::make_unique<QFile>(QDir(recoveryDirectory()).filePath(name));
    const bool missedEdit = std::exchange(m_missesEdit, true);
    if (!file->open(QIODevice::WriteOnly | QIODevice::NewOnly | QIODevice::Unbuffered) || !lockFile(*file)) {
        m_problem = tr("Unsaved work is not protected: %1: %2").arg(file->fileName(), file->errorString());
        return;
    }
    m_file = std::move(file);
    m_wholeBytes = 0;
    if (writeLine(Json{{"heteroscope_journal", 1},
                       {"path", documentPath.toStdString()},
                       {"title", title.toStdString()},
                       {"document", clean}})) {
        m_missesEdit = missedEdit;
        return;
    }
    m_file->remove(); // the next edit begins another one
    m_file.reset();
}

void RecoveryJournal::append(const std::string& pointer, const Json& subtree, const Json& whole) {
    if (!m_file)
        return;
    m_missesEdit = !writeLine(m_missesEdit ? Json{{"at", ""}, {"value", whole}}
                                           : Json{{"at", pointer}, {"value", subtree}});
}

/// The whole line or nothing of it: whatever came after half a line would not be read.
bool RecoveryJournal::writeLine(const Json& line) {
    const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    const auto size = static_cast<qint64>(text.size());
    if (m_file->write(text.data(), size) == size) {
        m_wholeBytes += size;
        m_problem.clear();
        return true;
    }
    m_problem = tr("Unsaved work is not protected: %1: %2").arg(m_file->fileName(), m_file->errorString());
    m_file->resize(m_wholeBytes);
    m_file->seek(m_wholeBytes);
    return false;
}

void RecoveryJournal::clear() {
    if (m_file)
        m_file->remove();
    m_file.reset();
    m_missesEdit = false;
    m_problem.clear();
}

std::optional<RecoveryJournal::Content> RecoveryJournal::read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMaxJournalBytes)
        return std::nullopt;
    return contentOf(file);
}

std::vector<RecoveryJournal::Orphan> RecoveryJournal::findOrphans() {
    std::vector<Orphan> orphans;
    const QDir directory(recoveryDirectory());
    const auto entries =
        directory.entryInfoList({QStringLiteral("*.journal")}, QDir::Files, QDir::Time /* newest first */);
    for (const QFileInfo& entry : entries) {
        QFile file(entry.filePath());
        if (!file.open(QIODevice::ReadWrite) || !lockFile(file) || file.size() > kMaxJournalBytes)
            continue;
        auto content = contentOf(file);
        if (content && content->edited != content->clean)
            orphans.push_back({entry.filePath(), entry.lastModified(), std::move(*content)});
        else if (file.error() == QFileDevice::NoError)
            file.remove(); // nothing in it that could be lost
    }
    return orphans;
}

} // namespace heteroscope::ui
