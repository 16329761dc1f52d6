// SPDX-License-Identifier: GPL-3.0-or-later
// Which implementation computes each operation of the edited experiment on each of its targets, what else
// could, and why it is not taken; another one can be asked for. Follows the experiment while it is shown. GUI
// thread.
#pragma once

#include "ui/build/document.h"
#include "ui/main_window/implementations_query.h"

#include <QDialog>
#include <QTimer>

#include <functional>
#include <string>
#include <vector>

class QComboBox;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace heteroscope::ui {

class ImplementationsDialog : public QDialog {
    Q_OBJECT
  public:
    /// `directory`: where relative paths of the experiment begin; may give nothing.
    ImplementationsDialog(Document& document, std::function<QString()> directory, QWidget* parent = nullptr);
    ImplementationsQuery& query() { return m_query; }
    /// The rows as text, columns separated by tabs.
    QString text() const;

  signals:
    void settled(); ///< what is shown belongs to the experiment as it is

  private:
    void ask();
    void showReport(const Json& report);
    void showNothing();
    void sayNote(const QString& text, bool isError);
    void showPoint();
    void fitColumns();
    /// An operation and its record in the report for each target; nullptr where the target is not available
    /// or computes it as part of another.
    struct Operation {
        std::string key;
        std::vector<const Json*> records;
    };
    std::vector<Operation> operations() const;
    void addOperation(const Operation& operation);
    void choose(QTreeWidgetItem* item, int column);
    int firstTargetColumn() const { return m_isNetwork ? 3 : 1; }

    Document& m_document;
    std::function<QString()> m_directory;
    ImplementationsQuery m_query;
    QTimer m_wait; ///< for the end of an edit
    Json m_report;
    bool m_isNetwork = false;
    QComboBox* m_points;
    QLabel* m_note;
    QTreeWidget* m_rows;
};

} // namespace heteroscope::ui
