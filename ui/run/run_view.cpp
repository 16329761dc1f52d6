// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Run: put together from the header, the table of runs, the small timeline and the log.
#include "ui/run/run_view.h"

#include "profiling/analysis/disturbed.h"
#include "ui/analyze/training_view.h"
#include "ui/common/format.h"
#include "ui/common/message_bar.h"
#include "ui/common/placeholder.h"
#include "ui/common/table_header.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"
#include "ui/run/log_list.h"
#include "ui/run/runs_model.h"
#include "ui/run/sample_strip.h"
#include "ui/run/transfer_bars.h"
#include "ui/timeline/mini_timeline.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QPushButton>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace heteroscope::ui {

namespace {

/// Where there is little room, the other columns give way to the state, which is a sentence; where there is
/// more than it needs, names are shown whole: until somebody makes one of the columns as wide as it shall be.
class RunsTable : public QTableView {
  public:
    void setModel(QAbstractItemModel* model) override {
        QTableView::setModel(model);
        connect(model, &QAbstractItemModel::rowsInserted, this, &RunsTable::fitUnlessChosen);
        connect(model, &QAbstractItemModel::modelReset, this, &RunsTable::fitUnlessChosen);
    }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QTableView::resizeEvent(event);
        fitUnlessChosen();
    }

  private:
    void fitUnlessChosen() {
        if (m_fitted && horizontalHeader()->count() == RunsModel::kColumns && areAsFitted())
            fit();
        else
            m_fitted = false;
    }

    struct Width {
        int wanted, least;
    };
    static constexpr Width kWidths[] = {{170, 130}, {120, 100}, {210, 110}, {90, 80}, {160, 146}, {128, 112}};
    static constexpr int kStateWidth = 400, kLeastStateWidth = 345;

    bool areAsFitted() const {
        for (std::size_t column = 0; column < m_widths.size(); ++column)
            if (columnWidth(int(column)) != m_widths[column])
                return false;
        return true;
    }

    void fit() {
        int missing = kStateWidth - viewport()->width();
        for (const Width& each : kWidths)
            missing += each.wanted;
        m_widths.assign(std::size(kWidths), 0);
        for (const int column : {RunsModel::Samples, RunsModel::Target, RunsModel::Speedup,
                                 RunsModel::Interval, RunsModel::Point, RunsModel::Median}) {
            const Width& width = kWidths[column];
            const int given = std::clamp(missing, 0, width.wanted - width.least);
            missing -= given;
            m_widths[std::size_t(column)] = width.wanted - given;
        }
        int spare = missing > 0 ? 0 : kStateWidth - kLeastStateWidth - missing;
        for (const int column : {RunsModel::Target, RunsModel::Point}) {
            int& width = m_widths[std::size_t(column)];
            const int more = std::clamp(sizeHintForColumn(column) - width, 0, spare);
            spare -= more;
            width += more;
        }
        for (std::size_t column = 0; column < m_widths.size(); ++column)
            setColumnWidth(int(column), m_widths[column]);
    }

    std::vector<int> m_widths; ///< empty before the first fit
    bool m_fitted = true;
};

} // namespace

struct RunView::Impl {
    RunView* self = nullptr;
    std::shared_ptr<StudySession> session;
    QStackedWidget* pages = nullptr;
    Placeholder* empty = nullptr;
    QPushButton* runButton = nullptr;
    QLabel* title = nullptr;
    QLabel* badge = nullptr;
    QPushButton* stop = nullptr;
    QProgressBar* progress = nullptr;
    QLabel* progressText = nullptr;
    MessageBar* message = nullptr;
    QTableView* table = nullptr;
    RunsModel* runs = nullptr;
    TransferBars* transfers = nullptr;
    MiniTimeline* timeline = nullptr;
    LogList* log = nullptr;
    QTabWidget* tabs = nullptr;
    TrainingView* training = nullptr; ///< made when there is a training
    QTimer trainingTimer;             ///< runs while there is something new to show
    bool repeatable = false;          ///< the experiment is still that of the session
    bool opened = false;              ///< the training was brought to the front once

