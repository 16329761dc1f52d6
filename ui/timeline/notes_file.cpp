// SPDX-License-Identifier: GPL-3.0-or-later
// Reading and writing of notes.
#include "ui/timeline/notes_file.h"

#include "compute/base/file_kind.h"
#include "compute/base/json_memory.h"
#include "compute/base/output_file.h"
#include "ui/common/format.h"
#include "ui/common/paths.h"

#include <QFile>

namespace heteroscope::ui {

namespace {

constexpr qint64 kMaxBytes = qint64{4} * 1024 * 1024;
constexpr char kMalformed[] = "is not a file of timeline notes";

bool isNote(const Json& item) {
    return item.is_object() && item.contains("time_ns") && item.at("time_ns").is_number_integer() &&
           item.contains("text") && item.at("text").is_string();
}

} // namespace

Result<std::vector<Note>> loadNotes(const QString& path) {
    std::vector<Note> notes;
    QFile file(path);
    if (!file.exists())
        return notes;
    if (const Status status = requireRegularFile(path.toStdString()); !status)
        return status.error();
    if (!file.open(QIODevice::ReadOnly))
        return cannotOpen(file);
    if (file.size() > kMaxBytes)
        return badInput(path.toStdString(), "larger than a file of notes may be");
    MemoryBudget budget;
    const auto parsed = parseJson(file.readAll().toStdString(), budget, path.toStdString());
    if (!parsed && parsed.error().code == ErrorCode::OutOfMemory)
        return parsed.error();
    const Json content = parsed ? *parsed : Json();
    if (!content.is_object() || !content.contains("notes") || !content.at("notes").is_array())
        return badInput(path.toStdString(), kMalformed);
    for (const Json& item : content.at("notes")) {
        if (!isNote(item))
            return badInput(path.toStdString(), kMalformed);
        notes.push_back(
            {item.at("time_ns").get<std::int64_t>(), fromStd(item.at("text").get<std::string>())});
    }
    return notes;
}

Status saveNotes(const QString& path, const std::vector<Note>& notes) {
    if (notes.empty() && (!QFile::exists(path) || QFile::remove(path)))
        return {};
    Json list = Json::array();
    for (const Note& note : notes)
        list.push_back({{"time_ns", note.timeNs}, {"text", note.text.toStdString()}});
    const Json content = {{"format", "heteroscope-notes"}, {"version", 1}, {"notes", list}};
    return writeOutput(path.toStdString(), content.dump(1) + "\n");
}

} // namespace heteroscope::ui
