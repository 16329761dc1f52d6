// SPDX-License-Identifier: GPL-3.0-or-later
// The window put together, and its events.
#include "ui/main_window/main_window.h"

#include "compute/core/target.h"
#include "compute/data/named_files.h"
#include "ui/analyze/analyze_view.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/library/library_view.h"
#include "ui/main_window/dropped_files.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/window_impl.h"
#include "ui/run/run_view.h"
#include "ui/timeline/timeline_view.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QMimeData>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <initializer_list>

namespace heteroscope::ui {

namespace {

QStringList targetsOf(const Json& document) {
    QStringList targets;
    const auto found = document.find("targets");
    if (found == document.end() || !found->is_array())
        return targets;
    for (const Json& target : *found)
        if (target.is_string())
            targets.append(fromStd(target.get<std::string>()));
    return targets;
}

} // namespace

MainWindow::Impl::Impl(MainWindow& window) : self(window) {
    runs.setRunsDirectory(LibraryView::runsDirectory());
}

void MainWindow::Impl::compose() {
    auto* centre = new QWidget;
    auto* row = new QHBoxLayout(centre);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    modeBar = new ModeBar;
    row->addWidget(modeBar);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    topBar = new TopBar;
    message = new MessageBar;
    message->setObjectName(QStringLiteral("windowMessage"));
    message->setProperty("banner", true);
    recovery = new MessageBar;
    recovery->setObjectName(QStringLiteral("recoveryMessage"));
    recovery->setProperty("banner", true);
    stack = new QStackedWidget;
    for (auto& holder : holders) {
        holder = new QWidget;
        auto* layout = new QVBoxLayout(holder);
        layout->setContentsMargins(0, 0, 0, 0);
        stack->addWidget(holder);
    }
    column->addWidget(topBar);
    column->addWidget(recovery);
    column->addWidget(message);
    column->addWidget(stack, 1);
    row->addLayout(column, 1);
    self.setCentralWidget(centre);
    status = new StatusWidgets;
    self.statusBar()->addPermanentWidget(status);
    self.statusBar()->setSizeGripEnabled(false);
}

void MainWindow::Impl::connectParts() {
    connect(modeBar, &ModeBar::modeRequested, &self, &MainWindow::setMode);
    connect(topBar, &TopBar::runRequested, &self, &MainWindow::run);
    connect(topBar, &TopBar::stopRequested, &self, &MainWindow::stop);
    connect(&document, &Document::titleChanged, &self, [this] { updateTitle(); });
    connect(&document, &Document::changed, &self, [this] { updateTitle(); });
    connect(&document, &Document::unprotected, &self,
            [this](const QString& sentence) { say(MessageBar::Tone::Warning, sentence); });
    connect(&document, &Document::diagnosticsChanged, &self, [this] { updateRunnable(); });
    connect(&runs, &RunController::sessionStarted, &self,
            [this](const std::shared_ptr<StudySession>& session) { setSessions({session}); });
    connect(&runs, &RunController::fileFailed, &self,
            [this](const QString& sentence) { onFileFailed(sentence); });
    connect(&runs, &RunController::stateChanged, &self, [this] { updateRunnable(); });
    connect(&runs, &RunController::runFinished, &self,
            [this](WorkerProcess::Outcome outcome, const QString& sentence) {
                onRunFinished(outcome, sentence);
            });
    connect(&devices, &DevicesQuery::arrived, &self, [this](const Json& list) {
        deviceList = list;
        devicesKnown = true;
        showDevices();
        checkSettled();
    });
    connect(&devices, &DevicesQuery::failed, &self, [this](const QString& sentence) {
        devicesKnown = true;
        if (start != nullptr)
            start->setDevicesProblem(sentence);
        log->add(QStringLiteral("error"), sentence);
        checkSettled();
    });
    connectPeaks();
    connect(status, &StatusWidgets::problemsClicked, &self, [this] { revealDock(problemsDock); });
    connect(status, &StatusWidgets::qualityClicked, &self, [this] { revealDock(inspectorDock); });
    connect(&Theme::instance(), &Theme::changed, &self, [this] {
        problems->setDiagnostics(document.diagnostics());
        updateRunnable();
        showDevices();
    });
}

void MainWindow::Impl::updateTitle() {
    const bool building = mode != Mode::Start || document.isModified() || !document.path().isEmpty();
    self.setWindowTitle(building ? tr("%1[*] \u2013 Heteroscope").arg(document.title()) : tr("Heteroscope"));
    self.setWindowModified(document.isModified());
    const bool showsResults = mode == Mode::Run || mode == Mode::Timeline || mode == Mode::Analyze;
    const QStringList targets = targetsOf(document.json());
    QString shown = document.title();
    QStringList shownTargets = targets;
    if (showsResults && !sessions.empty() && !sessions.front()->study().experiment.empty()) {
        shown = sessions.front()->title();
        shownTargets = targetsOf(sessions.front()->study().experiment);
    }
    topBar->setExperiment(shown, shownTargets);
    topBar->setRuns(document.title(), targets, shown == document.title() && shownTargets == targets);
    if (run != nullptr) {
        run->setRunnable(document.canRun(), document.title());
        run->setRepeatable(showsWhatWouldRun());
    }
}

void MainWindow::Impl::updateRunnable() {
    int errors = 0, warnings = 0;
    for (const auto& finding : document.diagnostics())
        ++(finding.severity == compute::Diagnostic::Severity::Error ? errors : warnings);
    problems->setDiagnostics(document.diagnostics());
    status->setProblems(errors, warnings);
    const bool idle = runs.state() == RunController::State::Idle;
    const bool canRun = document.canRun();
    topBar->setRunnable(canRun, tr("The experiment has problems; see the list of problems."));
    topBar->setRunning(!idle, runs.state() == RunController::State::Stopping);
    runAction->setEnabled(canRun && idle);
    stopAction->setEnabled(runs.state() == RunController::State::Running);
    status->setWorker(idle ? tr("Worker idle") : tr("Worker running"),
                      idle ? QString() : QStringLiteral("good"));
    if (run != nullptr)
        run->setRunnable(canRun, document.title());
}

void MainWindow::Impl::say(MessageBar::Tone tone, const QString& text,
                           std::vector<MessageBar::Action> actions, Topic topic, ErrorCode code) {
    messageTopic = topic;
    message->showMessage(tone, text, std::move(actions));
    const char* level = tone == MessageBar::Tone::Error     ? "error"
                        : tone == MessageBar::Tone::Warning ? "warning"
                                                            : "info";
    log->add(QString::fromLatin1(level), text);
    if (tone == MessageBar::Tone::Error)
        emit self.refused(text, code);
}

void MainWindow::Impl::sayOfRecovery(const QString& text, std::vector<MessageBar::Action> actions) {
    recovery->showMessage(MessageBar::Tone::Warning, text, std::move(actions));
    log->add(QStringLiteral("warning"), text);
}

void MainWindow::Impl::clearMessage(std::initializer_list<Topic> topics) {
    if (std::find(topics.begin(), topics.end(), messageTopic) != topics.end())
        message->clear();
}

void MainWindow::Impl::checkSettled() {
    const bool now = self.isSettled();
    if (now && !wasSettled)
        emit self.settled();
    wasSettled = now;
}

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent), m_impl(std::make_unique<Impl>(*this)) {
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(applicationIcon());
    setAcceptDrops(true);
    resize(1280, 800);
    m_impl->compose();
    m_impl->makeDocks();
    m_impl->makeMenus();
    m_impl->connectParts();
    m_impl->restoreLayout();
    m_impl->updateRunnable();
    setMode(Mode::Start);
    m_impl->stack->setFocus();
    m_impl->devices.start();
    m_impl->offerRecovery();
}

