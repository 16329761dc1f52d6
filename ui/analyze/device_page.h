// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording says of its devices: where the wall time of each run went, and of GPUs advice that leads
// to the timeline, and how data moved. GUI thread.
#pragma once

#include "ui/analyze/device_reporter.h"

#include <QWidget>

#include <optional>

class QLabel;
class QListWidget;
class QListWidgetItem;
class QStackedLayout;
class QTreeWidget;

namespace heteroscope::ui {

class Placeholder;
class SamplePartsSection;
class TransferSection;

class DevicePage : public QWidget {
    Q_OBJECT
  public:
    explicit DevicePage(QWidget* parent = nullptr);
    void setSession(std::shared_ptr<StudySession> session); ///< null for none
    /// The device record of this machine's processors, for DeviceReporter.
    void setMachine(const Json& cpu) { m_reporter->setMachine(cpu); }
    bool busy() const { return m_reporter->busy(); }
    /// Whether what it reads is wanted while it is not shown: other views take its figures of a running
    /// study.
    void setReadAlways(bool always);
    /// The transfers of this range alone, until the next session comes; nothing: of the whole recording.
    void setRange(std::optional<profiling::NsRange> range);
    /// Shown in place of what was there; also for tests.
    void setReading(const DeviceReadingPtr& reading);

  signals:
    void readingReady(const heteroscope::ui::DeviceReadingPtr& reading);
    void busyChanged(); ///< a reading has come
    void showTimelineRequested(qint64 startNs, qint64 endNs, quint32 track);

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    QWidget* buildTables();
    QWidget* buildGpuTables();
    void fillAdvice();
    void fillTimes();
    void showEmpty();
    void jump(const QListWidgetItem* item);

    DeviceReporter* m_reporter;
    bool m_readAlways = false;
    DeviceReadingPtr m_reading;
    QStackedLayout* m_stack;
    Placeholder* m_placeholder;
    QListWidget* m_advice = nullptr;
    QTreeWidget* m_times = nullptr;
    QLabel* m_scales = nullptr;
    QWidget* m_gpu = nullptr; ///< all that is of GPUs
    TransferSection* m_transfers = nullptr;
    SamplePartsSection* m_parts = nullptr; ///< of runs on processors
};

} // namespace heteroscope::ui
