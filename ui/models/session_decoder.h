// SPDX-License-Identifier: GPL-3.0-or-later
// The decoding half of a StudySession: bytes or a file in, batches of values out. Lives on the session's
// decoding thread; the trace is written there and nowhere else.
#pragma once

#include "compute/base/error.h"
#include "compute/base/memory_budget.h"
#include "profiling/analysis/live_transfers.h"
#include "profiling/stream/frame_memory.h"
#include "profiling/stream/run_file_state.h"
#include "profiling/stream/stream_reader.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace heteroscope::ui {

/// What was decoded since the last batch.
struct DecodedBatch {
    std::vector<profiling::Frame> frames;  ///< of a live stream, without trace frames; in order
    std::optional<profiling::Study> study; ///< of a file: everything at once, with the last batch
    bool traceGrew = false;
    std::optional<profiling::LiveTransfers> transfers; ///< all so far; with a batch that brought some
    double fraction = -1;  ///< of a file read so far; negative when nothing is to be said
    bool finished = false; ///< nothing comes after this batch
    std::optional<profiling::RunFileState> state; ///< of a run file, with its last batch
    bool damaged = false;                         ///< bytes could not be read; `problem` says where
    bool unreadable = false;                      ///< nothing at all could be read
    QString problem;                              ///< a sentence, or notes about what was skipped
    ErrorCode code = ErrorCode::BadInput;         ///< of what is damaged or unreadable
};

class SessionDecoder : public QObject {
    Q_OBJECT
  public:
    explicit SessionDecoder(std::shared_ptr<profiling::Trace> trace);
    ~SessionDecoder() override;

    /// Any thread: what is under way ends soon and nothing more is emitted.
    void cancel() { m_cancelled.store(true); }

    static constexpr int kBatchMs = 34; ///< at most 30 batches a second

    // On the decoding thread:
    void openFile(const QString& path);
    void feed(const QByteArray& bytes);
    void endOfStream();

  signals:
    void decoded(std::shared_ptr<heteroscope::ui::DecodedBatch> batch);

  private:
    void openRunFile(const QString& path);
    void openTrace(const QString& path);
    void takeFrames(bool forward);
    void applyFrame(profiling::Frame&& frame, bool forward);
    /// False, and a problem to show, when applying the frame failed.
    bool check(const Status& status);
    void flush();
    void flushWhenDue();
    void followTransfers();
    void refuse(const QString& sentence, ErrorCode code = ErrorCode::BadInput);

    std::shared_ptr<profiling::Trace> m_trace;
    std::unique_ptr<profiling::TraceBuilder> m_traceBuilder;
    /// Of a file; a live run is bounded by its worker.
    std::unique_ptr<MemoryBudget> m_budget;
    std::unique_ptr<profiling::FrameMemory> m_memory;
    std::unique_ptr<profiling::StreamReader> m_reader;
    profiling::StudyBuilder m_studyBuilder; ///< files only
    profiling::TransferWatch m_transfers;
    DecodedBatch m_batch;
    QElapsedTimer m_sinceFlush;
    QTimer m_flushTimer;
    std::atomic<bool> m_cancelled = false;
    std::string m_name = "stream"; ///< for messages
    bool m_broken = false;
    std::optional<Error> m_damage; ///< why
    bool m_unpublished = false;
};

} // namespace heteroscope::ui
