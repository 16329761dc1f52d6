// SPDX-License-Identifier: GPL-3.0-or-later
// A number, or several with commas, one a channel; empty means "not given". GUI thread.
#pragma once

#include "ui/build/value_editors.h"

#include <QLineEdit>

namespace heteroscope::ui {

class NumbersEditor : public ValueEditor {
    Q_OBJECT
  public:
    explicit NumbersEditor(QWidget* parent = nullptr);
    /// The text itself where it is no list of numbers, so that the check can say so.
    Json value() const override;
    void setValue(const Json& value) override;
    QWidget* focusTarget() const override { return m_edit; }

  private:
    QLineEdit* m_edit;
};

} // namespace heteroscope::ui
