// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Timeline: tracks, spans and counters of a trace with zoom, search, selection statistics and details.
// GUI thread.
#pragma once

#include "profiling/analysis/occupancy.h"
#include "profiling/stream/kernel_counters.h"
#include "profiling/trace/trace.h"

#include <QString>
#include <QWidget>

#include <map>
#include <memory>
#include <string>

class QPushButton;

namespace heteroscope::ui {

class TimelineView : public QWidget {
    Q_OBJECT
  public:
    explicit TimelineView(QWidget* parent = nullptr);
    ~TimelineView() override;
    void setTrace(std::shared_ptr<const profiling::Trace> trace, const QString& title);
    /// The store has new events; while the view follows the end (default for live ones) it scrolls along.
    void traceGrew();
    void setLive(bool live);
    void showRange(qint64 startNs, qint64 endNs);
    /// Scrolls to a row and opens its groups; does nothing for rows that are not there.
    void revealTrack(profiling::TrackId track);
    /// Limits of the recording's GPUs by device id: kernels show their occupancy.
    void setDevices(std::map<std::string, profiling::MultiprocessorLimits> devices);
    /// What the counters said of its kernels: shown beside what is known without them.
    void setCounters(std::vector<profiling::OpCounters> counters);
    /// What to say instead of an empty picture.
    void setEmptyMessage(const QString& text);
    /// What helps then; hidden while events are awaited. The caller connects clicked().
    QPushButton* addEmptyButton(const QString& text, const QString& iconName, bool primary = false);
    /// PNG, SVG or PDF of what is shown, from the same draw list; by the file's suffix.
    bool exportPicture(const QString& path, QString* error);
    /// Statistics that can be seen are being counted.
    bool isBusy() const;
    /// Notes are read from this file and kept in it; empty keeps them while the window is open. Call before
    /// setTrace.
    void setNotesFile(const QString& path);

  signals:
    void busyChanged(); ///< a count has ended
    void statusMessage(const QString& text);
    void transfersRequested(qint64 startNs, qint64 endNs); ///< of the selected range

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
