// SPDX-License-Identifier: GPL-3.0-or-later
// Summaries of run files and their sidecars.
#include "ui/library/library_entry.h"

#include "compute/base/file_kind.h"
#include "compute/base/json_memory.h"
#include "compute/base/output_file.h"
#include "compute/base/units.h"
#include "profiling/analysis/main_result.h"
#include "profiling/stream/frame_memory.h"
#include "profiling/stream/run_file_state.h"
#include "profiling/stream/stream_reader.h"
#include "ui/common/format.h"
#include "ui/common/paths.h"
#include "ui/models/run_file_judge.h"

#include <QFile>
#include <QFileInfo>

#include <optional>
#include <set>

namespace heteroscope::ui {

namespace {

constexpr qint64 kPieceBytes = 1 << 20;
constexpr qint64 kMaxSidecarBytes = 1 << 20;

/// Applies every whole frame that the reader holds but those of the trace, whose bytes are only checked.
Status applyFrames(profiling::StreamReader& reader, profiling::StudyBuilder& builder,
                   profiling::FrameMemory& memory) {
    while (true) {
        const auto frame = reader.next();
        if (!frame)
            return frame.error();
        if (!frame->has_value())
            return {};
        if (profiling::isTraceFrame((*frame)->kind))
            continue;
        Status status = memory.admit(**frame);
        if (status)
            status = builder.apply(**frame);
        if (status)
            status = memory.applied(**frame);
        if (!status)
            return status;
    }
}

/// Feeds a file to the builder and leaves its trace out. Nothing when not even a header was there.
std::optional<profiling::RunFileState> readStudy(const QString& path, profiling::StudyBuilder& builder) {
    if (!requireRegularFile(path.toStdString()))
        return std::nullopt;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const std::string name = QFileInfo(path).fileName().toStdString();
    const RunFileJudge judge(path.toStdString());
    MemoryBudget budget;
    const profiling::Trace noTrace;
    profiling::StreamReader reader(name, &budget);
    profiling::FrameMemory memory(budget, noTrace, name);
    std::optional<Error> damage;
    while (!damage && !file.atEnd()) {
        const QByteArray piece = file.read(kPieceBytes);
        if (piece.isEmpty())
            break;
        reader.feed({reinterpret_cast<const std::uint8_t*>(piece.constData()), std::size_t(piece.size())});
        if (const Status status = applyFrames(reader, builder, memory); !status)
            damage = status.error();
    }
    if (!damage)
        if (const Status whole = reader.finish(); !whole)
            damage = whole.error();
    if (builder.study().id.empty())
        return std::nullopt;
    return judge.state(reader, builder.study(), damage);
}

QString machineOf(const Json& environment) {
    for (const char* pointer :
         {"/machine/name", "/cpu/name", "/cpu/model", "/cpu", "/machine/cpu", "/host/cpu"}) {
        const Json::json_pointer place(pointer);
        if (environment.is_object() && environment.contains(place) && environment[place].is_string())
            return fromStd(environment[place].get<std::string>());
    }
    return {};
}

void takeResults(LibraryEntry& entry, const profiling::Study& study) {
    std::set<std::string> points, targets;
    for (const profiling::StudyRun& run : study.runs) {
        points.insert(run.point.dump());
        if (targets.insert(run.target).second)
            entry.targets.append(fromStd(run.target));
    }
    entry.points = int(points.size());
    const profiling::StudyResults results = profiling::summarizeStudy(study);
    const auto main = profiling::mainResult(study, results);
    if (!main || !main->reference)
        return;
    entry.bestSpeedup = main->result->speedup->ratio;
    entry.bestTarget = fromStd(main->result->run->target);
    if (!main->point().empty())
        entry.bestPoint = fromStd(main->point().dump());
}

} // namespace

LibraryEntry summarizeRunFile(const QString& path) {
    const QFileInfo info(path);
    LibraryEntry entry;
    entry.path = path;
    entry.bytes = info.size();
    entry.modifiedMs = info.lastModified().toMSecsSinceEpoch();
    entry.name = info.completeBaseName();
    entry.started = info.lastModified();
    profiling::StudyBuilder builder;
    const auto state = readStudy(path, builder);
    if (!state) {
        entry.state = QStringLiteral("unreadable");
        readSidecar(entry);
        return entry;
    }
    const profiling::Study& study = builder.study();
    if (!study.name().empty())
        entry.name = fromStd(study.name());
    const QDateTime started = QDateTime::fromString(fromStd(study.startedUtc), Qt::ISODate);
    if (started.isValid())
        entry.started = started.toLocalTime();
    if (study.experiment.is_object() && study.experiment.contains("kind"))
        entry.kind = formatJsonValue(study.experiment["kind"]);
    entry.machine = machineOf(study.environment);
    entry.state = fromStd(state->outcome());
    takeResults(entry, study);
    readSidecar(entry);
    return entry;
}

QString sidecarPath(const QString& runFile) {
    return runFile + QStringLiteral(".notes.json");
}

namespace {

/// Null where there is none.
Result<Json> sidecarContent(const QString& path) {
    const std::string place = path.toStdString();
    if (!QFileInfo::exists(path))
        return Json();
    if (const Status status = requireRegularFile(place); !status)
        return status.error();
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return cannotOpen(file);
    if (file.size() > kMaxSidecarBytes)
        return badInput(place, "it is too long for tags and notes",
                        "at most " + formatBytes(static_cast<double>(kMaxSidecarBytes)));
    MemoryBudget budget;
    auto parsed = parseJson(file.readAll().toStdString(), budget, place);
    if (parsed && !parsed->is_object())
        return badInput(place, "it holds no tags and notes", "a JSON object");
    return parsed;
}

} // namespace

void readSidecar(LibraryEntry& entry) {
    entry.tags.clear();
    entry.notes.clear();
    const auto parsed = sidecarContent(sidecarPath(entry.path));
    if (!parsed || !parsed->is_object())
        return;
    const Json& content = *parsed;
    if (content.contains("notes") && content["notes"].is_string())
        entry.notes = fromStd(content["notes"].get<std::string>());
    if (!content.contains("tags") || !content["tags"].is_array())
        return;
    for (const Json& tag : content["tags"])
        if (tag.is_string())
            entry.tags.append(fromStd(tag.get<std::string>()));
}

Status writeSidecar(const LibraryEntry& entry) {
    const QString path = sidecarPath(entry.path);
    if (const auto before = sidecarContent(path); !before)
        return before.error(); // what was not read is not written over
    if (entry.tags.isEmpty() && entry.notes.isEmpty() && (!QFileInfo::exists(path) || QFile::remove(path)))
        return {};
    Json content = {{"tags", Json::array()}, {"notes", entry.notes.toStdString()}};
    for (const QString& tag : entry.tags)
        content["tags"].push_back(tag.toStdString());
    OutputRules rules;
    rules.keepUnplaced = false; // it is still in the window, and beside the run it would seem to be another's
    return writeOutput(path.toStdString(), content.dump(2) + "\n", rules);
}

} // namespace heteroscope::ui