MainWindow::~MainWindow() {
    m_impl->runs.disconnect(this);
    m_impl->document.disconnect(this);
    m_impl->devices.disconnect(this);
    m_impl->peaks.disconnect(this);
    delete takeCentralWidget(); // the pages refer to parts of m_impl
}

QWidget* MainWindow::page(Mode mode) {
    QWidget*& made = m_impl->pages[std::size_t(mode)];
    if (made == nullptr) {
        made = m_impl->makePage(mode);
        m_impl->holders[std::size_t(mode)]->layout()->addWidget(made);
    }
    return made;
}

void MainWindow::setMode(Mode mode) {
    page(mode);
    m_impl->mode = mode;
    m_impl->stack->setCurrentIndex(int(mode));
    m_impl->modeBar->setMode(mode);
    m_impl->topBar->setVisible(mode != Mode::Start);
    m_impl->updateTitle();
    if (mode == Mode::Library)
        m_impl->library->refresh();
    if (mode == Mode::Run)
        m_impl->clearMessage({Impl::Topic::Run}); // the page says it
    if (mode == Mode::Start || mode == Mode::Build || mode == Mode::Library)
        m_impl->clearMessage({Impl::Topic::Recording}); // none is shown there
    if (mode == Mode::Timeline || mode == Mode::Analyze)
        m_impl->sayWhatIsMissing();
    if (mode == Mode::Start)
        m_impl->start->setRecentFiles(m_impl->settings.recentFiles());
}

MainWindow::Mode MainWindow::mode() const {
    return m_impl->mode;
}

Document& MainWindow::document() {
    return m_impl->document;
}

RunController& MainWindow::runController() {
    return m_impl->runs;
}

std::shared_ptr<StudySession> MainWindow::session() const {
    return m_impl->sessions.empty() ? nullptr : m_impl->sessions.front();
}

bool MainWindow::isSettled() const {
    for (const auto& session : m_impl->sessions) {
        if (session->state() == StudySession::State::Loading || session->state() == StudySession::State::Live)
            return false;
    }
    const bool listing = m_impl->library != nullptr && m_impl->library->isBusy();
    const bool counting = m_impl->timeline != nullptr && m_impl->timeline->isBusy();
    const bool analyzing =
        m_impl->analyze != nullptr && !m_impl->sessions.empty() && m_impl->analyze->isBusy();
    return m_impl->devicesKnown && !listing && !counting && !analyzing &&
           m_impl->runs.state() == RunController::State::Idle;
}