    QWidget* makeContent();
    QWidget* makeHeader();
    QTableView* makeTable();
    QWidget* makeUpper();
    QWidget* makeBottom();
    void showTraining();
    void followTraining();
    QString whatRuns() const;
    QString endWord() const;
    void showState();
    void showEnd();
    void showProgress(double fraction, double remainingS, const QString& what);
};

QWidget* RunView::Impl::makeHeader() {
    auto* header = new QFrame;
    setRole(header, "bar");
    auto* column = new QVBoxLayout(header);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(Theme::kSpacing);
    auto* row = new QHBoxLayout;
    title = makeLabel({}, "heading");
    badge = makeLabel({}, "badge");
    badge->setObjectName(QStringLiteral("runState"));
    stop = new QPushButton(tr("Stop"));
    stop->setObjectName(QStringLiteral("runViewStop"));
    row->addWidget(title);
    row->addWidget(badge, 0, Qt::AlignVCenter);
    row->addStretch(1);
    row->addWidget(stop);
    column->addLayout(row);
    progress = new QProgressBar;
    progress->setRange(0, 1000);
    progress->setTextVisible(false);
    progress->setFixedHeight(6);
    progress->setAccessibleName(tr("Progress of the study"));
    progressText = makeLabel({}, "muted");
    column->addWidget(progress);
    column->addWidget(progressText);
    message = new MessageBar;
    column->addWidget(message);
    return header;
}

QTableView* RunView::Impl::makeTable() {
    table = new RunsTable;
    table->setHorizontalHeader(new TableHeader(table));
    runs = new RunsModel(self);
    auto* sorted = new QSortFilterProxyModel(table);
    sorted->setSourceModel(runs);
    sorted->setSortRole(RunsModel::SortRole);
    setRole(table, "plain");
    table->setModel(sorted);
    table->setObjectName(QStringLiteral("runsTable"));
    table->setAccessibleName(tr("Runs of this study"));
    table->setItemDelegateForColumn(RunsModel::Samples, new SampleStripDelegate(table));
    table->setItemDelegateForColumn(RunsModel::Target, new TargetDelegate(table));
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(30);
    QHeaderView* header = table->horizontalHeader();
    header->setStretchLastSection(true);
    return table;
}

/// The transfers take the table's room: the timeline needs its own.
QWidget* RunView::Impl::makeUpper() {
    auto* upper = new QWidget;
    auto* column = new QVBoxLayout(upper);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    transfers = new TransferBars;
    column->addWidget(makeTable(), 1);
    column->addWidget(transfers);
    return upper;
}

QWidget* RunView::Impl::makeBottom() {
    auto* split = new QSplitter(Qt::Horizontal);
    timeline = new MiniTimeline;
    timeline->setMinimumWidth(240);
    log = new LogList;
    log->setMinimumWidth(180);
    split->addWidget(timeline);
    split->addWidget(log);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({720, 320});
    return split;
}

QWidget* RunView::Impl::makeContent() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHeader());
    auto* split = new QSplitter(Qt::Vertical);
    split->addWidget(makeUpper());
    split->addWidget(makeBottom());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({420, 220});
    split->setChildrenCollapsible(false);
    tabs = new QTabWidget;
    tabs->setObjectName(QStringLiteral("runTabs"));
    tabs->setDocumentMode(true);
    tabs->addTab(split, tr("&Runs"));
    tabs->tabBar()->hide();
    column->addWidget(tabs, 1);
    constexpr int kTrainingMs = 250;
    trainingTimer.setSingleShot(true);
    trainingTimer.setInterval(kTrainingMs);
    QObject::connect(&trainingTimer, &QTimer::timeout, self, [this] { showTraining(); });
    return content;
}

/// The tab is there for networks alone; a training that begins comes to the front once.
void RunView::Impl::showTraining() {
    const bool trains = session && TrainingView::hasTraining(session->study());
    tabs->tabBar()->setVisible(trains);
    if (!trains)
        return tabs->setCurrentIndex(0);
    if (training == nullptr) {
        training = new TrainingView;
        tabs->addTab(training, tr("&Training"));
    }
    training->setStudy(session->study(), session->state() == StudySession::State::Live);
    if (!opened) {
        opened = true;
        tabs->setCurrentWidget(training);
    }
}

