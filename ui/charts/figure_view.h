// SPDX-License-Identifier: GPL-3.0-or-later
// A chart on screen, drawn by the figure renderer, so that what is seen is what is exported. Qt Charts draws
// the views of raw samples instead (sample_view.h): its log axes lose their labels when zoomed below a
// decade, and it has no interval bars, which the other charts need. Wheel zooms at the pointer, drag pans,
// double click or 0 shows all; legend entries hide a series by click or by key; arrow keys walk through the
// points. GUI thread.
#pragma once

#include "ui/charts/chart_data.h"

#include <QSet>
#include <QWidget>

#include <memory>

namespace heteroscope::ui {

class FigureView : public QWidget {
    Q_OBJECT
  public:
    explicit FigureView(QWidget* parent = nullptr);
    ~FigureView() override;

    /// Keeps zoom and hidden series while the kind stays the same.
    void setChart(const ChartData& chart);
    const ChartData& chart() const;
    QSet<QString> hiddenSeries() const;
    void setSeriesHidden(const QString& id, bool hidden);
    void resetZoom();
    bool isZoomed() const;
    void setGreyPreview(bool on);
    /// Centre of a legend entry; a null point when there is none. For tests and keyboard users' tools.
    QPoint legendPosition(const QString& seriesId) const;
    /// Position of a point of a series on screen.
    QPoint pointPosition(const QString& seriesId, int index) const;
    QString tooltipAt(const QPoint& position) const;

    QSize sizeHint() const override { return {720, 480}; }
    QSize minimumSizeHint() const override { return {280, 220}; }

  signals:
    void hiddenSeriesChanged();
    void pointDescribed(const QString& text); ///< the point under the pointer or reached by key; empty: none

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
