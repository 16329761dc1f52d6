// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Run: how data moves between host and device while a study runs, one row a direction and kind of host
// memory. Takes no room in studies without a GPU. GUI thread; the sums come ready from the session.
#pragma once

#include "ui/models/study_session.h"

#include <QTimer>
#include <QWidget>

#include <array>
#include <memory>

class QLabel;
class QTableWidget;

namespace heteroscope::ui {

class TransferBars : public QWidget {
    Q_OBJECT
  public:
    enum Column { Direction, Memory, ShareBar, Share, Bytes, Copies, Time, Rate, Columns };
    static constexpr int kIntervalMs = 250; ///< between two looks at what has arrived

    explicit TransferBars(QWidget* parent = nullptr);
    void setSession(std::shared_ptr<StudySession> session); ///< null for none

  private:
    void makeTable();
    void changed();
    void showNow();
    void fill(const profiling::LiveTransfers& now);
    void fitWidths();
    void fitHeight();

    std::shared_ptr<StudySession> m_session;
    QTimer m_timer;
    QLabel* m_summary;
    QTableWidget* m_table;
    std::array<int, Columns> m_widest{}; ///< of each column so far, in pixels
};

} // namespace heteroscope::ui