void RunView::Impl::followTraining() {
    if (!trainingTimer.isActive())
        trainingTimer.start();
}

void RunView::Impl::showProgress(double fraction, double remainingS, const QString& what) {
    progress->setValue(int(fraction * 1000));
    QStringList parts = {tr("%1 %").arg(int(fraction * 100))};
    for (const QString& part : {what, formatRemaining(remainingS)}) {
        if (!part.isEmpty())
            parts.append(part);
    }
    progressText->setText(parts.join(QStringLiteral("  \u00b7  ")));
}

/// The top bar has the study's name; the page says how much of it there is.
QString RunView::Impl::whatRuns() const {
    if (!session || session->study().runs.empty())
        return tr("Study");
    QSet<QString> targets;
    for (const auto& run : session->study().runs)
        targets.insert(fromStd(run.target));
    const int count = int(session->study().runs.size());
    return tr("%1 on %2")
        .arg(count == 1 ? tr("1 run") : tr("%1 runs").arg(countText(count)),
             targets.size() == 1 ? tr("1 target") : tr("%1 targets").arg(targets.size()));
}

/// How the run ended, in the words of the library and the command line; empty where no word of theirs says
/// it. "done" where what a worker sent was whole, and it went wrong after, as its file on a full disk.
QString RunView::Impl::endWord() const {
    static const char* const kWords[] = {QT_TR_NOOP("cancelled"), QT_TR_NOOP("being written"),
                                         QT_TR_NOOP("stopped early"), QT_TR_NOOP("damaged"),
                                         QT_TR_NOOP("done")};
    const std::string outcome = session->recording().outcome();
    const auto* word = std::find(std::begin(kWords), std::end(kWords), outcome);
    return word == std::end(kWords) ? QString() : tr(*word);
}

void RunView::Impl::showState() {
    const auto state = session ? session->state() : StudySession::State::Empty;
    const bool nothingCame = state == StudySession::State::Failed && session->study().runs.empty();
    pages->setCurrentIndex(state == StudySession::State::Empty || nothingCame ? 0 : 1);
    if (nothingCame) {
        empty->setContent(QStringLiteral("error"), tr("The run did not get going"), session->message());
        runButton->setText(tr("Run Again"));
    }
    const bool busy = state == StudySession::State::Live || state == StudySession::State::Loading;
    const struct {
        QString text;
        const char* tone;
    } looks[] = {{{}, ""},
                 {tr("loading"), ""},
                 {tr("running"), ""},
                 {tr("done"), "good"},
                 {tr("stopped early"), "warning"},
                 {tr("failed"), "error"}};
    const QString ended = state == StudySession::State::StoppedEarly ? endWord() : QString();
    badge->setText(ended.isEmpty() ? looks[int(state)].text : ended);
    badge->setProperty("tone", QString::fromLatin1(looks[int(state)].tone));
    restyle(badge);
    stop->setVisible(state == StudySession::State::Live);
    progress->setVisible(busy);
    progressText->setVisible(busy);
    title->setText(whatRuns());
    if (busy || state == StudySession::State::Empty)
        message->clear();
    else
        showEnd();
}

void RunView::Impl::showEnd() {
    const bool hasData = !session->study().runs.empty() || session->trace()->spanCount() > 0;
    std::vector<MessageBar::Action> offers;
    if (!session->study().runs.empty())
        offers.push_back({tr("Open in Analyze"), [this] { emit self->openAnalyzeRequested(); }});
    if (hasData)
        offers.push_back({tr("Open in Timeline"), [this] { emit self->openTimelineRequested(); }});
    const auto state = session->state();
    if (state == StudySession::State::Done) {
        QString text = session->message().isEmpty() ? tr("All runs are done.") : session->message();
        auto tone = MessageBar::Tone::Good;
        const profiling::DisturbedSamples disturbed = profiling::disturbedSamples(session->study());
        if (profiling::isTooDisturbed(disturbed)) {
            tone = MessageBar::Tone::Warning;
            text += QLatin1Char(' ') + tr("Other programs disturbed %1 of %2 samples.")
                                           .arg(countText(static_cast<std::int64_t>(disturbed.disturbed)),
                                                countText(static_cast<std::int64_t>(disturbed.known)));
            if (repeatable && profiling::quietWaitS(session->study()) <= 0)
                offers.push_back(
                    {tr("Repeat When Quiet"), [this] { emit self->repeatWhenQuietRequested(); }});
        }
        message->showMessage(tone, text, std::move(offers));
        return;
    }
    const auto tone =
        state == StudySession::State::Failed ? MessageBar::Tone::Error : MessageBar::Tone::Warning;
    offers.push_back({tr("Run Again"), [this] { emit self->runRequested(); }});
    message->showMessage(tone, session->message(), std::move(offers));
}

