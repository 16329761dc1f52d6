// SPDX-License-Identifier: GPL-3.0-or-later
// The window: mode bar, top bar, docks, menus; composition only. GUI thread.
#pragma once

#include "compute/base/error.h"
#include "ui/run/worker_process.h"

#include <QMainWindow>
#include <QString>

#include <memory>

namespace heteroscope::ui {

class Document;
class RunController;
class StudySession;

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    enum class Mode { Start, Build, Run, Timeline, Analyze, Library };

    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    void openPath(const QString& path);     ///< experiment, run file, Chrome trace, image, npy
    void openDemo();                        ///< the demo experiment, ready to run
    void openTemplate(const QString& path); ///< a copy of an experiment, as a new one
    void setMode(Mode mode);
    Mode mode() const;
    void showChart(const QString& id); ///< a page of mode Analyze by its id (chart_registry.h); unknown: none
    void run();
    /// Says that a file holds what was recorded, which does not run.
    void refuseToRun(const QString& path);
    void stop();

    Document& document();
    RunController& runController();
    std::shared_ptr<StudySession> session() const; ///< what Run, Timeline and Analyze show; null at first
    /// The page of a mode; made when first asked for.
    QWidget* page(Mode mode);
    /// False while anything that is on its way (devices, a file, the library) has not reached the views.
    bool isSettled() const;
    /// The files that are shown: the experiment with what it names, and the recordings.
    QStringList inputFiles() const;
    /// For a window in which nobody edits: it keeps no journal of unsaved work, offers none, and adds nothing
    /// to the recent files.
    void setUnattended();

  signals:
    void firstPainted(); ///< once
    void settled();      ///< isSettled() has become true
    void refused(const QString& sentence,
                 heteroscope::ErrorCode code); ///< what was asked for last could not be opened or started
    /// What was asked for last is damaged; what of it could be read is shown.
    void openedDamaged(const QString& sentence, heteroscope::ErrorCode code);
    /// A run has ended; `sentence` is empty after a clean end.
    void runEnded(heteroscope::ui::WorkerProcess::Outcome outcome, const QString& sentence);

  protected:
    bool event(QEvent* event) override; ///< the desktop's colours change
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
