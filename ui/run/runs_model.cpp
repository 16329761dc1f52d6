// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the table of runs, summarised as samples come in.
#include "ui/run/runs_model.h"

#include "compute/base/activity.h"
#include "profiling/analysis/disturbed.h"
#include "profiling/analysis/recorded_phrase.h"
#include "profiling/analysis/results.h"
#include "profiling/analysis/run_match.h"
#include "profiling/analysis/warm_up.h"
#include "profiling/stream/study_codec.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/phrase_text.h"
#include "ui/common/theme.h"

#include <algorithm>
#include <iterator>

namespace heteroscope::ui {

using profiling::StudyRun;
using profiling::StudyRunStatus;

namespace {

struct StatusLook {
    const char* iconName;
    IconTone tone;
};

constexpr StatusLook kNotRun{"skipped", IconTone::Warning};
constexpr StatusLook kStopped{"stop", IconTone::Muted};

StatusLook lookOf(StudyRunStatus status, bool over) {
    switch (status) {
    case StudyRunStatus::Planned:
        return over ? kNotRun : StatusLook{"pending", IconTone::Muted};
    case StudyRunStatus::Running:
        return over ? kStopped : StatusLook{"run", IconTone::Accent};
    case StudyRunStatus::Ok:
        return {"good", IconTone::Good};
    case StudyRunStatus::Failed:
        return {"error", IconTone::Error};
    case StudyRunStatus::Skipped:
        return kNotRun;
    case StudyRunStatus::Cancelled:
        return kStopped;
    }
    return {"pending", IconTone::Muted};
}

} // namespace

RunsModel::RunsModel(QObject* parent) : QAbstractTableModel(parent) {}

void RunsModel::setSession(std::shared_ptr<StudySession> session) {
    if (m_session)
        m_session->disconnect(this);
    beginResetModel();
    m_session = std::move(session);
    m_rows.clear();
    endResetModel();
    if (!m_session)
        return;
    connect(m_session.get(), &StudySession::studyChanged, this, &RunsModel::follow);
    connect(m_session.get(), &StudySession::stateChanged, this, &RunsModel::follow);
    connect(m_session.get(), &StudySession::samplesArrived, this, &RunsModel::update);
    connect(m_session.get(), &StudySession::activityChanged, this, [this] {
        if (!m_rows.empty()) // what a run no longer does changes as what another does now
            emit dataChanged(index(0, Outcome), index(int(m_rows.size()) - 1, Outcome));
    });
    follow();
}

void RunsModel::follow() {
    const auto& runs = m_session->study().runs;
    if (runs.size() != m_rows.size()) {
        beginResetModel();
        m_rows.assign(runs.size(), Row());
        findReferences();
        endResetModel();
    }
    for (int run = 0; run < int(runs.size()); ++run)
        update(run);
    emit headerDataChanged(Qt::Horizontal, Speedup, Speedup);
}

void RunsModel::findReferences() {
    const profiling::Study& study = m_session->study();
    const auto& runs = study.runs;
    const std::string target = profiling::referenceTarget(study);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const StudyRun* reference = profiling::referenceOf(study, runs[i], target);
        m_rows[i].reference = reference ? int(reference - runs.data()) : -1;
    }
}

