// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of MainWindow, shared by the files that implement it by topic. Private to ui/main_window.
#pragma once

#include "ui/analyze/peaks_bar.h"
#include "ui/build/build_view.h"
#include "ui/build/document.h"
#include "ui/common/message_bar.h"
#include "ui/common/settings.h"
#include "ui/devices/devices_query.h"
#include "ui/devices/peaks_measurement.h"
#include "ui/main_window/implementations_dialog.h"
#include "ui/main_window/inspector_panel.h"
#include "ui/main_window/main_window.h"
#include "ui/main_window/mode_bar.h"
#include "ui/main_window/problems_panel.h"
#include "ui/main_window/start_page.h"
#include "ui/main_window/status_widgets.h"
#include "ui/main_window/top_bar.h"
#include "ui/models/study_session.h"
#include "ui/run/log_list.h"
#include "ui/run/run_controller.h"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <QPointer>
#include <QStackedWidget>

#include <array>
#include <memory>
#include <vector>

namespace heteroscope::ui {

class AnalyzeView;
class DeviceReporter;
class LibraryView;
class RunView;
class TimelineView;

/// The experiment that a run file holds.
struct StoredExperiment {
    Json document;
    QString name;
};

struct MainWindow::Impl {
    explicit Impl(MainWindow& window);

    static constexpr int kStatusMs = 8000; ///< a passing word in the status bar

    MainWindow& self;
    Settings settings;
    Document document;
    RunController runs;
    DevicesQuery devices;
    PeaksMeasurement peaks;
    PeaksProgress peaksProgress;
    bool runWaitsForPeaks = false; ///< Run was pressed; it starts when the measurement has ended
    Json started = Json::object(); ///< the experiment that was run last
    Json deviceList;
    bool isUnattended = false; ///< nobody's recent files are what it opens
    bool devicesKnown = false, firstPaintSeen = false, wasSettled = false;
    /// What the message above the page is about: it goes when that is no longer so.
    enum class Topic { General, Run, Document, Recording, Export };
    Topic messageTopic = Topic::General;

    /// What the result views show: one study, or those to compare.
    std::vector<std::shared_ptr<StudySession>> sessions;
    QString fileProblem;       ///< why the shown run has no whole file: its results are in memory alone
    QString documentDirectory; ///< of a template; else the document's own folder counts

    ModeBar* modeBar = nullptr;
    TopBar* topBar = nullptr;
    MessageBar* message = nullptr;
    MessageBar* recovery = nullptr; ///< the offer of unsaved work: no other message takes its place
    QStackedWidget* stack = nullptr;
    std::array<QWidget*, 6> holders{}; ///< one page a mode in `stack`, filled when first shown
    std::array<QWidget*, 6> pages{};
    StartPage* start = nullptr;
    BuildView* build = nullptr;
    QPointer<ImplementationsDialog> implementations; ///< while it is open
    DeviceReporter* layerReader = nullptr; ///< times of layers for the builder, of a study that has ended
    RunView* run = nullptr;
    TimelineView* timeline = nullptr;
    AnalyzeView* analyze = nullptr;
    LibraryView* library = nullptr;
    Mode mode = Mode::Start;

    QDockWidget* inspectorDock = nullptr;
    QDockWidget* problemsDock = nullptr;
    QDockWidget* logDock = nullptr;
    InspectorPanel* inspector = nullptr;
    ProblemsPanel* problems = nullptr;
    LogList* log = nullptr;
    StatusWidgets* status = nullptr;
    QByteArray defaultState;

    QMenu* recentMenu = nullptr;
    QMenu* exportMenu = nullptr;
    QAction* undo = nullptr;
    QAction* redo = nullptr;
    QAction* runAction = nullptr;
    QAction* stopAction = nullptr;
    QAction* countAction = nullptr; ///< checked: runs on GPUs are followed by the pass on their counters

    // main_window.cpp
    void compose();
    void connectParts();
    void updateTitle();
    void updateRunnable();
    void checkSettled();
    QStringList runOptions() const;
    void say(MessageBar::Tone tone, const QString& text, std::vector<MessageBar::Action> actions = {},
             Topic topic = Topic::General, ErrorCode code = ErrorCode::BadInput);
    void clearMessage(std::initializer_list<Topic> topics); ///< when it is about one of them
    void sayOfRecovery(const QString& text, std::vector<MessageBar::Action> actions = {});

    // window_pages.cpp
    QWidget* makePage(Mode mode);
    QWidget* makeStart();
    void openRecorded();
    QWidget* makeBuild();
    void showImplementations();
    QWidget* makeRun();
    void repeatWhenQuiet();
    bool showsWhatWouldRun() const; ///< the study is of the experiment as it is now
    QWidget* makeTimeline();
    QWidget* makeAnalyze();
    QWidget* makeLibrary();
    void showDevices();
    void connectPeaks();
    void startWhenNothingMeasures();
    void afterPeaks(const QString& sentence);
    void showPeaks(const PeaksProgress& progress);

    // window_docks.cpp
    void makeDocks();
    QDockWidget* makeDock(const QString& title, const QString& name, QWidget* content,
                          Qt::DockWidgetArea area);
    void resetLayout();
    void restoreLayout();
    void revealDock(QDockWidget* dock);

    // window_menus.cpp
    void makeMenus();
    void makeFileMenu();
    void makeEditMenu();
    void makeViewMenu();
    void makeLanguageMenu(QMenu* menu);
    void makeRunMenu();
    void makeHelpMenu();
    void makeExportActions();
    void fillRecentMenu();
    QAction* addAction(QMenu* menu, const QString& text, const QKeySequence& keys,
                       const std::function<void()>& run, const QString& iconName = {});

    // window_documents.cpp
    bool newExperiment(const Json& document, const QString& title); ///< false: the present one stays
    void openExperiment(const QString& path);
    void openTemplate(const QString& path);
    void openInput(const QString& path, const QString& source);
    void openWithDialog(const QString& caption, const QString& filter);
    bool save(); ///< false: it could not be written, or a person thought better of it; so saveAs(), saveTo()
    bool saveAs();
    bool saveTo(const QString& path);
    bool saveOverChanges();
    void sayChangedOnDisk();
    bool mayLeave(const QString& discardText);
    bool offerRecovery();
    void restoreWork(const QString& journal);
    void discardWork(const Document::UnsavedWork& work);
    void noteRecent(const QString& path);
    void adoptExperimentOf(const QString& runFile);
    void adoptExperiment(const Result<StoredExperiment>& stored);
    QString experimentDirectory() const;

    // window_sessions.cpp
    void setSessions(std::vector<std::shared_ptr<StudySession>> next);
    void showSession();
    void showTrace();
    void showQuality(const StudySession& session);
    void watch(const std::shared_ptr<StudySession>& session);
    void openRecording(const QString& path, Mode preferred);
    void sayRecording(const StudySession& session);
    void sayWhatIsMissing();
    void compareRecordings(const QStringList& paths);
    QString whyNotRun() const;
    void onFileFailed(const QString& sentence);
    std::vector<MessageBar::Action> exportOffers();
    bool mayDropResults();
    bool mayStopRun();
    void onRunFinished(WorkerProcess::Outcome outcome, const QString& sentence);

    // window_exports.cpp
    void exportResultsJson();
    void exportResultsCsv();
    void exportTraceJson();
    void exportTimelinePicture();
    void exportReport();
    QString askTarget(const QString& caption, const QString& suffix, const QString& filter);
    void sayWritten(const QString& path);
};

} // namespace heteroscope::ui
