// SPDX-License-Identifier: GPL-3.0-or-later
// The left column of mode Build: all forms of the present kind of experiment, the hint and the run button.
// GUI thread.
#pragma once

#include "ui/build/document.h"
#include "ui/build/form_item.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QWidget>

#include <vector>

namespace heteroscope::ui {

class AxesEditor;
class FormSection;
class GroupInspector;
class HintPanel;
class InputForm;
class LayerInspector;
class TargetChooser;
class FindingLine;

class BuildForm : public QWidget {
    Q_OBJECT
  public:
    explicit BuildForm(Document& document, QWidget* parent = nullptr);
    ~BuildForm() override;

    void setDevices(const Json& devices);
    void focusPointer(const QString& pointer);
    /// An item outside the form (the picture); it outlives the form's use of it.
    void addItem(FormItem* item);

    /// The layer whose values are edited, of a network; -1: its input, -2: none.
    void showLayer(int layer);
    void showGroup(int group); ///< a group of layers instead
    void editLayer();          ///< puts the keyboard on its first value

  signals:
    void runRequested();
    void layerRequested(int layer); ///< a finding leads to it
    void implementationsRequested();

  private:
    void buildHeader();
    void buildFooter();
    void buildSections();
    void refresh();
    void showFindings();
    void changeKind(const std::string& kind);
    void followFocus(QWidget* now);
    FormItem* itemFor(const QString& pointer) const;
    std::string kind() const;
    QString runText() const;

    Document& m_document;
    std::string m_kind;
    Json m_devices;
    QVBoxLayout* m_column;
    QScrollArea* m_scroll;
    QWidget* m_sections = nullptr;
    QLineEdit* m_name;
    QComboBox* m_kindBox;
    HintPanel* m_hint;
    QPushButton* m_run;
    QPushButton* m_problem;
    FindingLine* m_rest;
    InputForm* m_input = nullptr;
    LayerInspector* m_layer = nullptr;
    GroupInspector* m_group = nullptr;
    TargetChooser* m_targets = nullptr;
    AxesEditor* m_axes = nullptr;
    std::vector<FormSection*> m_groups;
    std::vector<FormItem*> m_items, m_foreignItems;
};

} // namespace heteroscope::ui