void RunsModel::update(int run) {
    if (run < 0 || run >= int(m_rows.size()))
        return;
    Row& row = m_rows[std::size_t(run)];
    const StudyRun& source = m_session->study().runs[std::size_t(run)];
    if (source.samples.size() != row.samplesSeen) {
        row.samplesSeen = source.samples.size();
        row.times.clear();
        row.warmups.clear();
        for (const auto& sample : source.samples) {
            if (sample.warmup)
                row.warmups.append(sample.wallMs);
            else if (!sample.traced)
                row.times.append(sample.wallMs);
        }
        row.summary = profiling::runTime(source);
    }
    emit dataChanged(index(run, 0), index(run, kColumns - 1));
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString RunsModel::speedupText(int row) const {
    const Row& own = m_rows[std::size_t(row)];
    if (own.reference == row)
        return own.summary.n > 0 ? tr("reference") : QString();
    const auto ratio = speedup(row);
    return ratio ? formatSpeedup(*ratio) : QString();
}

std::optional<double> RunsModel::speedup(int row) const {
    const Row& own = m_rows[std::size_t(row)];
    if (own.reference < 0)
        return std::nullopt;
    return profiling::speedupRatio(m_rows[std::size_t(own.reference)].summary.median,
                                   m_session->study().runs[std::size_t(row)], own.summary.median);
}

/// A worker that died or was stopped says no more about its runs: none of them still runs or waits.
bool RunsModel::isOver() const {
    const auto state = m_session->state();
    return state != StudySession::State::Live && state != StudySession::State::Loading &&
           !m_session->recording().beingWritten;
}

/// What the worker does for this run at the moment, or did when it was lost; null while it does something
/// else.
const profiling::StudyActivity* RunsModel::activityOf(const StudyRun& run) const {
    const auto& doing = m_session->study().activity;
    const bool goesOn = run.status == StudyRunStatus::Planned || run.status == StudyRunStatus::Running;
    return goesOn && doing && doing->run == run.run ? &*doing : nullptr;
}

/// A run has no sample before its first warm-up is over, which may take minutes. Empty where nothing is to
/// be said but that it runs.
QString RunsModel::activityText(const StudyRun& run) const {
    const profiling::StudyActivity* const doing = activityOf(run);
    if (doing == nullptr || isOver())
        return {};
    namespace step = activity_step;
    const std::string_view name = doing->step;
    if (name == step::kPlanning)
        return tr("planning");
    if (name == step::kQuiet)
        return tr("waiting for a quiet machine");
    if (name.ends_with(step::kWarmUp))
        return tr("warming up");
    if (name == step::kCheck)
        return tr("checking the result");
    if (!run.samples.empty() || name.ends_with(step::kTimed) || name.ends_with(step::kTraced))
        return {}; // after its samples a run measures its parts
    return name == step::kInputs || name == step::kOperands ? tr("preparing")
                                                            : tr("first use"); // of one operation
}

QIcon RunsModel::statusIcon(const StudyRun& run) const {
    const bool begun = run.status == StudyRunStatus::Planned && activityOf(run) != nullptr;
    const StatusLook look = lookOf(begun ? StudyRunStatus::Running : run.status, isOver());
    return icon(QString::fromLatin1(look.iconName), look.tone);
}

/// What follows the rule that ended the run; empty when nothing disturbed its samples.
QString RunsModel::disturbedText(const StudyRun& run) {
    const profiling::DisturbedSamples found = profiling::disturbedSamples(run);
    return found.disturbed == 0 ? QString()
                                : tr("; disturbed: %1 of %2")
                                      .arg(countText(static_cast<std::int64_t>(found.disturbed)),
                                           countText(static_cast<std::int64_t>(found.known)));
}

/// With the advice for which a column has no room.
QString RunsModel::outcomeToolTip(const StudyRun& run) const {
    const QString outcome = outcomeText(run);
    return run.status == StudyRunStatus::Ok && !disturbedText(run).isEmpty()
               ? tr("%1 (something else ran: wait, and repeat)").arg(outcome)
               : outcome;
}

QString RunsModel::outcomeText(const StudyRun& run) const {
    const QString reason = recordedText(run.reason), rule = phraseText(profiling::stopRulePhrase(run)),
                  doing = activityText(run);
    if (!doing.isEmpty())
        return doing;
    static const char* const kWords[] = {QT_TR_NOOP("running"), QT_TR_NOOP("unfinished"),
                                         QT_TR_NOOP("cancelled")};
    switch (run.status) {
    case StudyRunStatus::Planned:
        return !isOver() ? tr("waiting") : activityOf(run) ? tr("unfinished") : tr("not run");
    case StudyRunStatus::Ok:
        return (rule.isEmpty() ? tr("done") : rule) + disturbedText(run);
    case StudyRunStatus::Failed:
        return tr("failed: %1").arg(reason);
    case StudyRunStatus::Skipped:
        return reason.isEmpty() ? tr("not run") : tr("skipped: %1").arg(reason);
    case StudyRunStatus::Running:
    case StudyRunStatus::Cancelled:
        break;
    }
    const auto* word =
        std::find(std::begin(kWords), std::end(kWords), profiling::runStatusWord(run.status, isOver()));
    return word == std::end(kWords) ? QString() : tr(*word);
}

QString RunsModel::text(int row, int column) const {
    const StudyRun& run = m_session->study().runs[std::size_t(row)];
    const Summary& summary = m_rows[std::size_t(row)].summary;
    switch (column) {
    case Target:
        return fromStd(run.target);
    case Point:
        return formatPoint(run.point);
    case Median:
        return summary.n == 0 ? QString() : formatMs(summary.median);
    case Interval:
        return summary.hasInterval ? QStringLiteral("%1 \u2013 %2")
                                         .arg(formatMs(summary.ci95.low), formatMs(summary.ci95.high))
                                   : QString();
    case Speedup:
        return speedupText(row);
    case Outcome:
        return outcomeText(run);
    default:
        return {};
    }
}

QString RunsModel::samplesToolTip(const Row& row, const StudyRun& run) {
    const QString counts =
        tr("%1 samples, %2 warm-ups").arg(countText(row.times.size()), countText(row.warmups.size()));
    const profiling::Phrase warmUp = profiling::warmUpText(run);
    return warmUp.empty() ? counts : counts + QLatin1Char('\n') + tr("Warm-up: %1").arg(phraseText(warmUp));
}

QVariant RunsModel::sortValue(int row, int column) const {
    const Summary& summary = m_rows[std::size_t(row)].summary;
    if (column == Samples)
        return qulonglong(summary.n);
    if (column == Median || column == Interval)
        return summary.median;
    if (column == Speedup)
        return speedup(row).value_or(0);
    return column == Target ? QVariant(text(row, column)) : QVariant(row);
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= int(m_rows.size()))
        return {};
    const Row& row = m_rows[std::size_t(index.row())];
    const StudyRun& run = m_session->study().runs[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return index.column() == Samples   ? samplesToolTip(row, run)
               : index.column() == Outcome ? outcomeToolTip(run)
                                           : text(index.row(), index.column());
    case Qt::AccessibleTextRole:
        return index.column() == Samples   ? tr("%1 samples").arg(countText(row.times.size()))
               : index.column() == Outcome ? outcomeToolTip(run)
                                           : text(index.row(), index.column());
    case Qt::DecorationRole:
        if (index.column() != Outcome)
            return {};
        return statusIcon(run);
    case Qt::TextAlignmentRole:
        if (index.column() >= Median && index.column() <= Speedup)
            return int(Qt::AlignRight | Qt::AlignVCenter);
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    case TimesRole:
        return QVariant::fromValue(row.times);
    case WarmupsRole:
        return QVariant::fromValue(row.warmups);
    case ColorRole:
        return Theme::targetColor(fromStd(run.target));
    case SortRole:
        return sortValue(index.row(), index.column());
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section >= Median && section <= Speedup ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Target:
        return tr("Target");
    case Point:
        return tr("Point");
    case Samples:
        return tr("Samples");
    case Median:
        return tr("Median");
    case Interval:
        return tr("95 % interval");
    case Speedup:
        return m_session && isOver() ? tr("Speedup") : tr("Speedup so far");
    case Outcome:
        return tr("State");
    default:
        return {};
    }
}

} // namespace heteroscope::ui

#include "moc_runs_model.cpp"
