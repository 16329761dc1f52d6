// SPDX-License-Identifier: GPL-3.0-or-later
// The middle of mode Analyze: a chart with its findings, notes and caption, or the sentence why there is
// none. GUI thread.
#pragma once

#include "ui/charts/chart_data.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;

namespace heteroscope::ui {

class ChartTableModel;
class FigureView;
class Placeholder;

class ChartPage : public QWidget {
    Q_OBJECT
  public:
    explicit ChartPage(QWidget* parent = nullptr);
    void setChart(const ChartData& chart);
    FigureView* figure() const { return m_figure; }
    void setTableShown(bool shown);
    bool tableShown() const { return m_tableShown; }

  signals:
    void statusMessage(const QString& text);

  private:
    QStackedWidget* m_stack;
    FigureView* m_figure;
    QTableView* m_table;
    ChartTableModel* m_model;
    Placeholder* m_placeholder;
    QLabel* m_findings;
    QLabel* m_notes;
    QLabel* m_caption;
    bool m_tableShown = false, m_drawable = false;
};

} // namespace heteroscope::ui
