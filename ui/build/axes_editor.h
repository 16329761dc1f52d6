// SPDX-License-Identifier: GPL-3.0-or-later
// The sweep: which parameters take which values, and how many runs that makes. GUI thread.
#pragma once

#include "ui/build/form_field.h"
#include "ui/build/form_section.h"

#include <QComboBox>
#include <QLineEdit>
#include <QVBoxLayout>

#include <vector>

namespace heteroscope::ui {

class AxesEditor : public FormSection, public FormItem {
    Q_OBJECT
  public:
    explicit AxesEditor(Document& document, QWidget* parent = nullptr);

    void refresh();
    /// "11 values of Size × 3 targets = 33 runs".
    QString summary() const;
    double runCount() const;

    QString pointer() const override { return QStringLiteral("/axes"); }
    void showFindings(const Findings& findings) override;
    void focusOn(const QString& pointer) override;

  private:
    struct Row {
        std::string axis;
        QWidget* frame;
        QComboBox* parameter;
        QLineEdit* values;
        QLabel* preview;
        FindingLine* finding;
    };

    void rebuild();
    void addRow(const std::string& axis);
    void fillParameters(QComboBox* combo, const std::string& axis) const;
    void showValues(Row& row);
    void addAxis();
    void renameAxis(const std::string& from, const std::string& to);
    void editValues(const Row& row, const QString& text);
    std::vector<std::string> presentAxes() const;
    std::vector<Json> suggestion(const std::string& axis) const;

    Document& m_document;
    std::vector<Row> m_rows;
    QVBoxLayout* m_list;
    QLabel* m_summary;
    FindingLine* m_finding;
    Findings m_shown;
};

/// "Size" for "/pooling/input/size"; the pointer itself when no parameter lies there.
QString parameterLabel(const Json& document, const std::string& pointer);

} // namespace heteroscope::ui
