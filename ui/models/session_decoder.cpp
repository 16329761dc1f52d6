// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes streams, run files and Chrome traces off the GUI thread.
#include "ui/models/session_decoder.h"

#include "compute/base/file_kind.h"
#include "profiling/io/chrome_json.h"
#include "ui/common/format.h"
#include "ui/models/run_file_judge.h"

#include <QFile>
#include <QFileInfo>

#include <cstring>

namespace heteroscope::ui {

namespace {

constexpr qint64 kPieceBytes = 1 << 20;

std::span<const std::uint8_t> asBytes(const QByteArray& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.constData()), std::size_t(bytes.size())};
}

bool isRunFile(QFile& file) {
    const QByteArray start = file.peek(qint64(sizeof(profiling::kMagic)));
    return start.size() == qsizetype(sizeof(profiling::kMagic)) &&
           std::memcmp(start.constData(), profiling::kMagic, sizeof(profiling::kMagic)) == 0;
}

} // namespace

SessionDecoder::SessionDecoder(std::shared_ptr<profiling::Trace> trace)
    : m_trace(std::move(trace)),
      m_traceBuilder(std::make_unique<profiling::TraceBuilder>(*m_trace)),
      m_flushTimer(this) {
    m_flushTimer.setSingleShot(true);
    connect(&m_flushTimer, &QTimer::timeout, this, &SessionDecoder::flush);
    m_sinceFlush.start();
}

SessionDecoder::~SessionDecoder() = default;

void SessionDecoder::openFile(const QString& path) {
    if (const Status status = requireRegularFile(path.toStdString()); !status) {
        refuse(fromStd(status.error().sentence()), status.error().code);
        return;
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        refuse(tr("%1 cannot be opened: %2.").arg(path, file.errorString()));
        return;
    }
    if (file.size() == 0) {
        refuse(tr("%1 is empty: a copy that failed, a full disk or a loss of power may have left it. Copy it "
                  "again from where it was written, or run its experiment again.")
                   .arg(path));
        return;
    }
    const bool runFile = isRunFile(file) || path.endsWith(QStringLiteral(".hscope"), Qt::CaseInsensitive);
    file.close();
    if (runFile)
        openRunFile(path);
    else
        openTrace(path);
}

void SessionDecoder::openRunFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        refuse(tr("%1 cannot be opened: %2.").arg(path, file.errorString()));
        return;
    }
    m_name = path.toStdString();
    const RunFileJudge judge(m_name);
    m_budget = std::make_unique<MemoryBudget>();
    m_memory = std::make_unique<profiling::FrameMemory>(*m_budget, *m_trace, m_name);
    m_reader = std::make_unique<profiling::StreamReader>(m_name, m_budget.get());
    const double total = double(std::max<qint64>(file.size(), 1));
    while (!m_cancelled.load() && !m_broken && !file.atEnd()) {
        const QByteArray piece = file.read(kPieceBytes);
        if (piece.isEmpty())
            break;
        m_reader->feed(asBytes(piece));
        takeFrames(false);
        m_batch.fraction = double(file.pos()) / total;
        if (!m_broken) // why is said with the last batch
            flushWhenDue();
    }
    if (!m_cancelled.load() && !m_broken)
        check(m_reader->finish());
    if (const auto missing = profiling::missingStart(m_name, std::uint64_t(file.size()));
        missing && !m_broken && !m_cancelled.load()) {
        refuse(fromStd(missing->sentence()), missing->code);
        return;
    }
    m_batch.damaged = m_broken;
    m_batch.state = judge.state(*m_reader, m_studyBuilder.study(), m_damage);
    m_batch.unreadable = m_studyBuilder.study().id.empty() && m_studyBuilder.study().runs.empty() &&
                         m_trace->trackCount() == 0 && m_batch.damaged;
    m_batch.study = std::move(m_studyBuilder.study());
    m_batch.study->file = m_name;
    m_batch.finished = true;
    flush();
}

