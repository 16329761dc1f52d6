// SPDX-License-Identifier: GPL-3.0-or-later
// Works out what a study's recording says of its GPUs and of its ops, away from the GUI thread, at most twice
// a second and never twice at once. Of a study that still runs nothing is computed while nobody looks, and no
// roofline. GUI thread.
#pragma once

#include "profiling/analysis/advice.h"
#include "profiling/analysis/layer_times.h"
#include "profiling/analysis/roofline.h"
#include "profiling/analysis/sample_parts.h"
#include "ui/models/measured_layers.h"
#include "ui/models/study_session.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace heteroscope::ui {

/// A report with the study it points into and the trace it was made from.
struct DeviceReading {
    profiling::Study study;
    std::shared_ptr<const profiling::Trace> trace;
    profiling::DeviceReport report;
    std::shared_ptr<const profiling::Roofline> roofline; ///< null while the study runs
    std::shared_ptr<const std::vector<profiling::RunLayerTimes>> layers;
    std::vector<profiling::SampleParts> parts; ///< of the runs on processors
    MeasuredLayersPtr measuredLayers;          ///< those with what each layer computed
};
using DeviceReadingPtr = std::shared_ptr<const DeviceReading>;
using RangeTransfersPtr = std::shared_ptr<const profiling::TransferBreakdown>;

class DeviceReporter : public QObject {
    Q_OBJECT
  public:
    static constexpr int kIntervalMs = 500;

    explicit DeviceReporter(QObject* parent = nullptr);
    void setSession(std::shared_ptr<StudySession> session); ///< null for none
    /// The device record of this machine's processors: studies of such take its measured peaks where they
    /// have none. Null: not known.
    void setMachine(const Json& cpu);
    /// Whether somebody looks at the results.
    void setWanted(bool wanted);
    /// Counts the transfers of a range as well, of this study and until the next one comes; nothing for none.
    void setRange(std::optional<profiling::NsRange> range);
    const std::optional<profiling::NsRange>& range() const { return m_range; }
    bool busy() const { return m_running || m_counting || m_timer.isActive(); }
    bool hasSession() const { return m_session != nullptr; }

  signals:
    void ready(const heteroscope::ui::DeviceReadingPtr& reading);
    /// What moved in range(); null when there is no range.
    void rangeReady(const heteroscope::ui::RangeTransfersPtr& transfers);

  private:
    bool ended() const;
    void changed();
    void start();
    void finish(const DeviceReadingPtr& reading, quint64 ticket);
    void countRange();
    void finishRange(const RangeTransfersPtr& transfers, quint64 ticket);

    std::shared_ptr<StudySession> m_session;
    Json m_machine;
    QTimer m_timer;
    quint64 m_ticket = 0;    ///< of the session; results of earlier ones are dropped
    DeviceReadingPtr m_last; ///< of this session
    std::optional<profiling::NsRange> m_range;
    quint64 m_rangeTicket = 0; ///< of the range; what was counted for earlier ones is dropped
    bool m_wanted = false, m_running = false, m_stale = false, m_counting = false;
};

} // namespace heteroscope::ui
