// SPDX-License-Identifier: GPL-3.0-or-later
// How many copies had which size, in powers of two, one colour a direction. Arrow keys or the mouse choose a
// bar, whose figures are written below. GUI thread.
#pragma once

#include "profiling/analysis/transfers.h"

#include <QRectF>
#include <QWidget>

#include <array>
#include <cstdint>
#include <vector>

namespace heteroscope::ui {

class SizeHistogram : public QWidget {
    Q_OBJECT
  public:
    enum class Measure { Copies, Bytes };

    explicit SizeHistogram(QWidget* parent = nullptr);
    void setTransfers(const profiling::TransferBreakdown& transfers);
    void setMeasure(Measure measure);

    int barCount() const {
        return static_cast<int>(m_bars.size());
    }                                         ///< from the smallest size to the largest
    int current() const { return m_current; } ///< the bar described below; -1: none
    QString describe(int bar) const;
    QRectF barRect(int bar) const; ///< where a bar stands; empty for a size that no copy had
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    struct Sum {
        std::int64_t copies = 0, bytes = 0;
    };
    struct Bar {
        std::int64_t lowBytes = 1;
        std::array<Sum, profiling::kCopyRoutes> routes{};
    };

    double valueOf(const Sum& sum) const;
    double totalOf(const Bar& bar) const;
    QRectF plot() const;
    void choose(int bar);
    void paintScale(QPainter& painter, const QRectF& area) const;
    void paintBars(QPainter& painter, const QRectF& area) const;
    void paintSizes(QPainter& painter, const QRectF& area) const;
    void paintLegend(QPainter& painter) const;

    std::vector<Bar> m_bars;
    Measure m_measure = Measure::Copies;
    double m_top = 1; ///< value at the upper end of the plot
    int m_current = -1;
};

} // namespace heteroscope::ui
