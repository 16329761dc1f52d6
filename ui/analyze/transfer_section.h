// SPDX-License-Identifier: GPL-3.0-or-later
// The transfers of a recording, or of a range of it: by direction and host memory, by size, by operation.
// GUI thread.
#pragma once

#include "ui/analyze/device_reporter.h"

#include <QWidget>

#include <optional>

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace heteroscope::ui {

class SizeHistogram;

class TransferSection : public QWidget {
    Q_OBJECT
  public:
    explicit TransferSection(QWidget* parent = nullptr);
    void setReading(const DeviceReadingPtr& reading);
    /// The range that is asked for, with what moved in it once that is known; nothing: the whole recording.
    void setRange(std::optional<profiling::NsRange> range, RangeTransfersPtr transfers);

  signals:
    void wholeRequested(); ///< the range is to be taken away

  private:
    QWidget* buildTitle();
    QWidget* buildLower();
    void show();
    void showRange();
    void fillGroups();
    void fillOps(const profiling::TransferBreakdown& transfers);

    DeviceReadingPtr m_reading;
    std::optional<profiling::NsRange> m_range;
    RangeTransfersPtr m_inRange;
    QLabel* m_where = nullptr;
    QPushButton* m_whole = nullptr;
    QTreeWidget* m_groups = nullptr;
    QTreeWidget* m_ops = nullptr;
    QComboBox* m_measure = nullptr;
    SizeHistogram* m_sizes = nullptr;
};

} // namespace heteroscope::ui
