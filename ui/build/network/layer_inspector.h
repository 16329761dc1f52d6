// SPDX-License-Identifier: GPL-3.0-or-later
// The form of the selected layer: its name, what it reads and the parameters of its type. GUI thread.
#pragma once

#include "ui/build/form_field.h"
#include "ui/build/form_section.h"

#include <QVBoxLayout>

#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QLineEdit;

namespace heteroscope::ui {

class LayerInspector : public FormSection, public FormItem {
    Q_OBJECT
  public:
    explicit LayerInspector(Document& document, QWidget* parent = nullptr);

    void showLayer(int layer); ///< -1: the input; -2: nothing
    void refresh();

    QString pointer() const override { return QStringLiteral("/network/layers"); }
    void showFindings(const Findings& findings) override;
    void focusOn(const QString& pointer) override;
    /// The first field of the layer.
    void focusFirst();

  signals:
    void layerRequested(int layer); ///< a finding leads to it

  private:
    void rebuild();
    void addName();
    void addInputs(const std::vector<std::string>& inputs, std::size_t most);
    void addParameters();
    void clearRows();
    QWidget* addRow(const QString& label, QWidget* widget);
    void changeInputs(const std::vector<std::string>& inputs, const QString& label);
    std::string typeId() const;
    std::string place() const; ///< the layer's pointer
    std::string signature() const;

    Document& m_document;
    int m_layer = -2;
    std::string m_signature;
    QVBoxLayout* m_rows;
    QLineEdit* m_name = nullptr;
    std::vector<QComboBox*> m_inputs;
    std::vector<FormField*> m_fields;
    FindingLine* m_finding;
    Findings m_shown;
};

} // namespace heteroscope::ui
