// SPDX-License-Identifier: GPL-3.0-or-later
// The page of each mode: made when first shown, connected to the rest of the window.
#include "compute/experiment/spec/pointer.h"
#include "ui/analyze/analyze_view.h"
#include "ui/analyze/device_reporter.h"
#include "ui/library/library_view.h"
#include "ui/main_window/window_impl.h"
#include "ui/run/run_view.h"
#include "ui/timeline/timeline_view.h"

#include <QPushButton>
#include <QStatusBar>

namespace heteroscope::ui {
namespace {

constexpr int kQuietWaitS = 600; ///< of each run, where the user asks for nothing else

} // namespace

QWidget* MainWindow::Impl::makePage(Mode which) {
    switch (which) {
    case Mode::Start:
        return makeStart();
    case Mode::Build:
        return makeBuild();
    case Mode::Run:
        return makeRun();
    case Mode::Timeline:
        return makeTimeline();
    case Mode::Analyze:
        return makeAnalyze();
    case Mode::Library:
        return makeLibrary();
    }
    return nullptr;
}

QWidget* MainWindow::Impl::makeStart() {
    start = new StartPage;
    connect(start, &StartPage::templateRequested, &self, &MainWindow::openTemplate);
    connect(start, &StartPage::recentRequested, &self, &MainWindow::openPath);
    connect(start, &StartPage::newPoolingRequested, &self,
            [this] { newExperiment(compute::defaultPoolingDocument(), tr("Untitled pooling")); });
    connect(start, &StartPage::newMatmulRequested, &self,
            [this] { newExperiment(compute::defaultMatmulDocument(), tr("Untitled multiplication")); });
    connect(start, &StartPage::newNetworkRequested, &self,
            [this] { newExperiment(compute::defaultNetworkDocument(), tr("Untitled network")); });
    connect(start, &StartPage::openFileRequested, &self, [this] {
        openWithDialog(tr("Open"),
                       tr("Experiments, runs and traces (*.json *.hscope *.json.gz);;All files (*)"));
    });
    connect(start, &StartPage::openRecordedRequested, &self, [this] { openRecorded(); });
    start->setRecentFiles(settings.recentFiles());
    showDevices();
    return start;
}

void MainWindow::Impl::openRecorded() {
    openWithDialog(tr("Open a Recorded Run"), tr("Run files and traces (*.hscope *.json *.json.gz)"));
}

QWidget* MainWindow::Impl::makeBuild() {
    build = new BuildView(document);
    connect(build, &BuildView::runRequested, &self, &MainWindow::run);
    connect(build, &BuildView::implementationsRequested, &self, [this] { showImplementations(); });
    layerReader = new DeviceReporter(build);
    connect(layerReader, &DeviceReporter::ready, build,
            [this](const DeviceReadingPtr& reading) { build->setLayerTimes(reading->measuredLayers); });
    if (!sessions.empty())
        layerReader->setSession(sessions.front());
    showDevices();
    return build;
}

void MainWindow::Impl::showImplementations() {
    if (implementations == nullptr)
        implementations = new ImplementationsDialog(
            document, [this] { return experimentDirectory(); }, &self);
    implementations->show();
    implementations->raise();
    implementations->activateWindow();
}

QWidget* MainWindow::Impl::makeRun() {
    run = new RunView;
    connect(run, &RunView::runRequested, &self, &MainWindow::run);
    connect(run, &RunView::repeatWhenQuietRequested, &self, [this] { repeatWhenQuiet(); });
    connect(run, &RunView::stopRequested, &self, &MainWindow::stop);
    connect(run, &RunView::openAnalyzeRequested, &self, [this] { self.setMode(Mode::Analyze); });
    connect(run, &RunView::openTimelineRequested, &self, [this] { self.setMode(Mode::Timeline); });
    connect(run, &RunView::showTimelineRequested, &self, [this](qint64 startNs, qint64 endNs) {
        self.setMode(Mode::Timeline);
        timeline->showRange(startNs, endNs);
    });
    run->setRunnable(document.canRun(), document.title());
    run->setRepeatable(showsWhatWouldRun());
    if (!sessions.empty())
        run->setSession(sessions.front());
    return run;
}

bool MainWindow::Impl::showsWhatWouldRun() const {
    return !sessions.empty() && sessions.front() == runs.session() && document.json() == started;
}

/// What the experiment says already stays.
void MainWindow::Impl::repeatWhenQuiet() {
    const QString pointer = QStringLiteral("/sampling/quiet_wait_s");
    const Json* const given = compute::valueAt(document.json(), pointer.toStdString());
    if (given == nullptr || !given->is_number() || given->get<double>() <= 0)
        document.setValue(pointer, kQuietWaitS, tr("Wait for a quiet machine"));
    self.run();
}

QWidget* MainWindow::Impl::makeTimeline() {
    timeline = new TimelineView;
    timeline->setEmptyMessage(
        tr("Run an experiment, or open a run file or a Chrome trace, to see where its time goes."));
    connect(timeline->addEmptyButton(tr("Run the Experiment"), QStringLiteral("run"), true),
            &QPushButton::clicked, &self, &MainWindow::run);
    connect(timeline->addEmptyButton(tr("Open a Recorded Run\u2026"), QStringLiteral("open")),
            &QPushButton::clicked, &self, [this] { openRecorded(); });
    connect(timeline, &TimelineView::statusMessage, &self,
            [this](const QString& text) { self.statusBar()->showMessage(text, kStatusMs); });
    connect(timeline, &TimelineView::transfersRequested, &self, [this](qint64 startNs, qint64 endNs) {
        self.setMode(Mode::Analyze);
        analyze->showTransfers(startNs, endNs);
    });
    connect(
        timeline, &TimelineView::busyChanged, &self, [this] { checkSettled(); }, Qt::QueuedConnection);
    if (!sessions.empty()) {
        showTrace();
        timeline->setLive(sessions.front()->state() == StudySession::State::Live);
    }
    return timeline;
}

QWidget* MainWindow::Impl::makeAnalyze() {
    analyze = new AnalyzeView;
    connect(analyze, &AnalyzeView::statusMessage, &self,
            [this](const QString& text) { self.statusBar()->showMessage(text, kStatusMs); });
    connect(
        analyze, &AnalyzeView::busyChanged, &self, [this] { checkSettled(); }, Qt::QueuedConnection);
    connect(analyze, &AnalyzeView::showTimelineRequested, &self,
            [this](qint64 startNs, qint64 endNs, quint32 track) {
                self.setMode(Mode::Timeline);
                timeline->showRange(startNs, endNs);
                timeline->revealTrack(track);
            });
    connect(analyze, &AnalyzeView::measurePeaksRequested, &self, [this] {
        peaks.start();
        showPeaks({});
    });
    connect(analyze, &AnalyzeView::measurePeaksCancelled, &self, [this] { peaks.cancel(); });
    analyze->setSessions(sessions);
    showDevices();
    showPeaks(peaksProgress);
    return analyze;
}

QWidget* MainWindow::Impl::makeLibrary() {
    library = new LibraryView;
    connect(library, &LibraryView::openRequested, &self, &MainWindow::openPath);
    connect(library, &LibraryView::compareRequested, &self,
            [this](const QStringList& paths) { compareRecordings(paths); });
    connect(library, &LibraryView::experimentRequested, &self,
            [this](const QString& path) { adoptExperimentOf(path); });
    connect(library, &LibraryView::startRequested, &self, [this] { self.setMode(Mode::Start); });
    connect(library, &LibraryView::busyChanged, &self, [this] { checkSettled(); });
    return library;
}

void MainWindow::Impl::showDevices() {
    if (deviceList.is_null())
        return;
    if (start != nullptr)
        start->setDevices(deviceList);
    if (build != nullptr)
        build->setDevices(deviceList);
    if (analyze != nullptr)
        analyze->setDevices(deviceList);
}

void MainWindow::Impl::showPeaks(const PeaksProgress& progress) {
    peaksProgress = progress;
    peaksProgress.running = peaks.isRunning();
    peaksProgress.possible = runs.state() == RunController::State::Idle;
    if (analyze != nullptr)
        analyze->setPeaksProgress(peaksProgress);
}

void MainWindow::Impl::connectPeaks() {
    connect(&peaks, &PeaksMeasurement::stepped, &self, [this](int step, int steps) {
        showPeaks({true, step, steps, {}});
    });
    connect(&peaks, &PeaksMeasurement::measured, &self, [this](const Json& list) {
        deviceList = list;
        afterPeaks({});
        showDevices();
    });
    connect(&peaks, &PeaksMeasurement::failed, &self, [this](const QString& sentence) {
        log->add(QStringLiteral("error"), sentence);
        afterPeaks(sentence);
    });
    connect(&peaks, &PeaksMeasurement::cancelled, &self, [this] {
        afterPeaks(runWaitsForPeaks ? tr("The measurement was ended, because a study was started. Measure "
                                         "again when nothing runs.")
                                    : QString());
    });
    connect(&runs, &RunController::stateChanged, &self, [this] { showPeaks(peaksProgress); });
}

/// A study and the measurement would disturb each other: the one that is asked for later runs, alone.
void MainWindow::Impl::startWhenNothingMeasures() {
    runWaitsForPeaks = peaks.isRunning();
    if (runWaitsForPeaks) {
        peaks.cancel();
    } else {
        started = document.json();
        runs.start(started, experimentDirectory(), runOptions());
    }
}

void MainWindow::Impl::afterPeaks(const QString& sentence) {
    showPeaks({false, 0, 0, sentence});
    if (runWaitsForPeaks)
        startWhenNothingMeasures();
}

} // namespace heteroscope::ui
