// SPDX-License-Identifier: GPL-3.0-or-later
// One study for the views: takes batches from the decoding thread and tells what changed.
#include "ui/models/study_session.h"

#include "profiling/analysis/run_phrase.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"
#include "ui/models/session_decoder.h"

#include <QFileInfo>
#include <QThread>

#include <optional>
#include <utility>
#include <vector>

namespace heteroscope::ui {

namespace {

/// Samples, log and progress have signals of their own; what is done at the moment matters at the end.
bool changesStudy(profiling::FrameKind kind) {
    return kind != profiling::FrameKind::Sample && kind != profiling::FrameKind::Log &&
           kind != profiling::FrameKind::Progress && kind != profiling::FrameKind::Activity;
}

/// What RunFileState::sentence() says, in the window's language where it has words of its own.
QString sentenceOf(const profiling::RunFileState& state) {
    if (state.damage && state.damage->code == ErrorCode::OutOfMemory)
        return StudySession::tr("The recording was not read to its end: %1")
            .arg(recordedText(state.damage->sentence()));
    if (state.damage)
        return StudySession::tr("The recording is %1.").arg(recordedText(state.sentence()));
    if (state.beingWritten)
        return StudySession::tr("The recording is being written: so far it holds everything up to byte %1. "
                                "Open it again when its run has ended.")
            .arg(state.wholeBytes);
    if (state.unfinishedBytes == 0)
        return StudySession::tr("The recording stopped early: it holds everything up to byte %1.")
            .arg(state.wholeBytes);
    return StudySession::tr(
               "The recording stopped early: it holds everything up to byte %1; the %2 bytes after it "
               "are an unfinished record.")
        .arg(state.wholeBytes)
        .arg(state.unfinishedBytes);
}

/// Of a recording that stopped in the middle of a run.
QString activityAtTheEnd(const profiling::RunFileState& state) {
    return state.activity.empty()
               ? QString()
               : QStringLiteral(" ") +
                     StudySession::tr("It was computing %1.").arg(recordedText(state.activity));
}

} // namespace

struct StudySession::Impl {
    StudySession* self = nullptr;
    QThread thread;
    SessionDecoder* decoder = nullptr; ///< of the present study; owned by `thread`
    std::shared_ptr<profiling::Trace> trace = std::make_shared<profiling::Trace>();
    profiling::StudyBuilder builder;
    profiling::LiveTransfers transfers;
    State state = State::Empty;
    std::optional<profiling::RunFileState> fileState; ///< of a run file that has been read
    QString message, filePath, expectedTitle;
    ErrorCode errorCode = ErrorCode::BadInput;
    bool workerGone = false, workerClean = false;
    QString streamProblem;
    EndSentence workerSentence;

