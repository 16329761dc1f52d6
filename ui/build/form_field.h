// SPDX-License-Identifier: GPL-3.0-or-later
// One labelled parameter of the experiment, with its message and, where obvious, its cure. GUI thread.
#pragma once

#include "compute/model/parameter_schema.h"
#include "ui/build/document.h"
#include "ui/build/form_item.h"
#include "ui/build/value_editors.h"

#include <QLabel>
#include <QPushButton>
#include <QWidget>

namespace heteroscope::ui {

/// Message and cure under a field. Hidden while there is nothing to say.
class FindingLine : public QWidget {
    Q_OBJECT
  public:
    explicit FindingLine(QWidget* parent = nullptr);
    void showFindings(const Findings& findings);
    void offerFix(const QString& text); ///< empty: none
    QString text() const;

  signals:
    void fixRequested();

  private:
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_fix;
};

class FormField : public QWidget, public FormItem {
    Q_OBJECT
  public:
    /// `pointer` is the value's place; the document outlives the field.
    FormField(Document& document, const QString& pointer, const compute::Parameter& parameter,
              ValueEditor* editor, QWidget* parent = nullptr);

    QString pointer() const override { return m_pointer; }
    void showFindings(const Findings& findings) override;
    void focusOn(const QString& pointer) override;

    const compute::Parameter& parameter() const { return m_parameter; }
    ValueEditor* editor() const { return m_editor; }
    QString message() const { return m_finding->text(); }
    Hint hint() const;
    /// Shows the document's value, the default where there is none.
    void refresh();
    /// Whether the parameter has any effect on the present document.
    bool isActive() const;

    static constexpr int kLabelWidth = 112;

  private:
    void commit(const Json& value);
    std::optional<Json> fixFor(const Findings& findings) const;
    QString label() const;
    QString sweepPreview() const; ///< empty when no axis varies this value

    Document& m_document;
    QString m_pointer;
    compute::Parameter m_parameter;
    ValueEditor* m_editor;
    QLabel* m_swept;
    FindingLine* m_finding;
    std::optional<Json> m_fix;
};

} // namespace heteroscope::ui
