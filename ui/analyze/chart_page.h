// SPDX-License-Identifier: GPL-3.0-or-later
// The middle of mode Analyze: a chart with its findings, notes and caption, or the sentence why there is
// none. GUI thread.
#pragma once

#include "ui/charts/chart_data.h"

#include <QSet>
#include <QWidget>

class QLabel;
class QScrollArea;
class QStackedWidget;
class QTableView;

namespace heteroscope::ui {

class ChartTableModel;
class FigureView;
class SampleView;
class Placeholder;

class ChartPage : public QWidget {
    Q_OBJECT
  public:
    explicit ChartPage(QWidget* parent = nullptr);
    void setChart(const ChartData& chart);
    FigureView* figure() const { return m_figure; }
    SampleView* samples() const { return m_samples; }
    QSet<QString> hiddenSeries() const; ///< of the view that shows the chart
    void setGreyPreview(bool on);
    void setTableShown(bool shown);
    bool tableShown() const { return m_tableShown; }

  signals:
    void hiddenSeriesChanged();
    void statusMessage(const QString& text);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fitTexts();

    QStackedWidget* m_stack;
    FigureView* m_figure;
    SampleView* m_samples;
    QTableView* m_table;
    ChartTableModel* m_model;
    Placeholder* m_placeholder;
    QScrollArea* m_texts; ///< findings, notes and caption
    QLabel* m_findings;
    QLabel* m_notes;
    QLabel* m_caption;
    bool m_tableShown = false, m_drawable = false, m_raw = false;
};

} // namespace heteroscope::ui
