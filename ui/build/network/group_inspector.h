// SPDX-License-Identifier: GPL-3.0-or-later
// The form of the selected group of layers: its name, what it holds, and whether it is one box. GUI thread.
#pragma once

#include "ui/build/document.h"
#include "ui/build/form_section.h"

class QCheckBox;
class QLabel;
class QLineEdit;

namespace heteroscope::ui {

class GroupInspector : public FormSection {
    Q_OBJECT
  public:
    explicit GroupInspector(Document& document, QWidget* parent = nullptr);

    void showGroup(int group); ///< among compute::readLayerGroups; -1: none
    void refresh();
    void focusName();

  private:
    Document& m_document;
    int m_group = -1;
    QLineEdit* m_name;
    QLabel* m_layers;
    QCheckBox* m_collapsed;
};

} // namespace heteroscope::ui
