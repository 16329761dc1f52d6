// SPDX-License-Identifier: GPL-3.0-or-later
// The bar above a timeline: search with hits, the range's chip, data quality, follow, fit and export. GUI
// thread.
#pragma once

#include "ui/timeline/timeline_state.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QToolButton;

namespace heteroscope::ui {

class TimelineBar : public QFrame {
    Q_OBJECT
  public:
    /// `state` outlives the bar.
    explicit TimelineBar(TimelineState* state, QWidget* parent = nullptr);
    void focusSearch();
    void setSearchText(const QString& text);

  signals:
    void exportRequested(const QString& suffix); ///< "png", "svg" or "pdf"
    void keysRequested();
    void transfersRequested(); ///< of the range
    void leaveRequested();     ///< Esc in the search field: back to the rows

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QToolButton* addButton(const QString& name, const QString& iconName, const QString& text,
                           const QString& tip);
    void buildSearch();
    void buildActions();
    void updateHits();
    void updateRange();
    void updateQuality();
    void updateFollow();

    TimelineState* m_state;
    QLineEdit* m_search;
    QLabel* m_hits;
    QToolButton *m_previous, *m_next, *m_range, *m_transfers, *m_quality, *m_follow;
};

} // namespace heteroscope::ui