RunView::RunView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>()) {
    m_impl->self = this;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_impl->pages = new QStackedWidget;
    m_impl->empty = new Placeholder;
    m_impl->runButton = m_impl->empty->addButton(tr("Run"), QStringLiteral("run"), true);
    connect(m_impl->runButton, &QPushButton::clicked, this, &RunView::runRequested);
    m_impl->pages->addWidget(m_impl->empty);
    m_impl->pages->addWidget(m_impl->makeContent());
    column->addWidget(m_impl->pages);
    connect(m_impl->stop, &QPushButton::clicked, this, &RunView::stopRequested);
    connect(m_impl->timeline, &MiniTimeline::rangeActivated, this, &RunView::showTimelineRequested);
    setRunnable(false, {});
    m_impl->showState();
}

RunView::~RunView() = default;

void RunView::setRepeatable(bool repeatable) {
    if (m_impl->repeatable == repeatable)
        return;
    m_impl->repeatable = repeatable;
    if (!m_impl->message->text().isEmpty()) // one that was closed stays so
        m_impl->showState();
}

void RunView::setRunnable(bool runnable, const QString& experimentName) {
    m_impl->runButton->setEnabled(runnable);
    if (m_impl->session && m_impl->session->state() != StudySession::State::Empty)
        return; // the page shows a study or what became of it
    m_impl->runButton->setText(tr("Run"));
    if (runnable)
        m_impl->empty->setContent(
            QStringLiteral("run"), tr("Nothing has run yet"),
            tr("Run \u201c%1\u201d to watch its samples and its timeline here.").arg(experimentName));
    else
        m_impl->empty->setContent(
            QStringLiteral("run"), tr("Nothing to run yet"),
            tr("Open or build an experiment without problems first; then run it here."));
}

void RunView::setSession(std::shared_ptr<StudySession> session) {
    if (m_impl->session) {
        m_impl->session->disconnect(this);
        m_impl->session->disconnect(m_impl->timeline);
    }
    m_impl->session = std::move(session);
    m_impl->runs->setSession(m_impl->session);
    m_impl->transfers->setSession(m_impl->session);
    m_impl->log->clear();
    m_impl->opened = false;
    m_impl->showTraining();
    if (auto* raw = m_impl->session.get()) {
        m_impl->timeline->setTrace(raw->trace());
        connect(raw, &StudySession::stateChanged, this, [this] {
            m_impl->showState();
            m_impl->followTraining();
        });
        connect(raw, &StudySession::studyChanged, this, [this] {
            m_impl->title->setText(m_impl->whatRuns());
            m_impl->followTraining();
        });
        connect(raw, &StudySession::traceGrew, m_impl->timeline, &MiniTimeline::traceGrew);
        connect(raw, &StudySession::logArrived, m_impl->log, &LogList::add);
        connect(raw, &StudySession::progressChanged, this,
                [this](double fraction, double remaining, const QString& what) {
                    m_impl->showProgress(fraction, remaining, what);
                });
        for (const auto& entry : raw->study().log)
            m_impl->log->add(fromStd(entry.level), fromStd(entry.text));
        m_impl->showProgress(raw->study().progress.fraction, raw->study().progress.remainingS,
                             raw->progressText());
    }
    m_impl->showState();
}

} // namespace heteroscope::ui

#include "moc_run_view.cpp"