void SessionDecoder::openTrace(const QString& path) {
    const auto keepGoing = [this](double fraction) {
        m_batch.fraction = fraction;
        flushWhenDue();
        return !m_cancelled.load();
    };
    const auto report = profiling::importChromeJson(path.toStdString(), *m_trace, keepGoing);
    if (!report) {
        refuse(fromStd(report.error().sentence()), report.error().code);
        return;
    }
    m_trace->publish();
    if (const Status some = profiling::requireSomething(*report, *m_trace, path.toStdString()); !some) {
        refuse(fromStd(some.error().sentence()), some.error().code);
        return;
    }
    if (report->skipped > 0)
        m_batch.problem =
            tr("%1 of %2 events were skipped.").arg(report->skipped).arg(report->events + report->skipped);
    if (!report->notes.empty())
        m_batch.problem +=
            (m_batch.problem.isEmpty() ? QString() : QStringLiteral(" ")) + fromStd(report->notes.front());
    profiling::Study study;
    study.experiment["name"] = QFileInfo(path).fileName().toStdString();
    study.ended = true;
    study.endStatus = "done";
    m_batch.study = std::move(study);
    m_batch.traceGrew = true;
    m_batch.finished = true;
    flush();
}

void SessionDecoder::feed(const QByteArray& bytes) {
    if (m_cancelled.load() || m_broken)
        return;
    if (!m_reader)
        m_reader = std::make_unique<profiling::StreamReader>(m_name);
    m_reader->feed(asBytes(bytes));
    takeFrames(true);
    if (m_broken)
        flush();
    else
        flushWhenDue();
}

void SessionDecoder::endOfStream() {
    m_batch.finished = true;
    flush();
}

void SessionDecoder::takeFrames(bool forward) {
    while (!m_cancelled.load()) {
        auto next = m_reader->next();
        if (!next) {
            check(next.error());
            return;
        }
        if (!next->has_value())
            return;
        applyFrame(std::move(**next), forward);
        if (m_broken)
            return;
    }
}

bool SessionDecoder::check(const Status& status) {
    if (status)
        return true;
    m_damage = status.error();
    if (!m_damage->where.starts_with(m_name))
        m_damage->where = m_name + ", " + m_damage->where;
    m_broken = true;
    m_batch.damaged = true;
    m_batch.problem = fromStd(m_damage->sentence());
    m_batch.code = m_damage->code;
    return false;
}

void SessionDecoder::applyFrame(profiling::Frame&& frame, bool forward) {
    if (m_memory && !check(m_memory->admit(frame)))
        return;
    if (profiling::isTraceFrame(frame.kind)) {
        const Status status = m_traceBuilder->apply(frame);
        m_unpublished = true;
        if (!check(status))
            return;
    } else if (forward) {
        m_batch.frames.push_back(std::move(frame));
        return;
    } else if (!check(m_studyBuilder.apply(frame))) {
        return;
    }
    if (m_memory)
        check(m_memory->applied(frame));
}

void SessionDecoder::flushWhenDue() {
    if (m_sinceFlush.elapsed() >= kBatchMs)
        flush();
    else if (!m_flushTimer.isActive())
        m_flushTimer.start(int(kBatchMs - m_sinceFlush.elapsed()));
}

void SessionDecoder::flush() {
    m_flushTimer.stop();
    m_sinceFlush.restart();
    if (m_unpublished) {
        m_trace->publish();
        m_batch.traceGrew = true;
        m_unpublished = false;
        followTransfers();
    }
    const bool something = !m_batch.frames.empty() || m_batch.study || m_batch.traceGrew ||
                           m_batch.fraction >= 0 || m_batch.finished || m_batch.damaged;
    if (something && !m_cancelled.load())
        emit decoded(std::make_shared<DecodedBatch>(std::move(m_batch)));
    m_batch = DecodedBatch();
}

/// Shares of wall time change while nothing is copied, too.
void SessionDecoder::followTransfers() {
    m_transfers.update(*m_trace);
    profiling::LiveTransfers now = m_transfers.now();
    if (now.count > 0)
        m_batch.transfers = std::move(now);
}

void SessionDecoder::refuse(const QString& sentence, ErrorCode code) {
    m_batch.problem = sentence;
    m_batch.code = code;
    m_batch.damaged = true;
    m_batch.unreadable = true;
    m_batch.finished = true;
    flush();
}

} // namespace heteroscope::ui

#include "moc_session_decoder.cpp"
