// SPDX-License-Identifier: GPL-3.0-or-later
// The window: mode bar, top bar, docks, menus; composition only. GUI thread.
#pragma once

#include <QMainWindow>
#include <QString>

#include <memory>

namespace heteroscope::ui {

class MainWindow : public QMainWindow {
    Q_OBJECT
  public:
    enum class Mode { Start, Build, Run, Timeline, Analyze, Library };

    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    void openPath(const QString& path); ///< experiment, run file, Chrome trace
    void openDemo();                    ///< the demo experiment, ready to run
    void setMode(Mode mode);
    Mode mode() const;
    void run();
    void stop();

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
