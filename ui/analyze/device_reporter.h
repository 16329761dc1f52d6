// SPDX-License-Identifier: GPL-3.0-or-later
// Works out what a study's recording says of its GPUs, away from the GUI thread, at most twice a second and
// never twice at once. Nothing is computed while nobody looks. GUI thread.
#pragma once

#include "profiling/analysis/advice.h"
#include "ui/models/study_session.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace heteroscope::ui {

/// A report with the study it points into and the trace it was made from.
struct DeviceReading {
    profiling::Study study;
    std::shared_ptr<const profiling::Trace> trace;
    profiling::DeviceReport report;
};
using DeviceReadingPtr = std::shared_ptr<const DeviceReading>;

class DeviceReporter : public QObject {
    Q_OBJECT
  public:
    static constexpr int kIntervalMs = 500;

    explicit DeviceReporter(QObject* parent = nullptr);
    void setSession(std::shared_ptr<StudySession> session); ///< null for none
    /// Whether somebody looks at the results.
    void setWanted(bool wanted);
    bool busy() const { return m_running || m_timer.isActive(); }
    bool hasSession() const { return m_session != nullptr; }

  signals:
    void ready(const heteroscope::ui::DeviceReadingPtr& reading);

  private:
    void changed();
    void start();
    void finish(const DeviceReadingPtr& reading, quint64 ticket);

    std::shared_ptr<StudySession> m_session;
    QTimer m_timer;
    quint64 m_ticket = 0; ///< of the session; results of earlier ones are dropped
    bool m_wanted = false, m_running = false, m_stale = false;
};

} // namespace heteroscope::ui
