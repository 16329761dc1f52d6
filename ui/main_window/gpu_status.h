// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar's view of the GPU that a run works on: load and memory, more in the tooltip. Shown while a
// run is on and its recording has such values; greyed while no new ones come. GUI thread.
#pragma once

#include "ui/models/device_watch.h"
#include "ui/models/study_session.h"

#include <QElapsedTimer>
#include <QLabel>
#include <QTimer>

#include <memory>

namespace heteroscope::ui {

class GpuStatus : public QLabel {
    Q_OBJECT
  public:
    static constexpr int kIntervalMs = 250;
    /// Devices are looked at ten times a second; without news for this long the values are old.
    static constexpr int kStaleMs = 1500;

    /// For this long after its end a hold of the clocks is marked.
    static constexpr std::int64_t kHoldShownNs = 2'000'000'000;

    explicit GpuStatus(QWidget* parent = nullptr);
    void setSession(std::shared_ptr<StudySession> session); ///< null for none

  private:
    void follow();
    void showNow();
    void describe(const std::vector<DeviceNow>& devices, bool stale);

    std::shared_ptr<StudySession> m_session;
    DeviceWatch m_watch;
    QTimer m_timer;
    QElapsedTimer m_sinceNews;
    std::int64_t m_newsNs = 0; ///< of the latest value seen, on the trace's clock
};

} // namespace heteroscope::ui