    bool begin(const QString& path, State next, const QString& title = {});
    void reset(const QString& path);
    void dropDecoder();
    void setState(State next);
    void take(DecodedBatch& batch);
    void takeFrames(const std::vector<profiling::Frame>& frames);
    void finishFile(const DecodedBatch& batch);
    void finishLive();
    void sayLogAfter(std::size_t count);
};

void StudySession::Impl::dropDecoder() {
    if (decoder == nullptr)
        return;
    decoder->cancel();
    decoder->disconnect(self);
    decoder->deleteLater(); // on its own thread, after what it is doing
    decoder = nullptr;
}

void StudySession::Impl::reset(const QString& path) {
    dropDecoder();
    trace = std::make_shared<profiling::Trace>();
    builder = profiling::StudyBuilder();
    transfers = {};
    fileState.reset();
    message.clear();
    workerSentence = nullptr;
    streamProblem.clear();
    workerGone = workerClean = false;
    filePath = path;
    expectedTitle.clear();
    decoder = new SessionDecoder(trace);
    decoder->moveToThread(&thread);
    QObject::connect(decoder, &SessionDecoder::decoded, self,
                     [this, current = decoder](const std::shared_ptr<DecodedBatch>& batch) {
                         if (current == decoder) // a batch of an earlier study may still be in the queue
                             take(*batch);
                     });
    if (!thread.isRunning())
        thread.start();
}

/// False when nothing can be decoded: the system gave no thread, of which Qt says nothing else.
bool StudySession::Impl::begin(const QString& path, State next, const QString& title) {
    reset(path);
    expectedTitle = title;
    const bool running = thread.isRunning();
    if (!running) {
        dropDecoder();
        message = tr("A thread for reading cannot be started: the limit of threads or of memory is reached. "
                     "End other programs and open it again.");
    }
    setState(running ? next : State::Failed);
    return running;
}

void StudySession::Impl::setState(State next) {
    state = next;
    emit self->stateChanged();
}

void StudySession::Impl::take(DecodedBatch& batch) {
    if (!batch.frames.empty())
        takeFrames(batch.frames);
    if (batch.transfers)
        transfers = std::move(*batch.transfers);
    if (batch.traceGrew)
        emit self->traceGrew();
    if (state == State::Loading) {
        if (batch.fraction >= 0 && !batch.finished)
            emit self->progressChanged(batch.fraction, -1,
                                       tr("Reading %1").arg(QFileInfo(filePath).fileName()));
        if (batch.finished) {
            if (batch.study)
                builder.study() = std::move(*batch.study);
            finishFile(batch);
        }
        return;
    }
    if (batch.damaged && streamProblem.isEmpty()) {
        streamProblem = batch.problem;
        message = tr("What the worker sends cannot be read: %1").arg(batch.problem);
        setState(State::Failed);
    }
    if (batch.finished)
        finishLive();
}

void StudySession::Impl::takeFrames(const std::vector<profiling::Frame>& frames) {
    bool changed = false, doesOther = false;
    std::vector<std::size_t> samplesBefore;
    for (const profiling::StudyRun& run : builder.study().runs)
        samplesBefore.push_back(run.samples.size());
    const std::size_t logBefore = builder.study().log.size();
    for (const profiling::Frame& frame : frames) {
        const Status status = builder.apply(frame);
        if (!status && streamProblem.isEmpty()) {
            streamProblem = fromStd(status.error().sentence());
            message = tr("What the worker sends cannot be read: %1").arg(streamProblem);
            setState(State::Failed);
            break;
        }
        if (changesStudy(frame.kind))
            changed = true;
        doesOther = doesOther || frame.kind == profiling::FrameKind::Activity;
    }
    if (changed)
        emit self->studyChanged();
    if (doesOther)
        emit self->activityChanged();
    const auto& runs = builder.study().runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (runs[i].samples.size() > (i < samplesBefore.size() ? samplesBefore[i] : 0))
            emit self->samplesArrived(int(i));
    }
    sayLogAfter(logBefore);
    const auto& progress = builder.study().progress;
    emit self->progressChanged(progress.fraction, progress.remainingS, self->progressText());
}

void StudySession::Impl::sayLogAfter(std::size_t count) {
    const auto& log = builder.study().log;
    for (std::size_t i = count; i < log.size(); ++i)
        emit self->logArrived(fromStd(log[i].level), fromStd(log[i].text));
}

void StudySession::Impl::finishFile(const DecodedBatch& batch) {
    const auto& study = builder.study();
    message = recordedText(batch.problem.toStdString());
    fileState = batch.state;
    errorCode = batch.code;
    State next = State::Done;
    if (batch.unreadable) {
        next = State::Failed;
    } else if (batch.state && !batch.state->whole()) {
        next = State::StoppedEarly;
        message = sentenceOf(*batch.state);
        if (!batch.state->beingWritten)
            message += activityAtTheEnd(*batch.state);
    } else if (study.endStatus == "cancelled") {
        next = State::StoppedEarly;
        message = tr("This run was cancelled; the samples taken until then are here.");
    } else if (study.endStatus == "failed") {
        next = State::Failed;
        message = tr("This run failed: %1").arg(recordedText(study.endReason));
    }
    emit self->studyChanged();
    sayLogAfter(0);
    setState(next);
}

