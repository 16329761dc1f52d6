// SPDX-License-Identifier: GPL-3.0-or-later
// The edited experiment: JSON, undo stack, checks, files, recovery.
#include "ui/build/document.h"

#include "compute/base/file_kind.h"
#include "compute/base/json_memory.h"
#include "compute/base/output_file.h"
#include "compute/base/output_kind.h"
#include "compute/base/output_place.h"
#include "compute/experiment/spec/option_effect.h"
#include "ui/build/document_commands.h"
#include "ui/build/file_mark.h"
#include "ui/build/json_text.h"
#include "ui/build/recovery_journal.h"
#include "ui/common/format.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::ui {

namespace {

constexpr int kCheckDelayMs = 80;

Json::json_pointer pointerOf(const std::string& text) {
    try {
        return Json::json_pointer(text);
    } catch (const Json::exception&) {
        return Json::json_pointer();
    }
}

/// The nearest existing container above a pointer: what has to be replaced so that a missing value appears.
std::string existingAncestor(const Json& document, std::string pointer) {
    while (!pointer.empty() && !valueAt(document, pointer))
        pointer = parentPointer(pointer);
    return pointer;
}

/// The subtree at `place` with the value at `pointer` (below it) put in, missing objects created.
Json withValue(const Json& document, const std::string& place, const std::string& pointer,
               const Json& value) {
    Json subtree = *valueAt(document, place);
    const Json::json_pointer rest = pointerOf(pointer.substr(place.size()));
    try {
        if (!rest.empty() && subtree.is_primitive())
            subtree = nullptr;
        subtree[rest] = value;
    } catch (const Json::exception&) { // a list where an object belongs
        subtree = nullptr;
        subtree[rest] = value;
    }
    return subtree;
}

bool isListOfObjects(const Json& value) {
    return value.is_array() && !value.empty() && value.front().is_object();
}

/// Where two lists of objects differ, "/1/mean", when it is in a single place; else the edit changed the list
/// itself and stays an undo step of its own.
std::optional<std::string> changedItem(const Json& before, const Json& after) {
    if (!isListOfObjects(before) || !isListOfObjects(after) || before.size() != after.size())
        return std::nullopt;
    std::vector<std::string> places;
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (before[i] == after[i])
            continue;
        if (!before[i].is_object() || !after[i].is_object())
            return std::nullopt;
        Json keys = before[i];
        keys.update(after[i]);
        for (const auto& [key, value] : keys.items()) {
            const auto was = before[i].find(key), is = after[i].find(key);
            if (was == before[i].end() || is == after[i].end() || *was != *is)
                places.push_back('/' + std::to_string(i) + '/' + key);
        }
    }
    return places.size() == 1 && !places[0].ends_with("/type") ? std::optional(places[0]) : std::nullopt;
}

/// What the document is called: its name, else the file's, else what it was given.
QString titleOf(const Json& json, const QString& path, const QString& given) {
    const Json* name = valueAt(json, "/name");
    if (name && name->is_string() && !name->get_ref<const std::string&>().empty())
        return QString::fromStdString(name->get<std::string>());
    if (!path.isEmpty())
        return QFileInfo(path).completeBaseName();
    return given.isEmpty() ? Document::tr("Untitled experiment") : given;
}

/// Experiments say so in a key, as the command line's rules have it.
OutputRules overExperimentsOnly() {
    OutputRules rules = rulesOfKind(OutputKind::Experiment);
    rules.forceAdvice = "choose another name";
    return rules;
}

/// The bytes of a file that may be an experiment.
std::optional<QByteArray> bytesOf(const QString& path) {
    QFile file(path);
    const bool readable = requireRegularFile(path.toStdString()).ok() && file.open(QIODevice::ReadOnly) &&
                          file.size() <= static_cast<qint64>(compute::SpecLimits::kMaxFileBytes);
    return readable ? std::optional(file.readAll()) : std::nullopt;
}

} // namespace

struct Document::Impl {
    Document& self;
    Json json = compute::defaultPoolingDocument();
    Json clean = json; ///< as saved or begun: where a journal starts
    QString path, givenTitle, shownTitle;
    JsonStore store;
    QUndoStack stack;
    RecoveryJournal journal;
    QTimer checkTimer;
    std::vector<compute::Diagnostic> diagnostics;
    bool stale = true;
    bool toldUnprotected = false;
    bool keepsJournal = true;
    FileMark mark; ///< of the file `path`

    explicit Impl(Document& document);
    void apply(const std::string& pointer, const Json& subtree);
    void reset(Json document, const QString& newPath, const QString& title);
    void tellOfJournal();
    void afterChange();
    void check();
    void push(const std::string& edited, const std::string& place, Json after, const QString& label,
              bool mergeable);
    void cleanChanged(bool isClean);
    void markAsInJournal();
};

