// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window's modes, taken when nothing is on its way any more. GUI thread.
#pragma once

#include "compute/base/output_file.h"
#include "ui/main_window/main_window.h"

#include <QElapsedTimer>
#include <QImage>
#include <QObject>
#include <QString>
#include <QTimer>

#include <vector>

namespace heteroscope::ui {

struct Shot {
    MainWindow::Mode mode = MainWindow::Mode::Start;
    QString file;      ///< PNG
    bool live = false; ///< while a study runs, a good part of it done
};

class Screenshots : public QObject {
    Q_OBJECT
  public:
    /// `force`: files that are there and are no pictures are written over.
    Screenshots(MainWindow& window, std::vector<Shot> shots, bool force, QObject* parent = nullptr);
    /// What is against writing the pictures: errors of checkOutput(). What the window reads is never written
    /// over.
    Status check() const;
    void start();

    static constexpr int kTimeoutMs = 120000; ///< over all pictures, a demo run included
    /// Every mode as FOLDER/<mode>.png, after FOLDER/run-live.png when that is wanted.
    static std::vector<Shot> ofAllModes(const QString& folder, bool live = false);

  signals:
    void finished(bool ok, const QString& sentence);

  private:
    void take();
    /// Whether the window is in the state that the picture wants.
    bool ready(const Shot& shot);
    bool readyLive();
    void fail(const QString& sentence);
    OutputRules rules() const;

    MainWindow& m_window;
    std::vector<Shot> m_shots;
    bool m_force;
    std::size_t m_next = 0;
    QImage m_previous;
    QElapsedTimer m_elapsed;
    QTimer m_look;
};

} // namespace heteroscope::ui
