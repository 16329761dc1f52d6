// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Analyze: charts and the table of all runs of one or more studies, with export. GUI thread.
#pragma once

#include "ui/analyze/peaks_bar.h"
#include "ui/models/study_session.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace heteroscope::ui {

class AnalyzeView : public QWidget {
    Q_OBJECT
  public:
    explicit AnalyzeView(QWidget* parent = nullptr);
    ~AnalyzeView() override;
    /// One study, two to compare, or pairs of them. Live ones are followed; pairs wait until all are read.
    void setSessions(std::vector<std::shared_ptr<StudySession>> sessions);
    /// The same for studies that are not in a session and will not change.
    void showStudies(std::vector<profiling::Study> studies);
    /// Transfers and advice, with the transfers of this range of the timeline alone.
    void showTransfers(qint64 startNs, qint64 endNs);
    /// A page: a chart by its id in the chart registry, "runs" for the table, "device" for transfers and
    /// advice, "training" for trainings.
    void selectChart(const QString& id);
    /// What this machine can compute on, as DevicesQuery gives it: studies of its processors take peaks from
    /// there.
    void setDevices(const Json& devices);
    /// How far the measurement is that measurePeaksRequested() asked for.
    void setPeaksProgress(const PeaksProgress& progress);
    /// What selectChart() knows.
    static QStringList pageIds();
    QString selectedChart() const;
    /// Results are on their way.
    bool isBusy() const;

  signals:
    void busyChanged(); ///< the results have come
    void statusMessage(const QString& text);
    /// A place that advice is about; the row is kNoTrack when it is about none.
    void showTimelineRequested(qint64 startNs, qint64 endNs, quint32 track);
    void measurePeaksRequested();
    void measurePeaksCancelled();

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
