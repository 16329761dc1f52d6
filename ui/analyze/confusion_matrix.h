// SPDX-License-Identifier: GPL-3.0-or-later
// How often each class was taken for which: rows are the true classes, columns what was predicted. A cell is
// chosen by click or Enter. GUI thread.
#pragma once

#include "compute/base/training_events.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <QWidget>

class QCheckBox;
class QTableView;

namespace heteroscope::ui {

class ConfusionModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    static constexpr int kShareRole = Qt::UserRole + 1; ///< of the row's examples, 0 to 1

    using QAbstractTableModel::QAbstractTableModel;
    void setCounts(const std::vector<std::string>& classes, const std::vector<std::int64_t>& counts);
    void setPercent(bool percent);
    std::int64_t count(int actual, int predicted) const;
    std::int64_t rowSum(int actual) const { return m_sums[static_cast<std::size_t>(actual)]; }
    QByteArray toCsv() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QString describe(int actual, int predicted) const;

    QStringList m_classes, m_shown; ///< as they are recorded; in the window's language
    std::vector<std::int64_t> m_counts, m_sums;
    bool m_percent = false;
};

/// Fills a cell by its share.
class ConfusionDelegate : public QStyledItemDelegate {
    Q_OBJECT
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
};

class ConfusionMatrix : public QWidget {
    Q_OBJECT
  public:
    explicit ConfusionMatrix(QWidget* parent = nullptr);
    /// Classes without counts, or none, leave it empty.
    void setEvaluation(const TrainingEvaluation& evaluation);
    const ConfusionModel& model() const { return *m_model; }

  signals:
    void cellChosen(int actual, int predicted);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void fit();

    QTableView* m_table;
    ConfusionModel* m_model;
    QCheckBox* m_percent;
};

} // namespace heteroscope::ui
