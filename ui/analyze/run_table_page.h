// SPDX-License-Identifier: GPL-3.0-or-later
// The table of all runs with filter and exports. GUI thread.
#pragma once

#include "ui/charts/chart_input.h"

#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;
class QTableView;

namespace heteroscope::ui {

class RunTableModel;
class RunFilterModel;

class RunTablePage : public QWidget {
    Q_OBJECT
  public:
    explicit RunTablePage(QWidget* parent = nullptr);
    void setInput(const ChartInput& input);
    QByteArray toCsv() const;   ///< rows as shown
    QByteArray toLatex() const; ///< rows as shown, columns for print

  signals:
    void exportRequested(const QByteArray& bytes, const QString& suffix);
    void statusMessage(const QString& text);

  private:
    void copy();
    void updateCount();

    QLineEdit* m_filter;
    QTableView* m_view;
    QLabel* m_count;
    RunTableModel* m_model;
    RunFilterModel* m_rows;
    QString m_caption;
};

} // namespace heteroscope::ui
