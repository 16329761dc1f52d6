// SPDX-License-Identifier: GPL-3.0-or-later
// Summaries of run files and their sidecars.
#include "ui/library/library_entry.h"

#include "compute/base/file_kind.h"
#include "profiling/analysis/results.h"
#include "profiling/stream/frame_memory.h"
#include "profiling/stream/stream_reader.h"
#include "ui/common/format.h"
#include "ui/common/whole_file.h"

#include <QFile>
#include <QFileInfo>

#include <set>

namespace heteroscope::ui {

namespace {

constexpr qint64 kPieceBytes = 1 << 20;
constexpr qint64 kMaxSidecarBytes = 1 << 20;

/// Feeds a file to the builder and leaves trace frames out. False when not even a header was there.
bool readStudy(const QString& path, profiling::StudyBuilder& builder) {
    if (!requireRegularFile(path.toStdString()))
        return false;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const std::string name = QFileInfo(path).fileName().toStdString();
    MemoryBudget budget;
    const profiling::Trace noTrace;
    profiling::StreamReader reader(name, &budget);
    profiling::FrameMemory memory(budget, noTrace, name);
    while (!file.atEnd()) {
        const QByteArray piece = file.read(kPieceBytes);
        if (piece.isEmpty())
            break;
        reader.feed({reinterpret_cast<const std::uint8_t*>(piece.constData()), std::size_t(piece.size())});
        while (true) {
            const auto frame = reader.next();
            if (!frame)
                return !builder.study().id.empty();
            if (!frame->has_value())
                break;
            if (profiling::isTraceFrame((*frame)->kind))
                continue;
            if (!memory.admit(**frame) || !builder.apply(**frame) || !memory.applied(**frame))
                return !builder.study().id.empty();
        }
    }
    return !builder.study().id.empty();
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
    for (const profiling::RunResult& result : results.runs) {
        const bool other = result.run->target != results.reference;
        if (other && result.speedup && result.speedup->ratio > entry.bestSpeedup) {
            entry.bestSpeedup = result.speedup->ratio;
            entry.bestTarget = fromStd(result.run->target);
        }
    }
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
    if (!readStudy(path, builder)) {
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
    entry.state = study.ended ? fromStd(study.endStatus) : QStringLiteral("stopped early");
    takeResults(entry, study);
    readSidecar(entry);
    return entry;
}

QString sidecarPath(const QString& runFile) {
    return runFile + QStringLiteral(".notes.json");
}

void readSidecar(LibraryEntry& entry) {
    entry.tags.clear();
    entry.notes.clear();
    if (!requireRegularFile(sidecarPath(entry.path).toStdString()))
        return;
    QFile file(sidecarPath(entry.path));
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMaxSidecarBytes)
        return;
    const QByteArray text = file.readAll();
    const Json content = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!content.is_object())
        return;
    if (content.contains("notes") && content["notes"].is_string())
        entry.notes = fromStd(content["notes"].get<std::string>());
    if (!content.contains("tags") || !content["tags"].is_array())
        return;
    for (const Json& tag : content["tags"])
        if (tag.is_string())
            entry.tags.append(fromStd(tag.get<std::string>()));
}

bool writeSidecar(const LibraryEntry& entry, QString* error) {
    const QString path = sidecarPath(entry.path);
    if (entry.tags.isEmpty() && entry.notes.isEmpty())
        return !QFileInfo::exists(path) || QFile::remove(path);
    Json content = {{"tags", Json::array()}, {"notes", entry.notes.toStdString()}};
    for (const QString& tag : entry.tags)
        content["tags"].push_back(tag.toStdString());
    const QByteArray text = QByteArray::fromStdString(content.dump(2)) + '\n';
    return writeWholeFile(path, text, error);
}

} // namespace heteroscope::ui
