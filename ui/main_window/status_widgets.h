// SPDX-License-Identifier: GPL-3.0-or-later
// The right side of the status bar: problems, data quality, worker, GPU, memory. GUI thread.
#pragma once

#include "profiling/trace/trace.h"
#include "ui/main_window/gpu_status.h"

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace heteroscope::ui {

class StatusWidgets : public QWidget {
    Q_OBJECT
  public:
    explicit StatusWidgets(QWidget* parent = nullptr);
    void setProblems(int errors, int warnings);
    /// `missing`: why the recording ends before the study did; empty when it does not. `failure`: why the
    /// study that is recorded failed; empty when it did not.
    void setQuality(const profiling::DataQuality& quality, bool hasData, const QString& missing,
                    const QString& failure);
    void setWorker(const QString& text, const QString& tone);
    void setSession(std::shared_ptr<StudySession> session) { m_gpu->setSession(std::move(session)); }

  signals:
    void problemsClicked();
    void qualityClicked();

  private:
    void showMemory();

    QPushButton* m_problems;
    QPushButton* m_quality;
    QLabel* m_worker;
    GpuStatus* m_gpu;
    QLabel* m_memory;
    QTimer m_timer;
};

} // namespace heteroscope::ui