void MainWindow::showChart(const QString& id) {
    setMode(Mode::Analyze);
    m_impl->analyze->selectChart(id);
}

/// The counters are a GPU's: without one there is nothing to count.
QStringList MainWindow::Impl::runOptions() const {
    const Json experiment = document.json();
    const Json targets = experiment.value("targets", Json::array());
    const bool gpu = std::any_of(targets.begin(), targets.end(), [](const Json& target) {
        return target.is_string() && compute::namesGpu(target.get<std::string>());
    });
    return gpu && countAction->isChecked() ? QStringList{QStringLiteral("--counters")} : QStringList();
}

/// The first mistake of the experiment.
QString MainWindow::Impl::whyNotRun() const {
    for (const compute::Diagnostic& finding : document.diagnostics())
        if (finding.severity == compute::Diagnostic::Severity::Error)
            return tr("The experiment cannot run: %1")
                .arg(fromStd(
                    badInput(finding.pointer, finding.message, finding.allowed, finding.advice).sentence()));
    return {};
}

void MainWindow::run() {
    if (m_impl->runs.state() != RunController::State::Idle)
        return;
    if (!m_impl->document.canRun()) {
        m_impl->revealDock(m_impl->problemsDock);
        emit refused(m_impl->whyNotRun(), ErrorCode::BadInput);
        return;
    }
    if (!m_impl->mayDropResults())
        return;
    m_impl->message->clear();
    if (m_impl->document.changedOnDisk())
        m_impl->sayChangedOnDisk();
    setMode(Mode::Run);
    m_impl->startWhenNothingMeasures();
}

void MainWindow::refuseToRun(const QString& path) {
    m_impl->say(MessageBar::Tone::Error, tr("%1 is a recording; only experiments (.json) run.").arg(path));
}

void MainWindow::stop() {
    m_impl->runs.stop();
}

void MainWindow::openDemo() {
    const QString demo = demoExample();
    if (demo.isEmpty())
        m_impl->newExperiment(compute::defaultPoolingDocument(), tr("Demo"));
    else
        m_impl->openTemplate(demo);
}

void MainWindow::openTemplate(const QString& path) {
    m_impl->openTemplate(path);
}

QStringList MainWindow::inputFiles() const {
    QStringList files{m_impl->document.path()};
    for (const auto& session : m_impl->sessions)
        files.append(session->filePath());
    const auto spec =
        compute::specFromJson(m_impl->document.json(), m_impl->experimentDirectory().toStdString());
    if (spec)
        if (const auto named = compute::namedFilesOfStudy(*spec))
            for (const compute::NamedFile& file : *named)
                files.append(fromStd(file.path.string()));
    files.removeAll(QString());
    return files;
}

void MainWindow::setUnattended() {
    m_impl->isUnattended = true;
    m_impl->document.keepNoJournal();
    m_impl->recovery->clear();
}

void MainWindow::openPath(const QString& path) {
    using Topic = Impl::Topic;
    m_impl->clearMessage({Topic::General, Topic::Run, Topic::Recording, Topic::Export});
    switch (kindOfFile(path)) {
    case FileKind::Experiment:
        m_impl->openExperiment(path);
        break;
    case FileKind::RunFile:
        m_impl->openRecording(path, Mode::Analyze);
        break;
    case FileKind::Trace:
        m_impl->openRecording(path, Mode::Timeline);
        break;
    case FileKind::Image:
        m_impl->openInput(path, QStringLiteral("image"));
        break;
    case FileKind::Npy:
        m_impl->openInput(path, QStringLiteral("npy"));
        break;
    case FileKind::Unknown:
        m_impl->say(MessageBar::Tone::Error, whyNotOpened(path));
        break;
    }
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_impl->mayStopRun() || !m_impl->mayLeave(tr("Close Without Saving")) || !m_impl->mayDropResults()) {
        event->ignore();
        return;
    }
    m_impl->runs.stop();
    m_impl->settings.setWindow(saveGeometry(), saveState());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    openPath(event->mimeData()->urls().first().toLocalFile());
}

bool MainWindow::event(QEvent* event) {
    if (event->type() == QEvent::ThemeChange && Theme::instance().scheme() == ColorScheme::System)
        Theme::instance().apply(ColorScheme::System);
    if (event->type() == QEvent::WindowActivate && m_impl->document.newsOnDisk())
        m_impl->sayChangedOnDisk();
    return QMainWindow::event(event);
}

void MainWindow::paintEvent(QPaintEvent* event) {
    QMainWindow::paintEvent(event);
    if (m_impl->firstPaintSeen)
        return;
    m_impl->firstPaintSeen = true;
    emit firstPainted();
}

} // namespace heteroscope::ui

#include "moc_main_window.cpp"
