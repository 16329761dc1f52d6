// SPDX-License-Identifier: GPL-3.0-or-later
// Raw samples on screen, drawn by Qt Charts: thousands of points on plain axes, where its scene, hover events
// and rubber-band zoom serve well. Drag zooms, double click or 0 shows all, + and - zoom; a click on a legend
// entry or a digit key hides a series. Exports of the same chart use the figure renderer. GUI thread.
#pragma once

#include "ui/charts/chart_data.h"

#include <QSet>
#include <QWidget>

#include <memory>

namespace heteroscope::ui {

class SampleView : public QWidget {
    Q_OBJECT
  public:
    explicit SampleView(QWidget* parent = nullptr);
    ~SampleView() override;

    /// Charts of points alone, on a linear x axis.
    static bool canShow(const ChartData& chart);
    /// New points of the same series are added without a flicker; hidden series stay hidden.
    void setChart(const ChartData& chart);
    QSet<QString> hiddenSeries() const;
    void setSeriesHidden(const QString& id, bool hidden);
    void resetZoom();
    void setGreyPreview(bool on);
    int shownPointCount() const; ///< of series that are not hidden

  signals:
    void hiddenSeriesChanged();
    void pointDescribed(const QString& text);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