Document::Impl::Impl(Document& document) : self(document) {
    store.json = [this]() -> const Json& { return json; };
    store.apply = [this](const std::string& pointer, const Json& subtree) { apply(pointer, subtree); };
    checkTimer.setSingleShot(true);
    checkTimer.setInterval(kCheckDelayMs);
    QObject::connect(&checkTimer, &QTimer::timeout, &self, [this] {
        check();
        emit self.diagnosticsChanged();
    });
    QObject::connect(&stack, &QUndoStack::cleanChanged, &self,
                     [this](bool isClean) { cleanChanged(isClean); });
}

void Document::Impl::apply(const std::string& pointer, const Json& subtree) {
    if (keepsJournal)
        journal.begin(clean, path, givenTitle);
    if (pointer.empty())
        json = subtree;
    else
        json[pointerOf(pointer)] = subtree;
    journal.append(pointer, subtree, json);
    tellOfJournal();
    afterChange();
}

void Document::Impl::tellOfJournal() {
    const bool isUnprotected = !journal.problem().isEmpty();
    if (isUnprotected && !toldUnprotected)
        emit self.unprotected(journal.problem());
    toldUnprotected = isUnprotected;
}

void Document::Impl::afterChange() {
    stale = true;
    checkTimer.start();
    emit self.changed();
    const QString title = self.title();
    if (title != shownTitle) {
        shownTitle = title;
        emit self.titleChanged();
    }
}

void Document::Impl::reset(Json document, const QString& newPath, const QString& title) {
    journal.clear();
    json = std::move(document);
    clean = json;
    path = newPath;
    givenTitle = title;
    stack.clear();
    stack.setClean();
    afterChange();
    emit self.titleChanged();
}

/// Whoever asks gets fresh findings at once; the timer tells the others soon after.
void Document::Impl::check() {
    if (stale) {
        diagnostics = compute::checkExperiment(json);
        const bool wrong = std::any_of(diagnostics.begin(), diagnostics.end(), [](const auto& one) {
            return one.severity == compute::Diagnostic::Severity::Error;
        });
        if (!wrong)
            for (auto& one : compute::optionsWithoutEffect(json))
                diagnostics.push_back(std::move(one));
    }
    stale = false;
}

void Document::Impl::push(const std::string& edited, const std::string& place, Json after,
                          const QString& label, bool mergeable) {
    if (const Json* present = valueAt(json, place); present && *present == after)
        return;
    auto* command = new ReplaceSubtree(store, edited, place, std::move(after), label);
    command->setMergeable(mergeable);
    stack.push(command); // the stack owns it
}

/// After a restart only the journal says what the file held: it holds that still, or others changed it.
void Document::Impl::markAsInJournal() {
    const auto bytes = path.isEmpty() ? std::nullopt : bytesOf(path);
    MemoryBudget budget;
    const auto now = parseJson(bytes ? bytes->toStdString() : std::string(), budget, path.toStdString());
    const bool same = bytes && ((now && *now == clean) || bytes->toStdString() == experimentText(clean));
    mark.set(same ? *bytes : QByteArray());
}

void Document::Impl::cleanChanged(bool isClean) {
    if (isClean)
        journal.clear();
    emit self.titleChanged();
}

Document::Document(QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>(*this)) {}

Document::~Document() {
    m_impl->stack.disconnect(this);
}

void Document::newExperiment(const Json& document, const QString& title) {
    m_impl->reset(document, {}, title);
}

bool Document::load(const QString& path, QString* error, ErrorCode* code) {
    const auto fail = [&](const QString& text, ErrorCode kind = ErrorCode::BadInput) {
        if (code)
            *code = kind;
        if (error)
            *error = text;
        return false;
    };
    if (const Status status = requireRegularFile(path.toStdString()); !status)
        return fail(QString::fromStdString(status.error().sentence()));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(tr("%1 cannot be read: %2").arg(QDir::toNativeSeparators(path), file.errorString()));
    if (file.size() > static_cast<qint64>(compute::SpecLimits::kMaxFileBytes))
        return fail(tr("%1 is too large for an experiment (%2 bytes; at most %3 are read)")
                        .arg(path, countText(file.size()),
                             countText(static_cast<std::int64_t>(compute::SpecLimits::kMaxFileBytes))));
    const QByteArray bytes = file.readAll();
    auto parsed = compute::parseJsonText({bytes.data(), static_cast<std::size_t>(bytes.size())});
    if (!parsed)
        return fail(
            tr("%1 is not an experiment: %2").arg(path, QString::fromStdString(parsed.error().sentence())),
            parsed.error().code);
    if (!parsed->is_object() || !parsed->contains("kind"))
        return fail(tr("%1 is not an experiment: a JSON object with \"kind\" was expected").arg(path));
    m_impl->reset(std::move(*parsed), QFileInfo(path).absoluteFilePath(), {});
    m_impl->mark.set(bytes);
    return true;
}