void StudySession::Impl::finishLive() {
    if (!workerGone || (state != State::Live && state != State::Failed))
        return;
    const auto& study = builder.study();
    const QString sentence = workerSentence ? workerSentence(study) : QString();
    const bool anything = !study.id.empty() || !study.runs.empty();
    if (!streamProblem.isEmpty()) {
        message = sentence.isEmpty() ? message : message + QStringLiteral(" ") + sentence;
        setState(anything ? State::StoppedEarly : State::Failed);
        return;
    }
    const bool done = workerClean && study.ended && study.endStatus == "done";
    message = sentence;
    if (message.isEmpty() && !done)
        message = tr("The worker ended without saying why; what had arrived is here.");
    if (done)
        setState(State::Done);
    else if (!anything || (study.ended && study.endStatus == "failed"))
        setState(State::Failed);
    else
        setState(State::StoppedEarly);
}

StudySession::StudySession(QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>()) {
    m_impl->self = this;
    m_impl->thread.setObjectName(QStringLiteral("decode"));
}

StudySession::~StudySession() {
    m_impl->dropDecoder();
    m_impl->thread.quit();
    m_impl->thread.wait(); // the decoder sees the cancellation within one piece of input
}

void StudySession::openFile(const QString& path) {
    if (m_impl->begin(path, State::Loading))
        QMetaObject::invokeMethod(m_impl->decoder,
                                  [decoder = m_impl->decoder, path] { decoder->openFile(path); });
}

void StudySession::beginLive(const QString& filePath, const QString& title) {
    m_impl->begin(filePath, State::Live, title);
}

void StudySession::feed(const QByteArray& bytes) {
    if (m_impl->decoder == nullptr || m_impl->workerGone)
        return;
    QMetaObject::invokeMethod(m_impl->decoder, [decoder = m_impl->decoder, bytes] { decoder->feed(bytes); });
}

void StudySession::endLive(bool clean, const QString& sentence) {
    endLiveWith(clean, [sentence](const profiling::Study&) { return sentence; });
}

void StudySession::endLiveWith(bool clean, EndSentence sentence) {
    if (m_impl->state == State::Empty || m_impl->workerGone || m_impl->state == State::Loading)
        return;
    m_impl->workerGone = true;
    if (m_impl->decoder == nullptr)
        return m_impl->setState(State::Failed); // as it was: for those who wait for the end
    m_impl->workerClean = clean;
    m_impl->workerSentence = std::move(sentence);
    QMetaObject::invokeMethod(m_impl->decoder, [decoder = m_impl->decoder] { decoder->endOfStream(); });
}

StudySession::State StudySession::state() const {
    return m_impl->state;
}

ErrorCode StudySession::errorCode() const {
    return m_impl->errorCode;
}

QString StudySession::message() const {
    return m_impl->message;
}

QString StudySession::progressText() const {
    return phraseText(profiling::progressPhrase(study()));
}

QString StudySession::filePath() const {
    return m_impl->filePath;
}

QString StudySession::title() const {
    const QString name = fromStd(m_impl->builder.study().name());
    if (name.isEmpty() && !m_impl->expectedTitle.isEmpty())
        return m_impl->expectedTitle;
    return name.isEmpty() ? QFileInfo(m_impl->filePath).completeBaseName() : name;
}

profiling::RunFileState StudySession::recording() const {
    if (m_impl->fileState)
        return *m_impl->fileState;
    profiling::RunFileState now;
    now.ended = study().ended;
    now.endStatus = study().endStatus;
    now.beingWritten = m_impl->state == State::Live || m_impl->state == State::Loading;
    if (!m_impl->streamProblem.isEmpty())
        now.damage = badInput({}, m_impl->streamProblem.toStdString());
    return now;
}

const profiling::Study& StudySession::study() const {
    return m_impl->builder.study();
}

std::shared_ptr<const profiling::Trace> StudySession::trace() const {
    return m_impl->trace;
}

const profiling::LiveTransfers& StudySession::transfers() const {
    return m_impl->transfers;
}

} // namespace heteroscope::ui

#include "moc_study_session.cpp"
