// SPDX-License-Identifier: GPL-3.0-or-later
// Examples with what a network predicted for them, wrong ones first; all that were recorded, or those of one
// cell of the confusion matrix. GUI thread.
#pragma once

#include "compute/base/training_events.h"

#include <QWidget>

#include <optional>
#include <utility>

class QLabel;
class QPushButton;
class QTreeWidget;

namespace heteroscope::ui {

class PredictionList : public QWidget {
    Q_OBJECT
  public:
    explicit PredictionList(QWidget* parent = nullptr);
    void setEvaluation(const TrainingEvaluation& evaluation);
    /// Those of one cell alone.
    void showCell(int actual, int predicted);
    void showAll();

  private:
    void fill();
    QString className(std::int64_t index) const;

    TrainingEvaluation m_evaluation; ///< names and samples only
    std::optional<std::pair<int, int>> m_cell;
    QLabel* m_what;
    QPushButton* m_all;
    QTreeWidget* m_list;
};

} // namespace heteroscope::ui