bool Document::save(const QString& path, QString* error) {
    const std::string text = experimentText(m_impl->json);
    const bool own = isSameFile(path.toStdString(), m_impl->path.toStdString());
    const Status written = writeOutput(path.toStdString(), text, own ? OutputRules() : overExperimentsOnly());
    if (!written) {
        if (error)
            *error = fromStd(written.error().sentence());
        return false;
    }
    m_impl->path = QFileInfo(path).absoluteFilePath();
    m_impl->mark.set(QByteArray::fromStdString(text));
    m_impl->clean = m_impl->json;
    m_impl->journal.clear();
    m_impl->stack.setClean();
    emit titleChanged();
    return true;
}

bool Document::changedOnDisk() {
    return !m_impl->path.isEmpty() && m_impl->mark.changed(m_impl->path);
}

bool Document::newsOnDisk() {
    return !m_impl->path.isEmpty() && m_impl->mark.isNews(m_impl->path);
}

QString Document::path() const {
    return m_impl->path;
}

QString Document::title() const {
    return titleOf(m_impl->json, m_impl->path, m_impl->givenTitle);
}

bool Document::isModified() const {
    return !m_impl->stack.isClean();
}

const Json& Document::json() const {
    return m_impl->json;
}

void Document::setValue(const QString& pointer, const Json& value, const QString& label) {
    const std::string target = pointer.toStdString();
    const std::string place = existingAncestor(m_impl->json, target);
    const Json* present = valueAt(m_impl->json, target);
    const auto inside = present ? changedItem(*present, value) : std::nullopt;
    m_impl->push(target + inside.value_or(std::string()), place,
                 withValue(m_impl->json, place, target, value), label,
                 inside || !(isListOfObjects(value) || (present && isListOfObjects(*present))));
}

void Document::removeValue(const QString& pointer, const QString& label) {
    const std::string target = pointer.toStdString();
    if (target.empty() || !valueAt(m_impl->json, target))
        return;
    const std::string place = parentPointer(target);
    Json parent = *valueAt(m_impl->json, place);
    const std::string token = pointerOf(target).back();
    if (parent.is_array())
        parent.erase(std::stoul(token));
    else
        parent.erase(token);
    m_impl->push(target, place, std::move(parent), label, false);
}

void Document::replaceAll(const Json& document, const QString& label) {
    m_impl->push({}, {}, document, label, false);
}

QUndoStack& Document::undoStack() {
    return m_impl->stack;
}

const std::vector<compute::Diagnostic>& Document::diagnostics() const {
    m_impl->check();
    return m_impl->diagnostics;
}

bool Document::canRun() const {
    for (const auto& finding : diagnostics())
        if (finding.severity == compute::Diagnostic::Severity::Error)
            return false;
    return true;
}

QString Document::findRecovery() {
    const auto found = findUnsavedWork();
    return found.empty() ? QString() : found.front().journal;
}

std::vector<Document::UnsavedWork> Document::findUnsavedWork(QStringList* unread) {
    std::vector<UnsavedWork> found;
    std::vector<Error> errors;
    const auto orphans = RecoveryJournal::findOrphans(&errors);
    for (const Error& error : errors)
        if (unread != nullptr)
            unread->append(fromStd(error.sentence()));
    for (const RecoveryJournal::Orphan& orphan : orphans) {
        const RecoveryJournal::Content& content = orphan.content;
        found.push_back(
            {orphan.path, titleOf(content.edited, content.documentPath, content.title), orphan.changed});
    }
    return found;
}

void Document::keepNoJournal() {
    m_impl->keepsJournal = false;
    m_impl->journal.clear();
}

bool Document::restoreRecovery(const QString& journal, QString* error) {
    auto content = RecoveryJournal::read(journal);
    if (!content && !QFile::exists(journal)) { // every window offers it until one has answered
        if (error)
            *error = tr("The unsaved work is no longer there: another window has restored or discarded it.");
        return false;
    }
    if (!content) {
        if (error)
            *error = tr("The unsaved work cannot be read and is kept: %1")
                         .arg(fromStd(content.error().sentence()));
        return false;
    }
    m_impl->reset(std::move(content->clean), content->documentPath, content->title);
    m_impl->markAsInJournal();
    replaceAll(content->edited, tr("Restore unsaved work")); // writes a journal of its own
    if (m_impl->journal.problem().isEmpty())
        QFile::remove(journal);
    return true;
}

void Document::discardRecovery(const QString& journal) {
    QFile::remove(journal);
}

} // namespace heteroscope::ui

#include "moc_document.cpp"
