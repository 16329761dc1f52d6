// SPDX-License-Identifier: GPL-3.0-or-later
// Everything known about the selected span: times, track, arguments, flows. GUI thread.
#pragma once

#include "ui/timeline/timeline_state.h"

#include <QWidget>

class QStackedLayout;
class QTreeWidget;
class QTreeWidgetItem;

namespace heteroscope::ui {

class DetailsPanel : public QWidget {
    Q_OBJECT
  public:
    /// `state` outlives the panel.
    explicit DetailsPanel(TimelineState* state, QWidget* parent = nullptr);

  private:
    void refresh();
    void fill(const profiling::Span& span);
    void addOccupancy(const profiling::Span& span);
    void addCounters(const profiling::Span& span);
    void addFlows();
    QTreeWidgetItem* add(const QString& name, const QString& value);
    void activate(QTreeWidgetItem* item);
    void copy() const;

    TimelineState* m_state;
    QStackedLayout* m_stack;
    QTreeWidget* m_tree;
    std::vector<profiling::SpanRef> m_linked; ///< spans that rows of the table lead to
};

} // namespace heteroscope::ui
