// SPDX-License-Identifier: GPL-3.0-or-later
// The list of transforms of a dataset: each with its values, moved and removed by buttons, one more from a
// menu. GUI thread.
#pragma once

#include "ui/build/value_editors.h"

class QToolButton;
class QVBoxLayout;

namespace heteroscope::ui {

class TransformsEditor : public ValueEditor {
    Q_OBJECT
  public:
    explicit TransformsEditor(QWidget* parent = nullptr);
    Json value() const override { return m_list; }
    void setValue(const Json& value) override;
    QWidget* focusTarget() const override;

  private:
    void rebuild();
    QWidget* makeRow(std::size_t index);
    void addTransform(const std::string& type);
    void move(std::size_t index, int by);
    void change(const Json& list, bool newRows);

    Json m_list = Json::array();
    QVBoxLayout* m_rows;
    QToolButton* m_add;
};

} // namespace heteroscope::ui
