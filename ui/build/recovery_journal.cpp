// SPDX-License-Identifier: GPL-3.0-or-later
// Writes, reads and finds journals of unsaved work.
#include "ui/build/recovery_journal.h"

#include "compute/base/json_memory.h"
#include "compute/experiment/spec/pointer.h"
#include "ui/build/json_text.h"
#include "ui/common/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QUuid>

#include <charconv>
#include <sys/file.h>
#include <utility>

namespace heteroscope::ui {

namespace {

constexpr qint64 kMaxJournalBytes = 256ll << 20;

QString recoveryDirectory() {
    return QDir(dataDirectory()).filePath(QStringLiteral("recovery"));
}

/// Up to the end of the line that is read next, without reading all of it at once.
qint64 lineBytes(QFile& file) {
    constexpr qint64 kPieceBytes = 1 << 16;
    const qint64 start = file.pos();
    qint64 bytes = 0;
    for (bool ended = false; !ended;) {
        const QByteArray piece = file.read(kPieceBytes);
        const qsizetype end = piece.indexOf('\n');
        ended = end >= 0 || piece.isEmpty();
        bytes += end >= 0 ? end + 1 : piece.size();
    }
    file.seek(start);
    return bytes;
}

/// False while another open file of any process holds it.
bool lockFile(const QFile& file) {
    return ::flock(file.handle(), LOCK_EX | LOCK_NB) == 0;
}

/// What it takes stays charged: the document that the lines change keeps their values. No line, without an
/// error: it is not whole. After an error it is still to be read.
Result<std::optional<Json>> parseLine(QFile& file, MemoryBudget& budget) {
    const std::string place = file.fileName().toStdString();
    HeldMemory read(budget);
    if (const Status status = read.add(lineBytes(file), "a line of the journal", place); !status)
        return status.error();
    const QByteArray line = file.readLine();
    if (!line.endsWith('\n'))
        return std::optional<Json>();
    auto value = parseJson({line.data(), static_cast<std::size_t>(line.size())}, budget, place);
    if (!value && value.error().code == ErrorCode::OutOfMemory)
        return value.error();
    return value && value->is_object() ? std::optional(std::move(*value)) : std::nullopt;
}

/// Whether an edit may be there: the library fills a list with nulls up to any number that a pointer names,
/// and makes what is not there to any depth.
bool isPlace(const Json& document, const std::string& pointer) {
    const auto parts = compute::pointerParts(pointer);
    if (!parts || parts->size() > std::size_t{kMaxJsonDepth})
        return false;
    const Json* at = &document; // null: not there yet
    for (const std::string& part : *parts) {
        std::size_t index = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
        const bool isIndex = !part.empty() && end == part.data() + part.size();
        const bool isList = at != nullptr && at->is_array();
        const bool mayBecomeList = at == nullptr || at->is_null();
        const std::size_t size = isList ? at->size() : 0;
        if ((isList || mayBecomeList) && isIndex && (error != std::errc() || index > size))
            return false;
        if (isList)
            at = isIndex && index < size ? &(*at)[index] : nullptr;
        else
            at = at != nullptr && at->is_object() && at->contains(part) ? &at->at(part) : nullptr;
    }
    return true;
}

bool applyLine(Json& document, const Json& line) {
    if (!line.contains("at") || !line.at("at").is_string() || !line.contains("value"))
        return false;
    const auto pointer = line.at("at").get<std::string>();
    if (!isPlace(document, pointer))
        return false;
    try {
        document[Json::json_pointer(pointer)] = line.at("value");
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

using Content = RecoveryJournal::Content;

/// Values that later lines replaced are gone and still charged.
Status chargeWhatIsLeft(MemoryBudget& budget, const Content& content, const std::string& place) {
    budget.release(budget.heldBytes());
    for (const Json* document : {&content.clean, &content.edited})
        if (const Status status =
                budget.charge(jsonMemory(document->dump(-1, ' ', false, Json::error_handler_t::replace)),
                              "the document of the journal", place);
            !status)
            return status;
    return {};
}

/// Nothing when not even the first line is whole, or the file cannot be read: its error() tells which. An
/// error when it takes more memory than may be used: the work in it is not lost.
Result<std::optional<Content>> contentOf(QFile& file) {
    MemoryBudget budget;
    const auto head = parseLine(file, budget);
    if (!head)
        return head.error();
    if (!*head || !(*head)->contains("heteroscope_journal") || !(*head)->contains("document"))
        return std::optional<Content>();
    Content content;
    content.clean = content.edited = (*head)->at("document");
    content.documentPath = lineText(**head, "path");
    content.title = lineText(**head, "title");
    while (!file.atEnd()) {
        const qint64 start = file.pos();
        auto line = parseLine(file, budget);
        if (!line) {
            if (const Status status = chargeWhatIsLeft(budget, content, file.fileName().toStdString());
                !status)
                return status.error();
            file.seek(start);
            line = parseLine(file, budget);
        }
        if (!line)
            return line.error();
        if (!*line || !applyLine(content.edited, **line))
            break;
    }
    return std::optional(std::move(content));
}

} // namespace

RecoveryJournal::~RecoveryJournal() {
    clear();
}

void RecoveryJournal::begin(const Json& clean, const QString& documentPath, const QString& title) {
    if (m_file)
        return;
    const QString noFolder = createFolder(recoveryDirectory());
    if (!noFolder.isEmpty()) {
        m_missesEdit = true;
        m_problem = tr("Unsaved work is not protected: %1").arg(noFolder);
        return;
    }
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

Result<RecoveryJournal::Content> RecoveryJournal::read(const QString& path) {
    QFile file(path);
    const std::string place = path.toStdString();
    if (!file.open(QIODevice::ReadOnly))
        return cannotOpen(file);
    if (file.size() > kMaxJournalBytes)
        return badInput(place, "it is too long for a journal of unsaved work", "at most 256 MiB");
    auto content = contentOf(file);
    if (!content)
        return content.error();
    if (!*content)
        return badInput(place, "its first line is not whole");
    return std::move(**content);
}

std::vector<RecoveryJournal::Orphan> RecoveryJournal::findOrphans(std::vector<Error>* unread) {
    std::vector<Orphan> orphans;
    const QDir directory(recoveryDirectory());
    const auto entries =
        directory.entryInfoList({QStringLiteral("*.journal")}, QDir::Files, QDir::Time /* newest first */);
    for (const QFileInfo& entry : entries) {
        QFile file(entry.filePath());
        if (!file.open(QIODevice::ReadWrite) || !lockFile(file) || file.size() > kMaxJournalBytes)
            continue;
        auto read = contentOf(file);
        if (!read) { // it waits for a start with more memory
            if (unread != nullptr)
                unread->push_back(read.error());
            continue;
        }
        auto& content = *read;
        if (content && content->edited != content->clean)
            orphans.push_back({entry.filePath(), entry.lastModified(), std::move(*content)});
        else if (file.error() == QFileDevice::NoError)
            file.remove(); // nothing in it that could be lost
    }
    return orphans;
}

} // namespace heteroscope::ui
