// SPDX-License-Identifier: GPL-3.0-or-later
// Samples beside what transforms and filters make of them: rows of small pictures with a caption. GUI thread.
#pragma once

#include "compute/data/dataset.h"

#include <QImage>
#include <QWidget>

#include <vector>

namespace heteroscope::ui {

struct SampleCell {
    QString caption;
    std::vector<QImage> pictures; ///< in the order of SampleGrid::pictureNames()
};

/// What the grid shows of a training example: as it is, transformed as in the first epoch, its gradient, the
/// largest of each 2 x 2 pixels.
SampleCell sampleCell(const compute::Dataset& dataset, std::int64_t example);

class SampleGrid : public QWidget {
    Q_OBJECT
  public:
    explicit SampleGrid(QWidget* parent = nullptr);
    void setCells(std::vector<SampleCell> cells);
    const std::vector<SampleCell>& cells() const { return m_cells; }
    static QStringList pictureNames();
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    int columns(int width) const;

    std::vector<SampleCell> m_cells;
};

} // namespace heteroscope::ui
