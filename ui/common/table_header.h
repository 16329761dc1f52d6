// SPDX-License-Identifier: GPL-3.0-or-later
// Column titles that stand exactly over their cells, with a sort arrow that can be seen. GUI thread.
#pragma once

#include <QHeaderView>

namespace heteroscope::ui {

/// For tables whose cells the theme's style sheet pads: titles keep the distance from the edge that the cells
/// keep, on either side. The arrow stands on the inner side of the title and takes no place from it.
class TableHeader : public QHeaderView {
    Q_OBJECT
  public:
    explicit TableHeader(QWidget* parent = nullptr);

    static constexpr int kCellMargin = 11; ///< from a column's edge to the text of a cell

  protected:
    void paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const override;
    QSize sectionSizeFromContents(int logicalIndex) const override;

  private:
    bool isSorted(int logicalIndex) const;
    QString title(int logicalIndex) const;
    QFont titleFont() const;
};

} // namespace heteroscope::ui
