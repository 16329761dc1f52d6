// SPDX-License-Identifier: GPL-3.0-or-later
// Examples with what a network predicted for them, wrong ones first; all that were recorded, or those of one
// cell of the confusion matrix. Those that are pictures are shown as such, the chosen one large beside the
// list. GUI thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/training_events.h"

#include <QTimer>
#include <QWidget>

#include <optional>
#include <utility>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace heteroscope::ui {

class ExampleCard;
class ExamplePictures;

class PredictionList : public QWidget {
    Q_OBJECT
  public:
    explicit PredictionList(QWidget* parent = nullptr);
    /// `experiment` is that of the run, `directory` the folder that its paths are relative to, if it is
    /// known.
    void setEvaluation(const TrainingEvaluation& evaluation, const Json& experiment,
                       const std::string& directory);
    /// Those of one cell alone.
    void showCell(int actual, int predicted);
    void showAll();

    static constexpr int kPicture = 40; ///< a side in the list, device-independent pixels

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void buildLayout();
    bool isShown(const TrainingEvaluation& evaluation) const;
    void fill();
    void addRow(std::size_t index);
    void fitColumns();
    void choose(std::int64_t example);
    void showPictures();
    void askForPictures();
    void showChosen();
    QString whatIsListed(int shown) const;
    const PredictionSample& sampleOf(const QTreeWidgetItem* row) const;
    QString className(std::int64_t index) const;
    QString partName() const;

    QStringList m_shownClasses;               ///< in the window's language
    TrainingEvaluation m_evaluation;          ///< names, counts and samples only
    std::vector<PredictionSample> m_received; ///< in the order that they came in
    std::optional<std::pair<int, int>> m_cell;
    ExamplePictures* m_pictures;
    QTimer m_asking; ///< scrolling goes past many rows that nobody looks at
    QLabel* m_what;
    QLabel* m_problem;
    QPushButton* m_all;
    QTreeWidget* m_list;
    ExampleCard* m_card;
};

} // namespace heteroscope::ui
