// SPDX-License-Identifier: GPL-3.0-or-later
// A file path with a button that asks for one. GUI thread.
#pragma once

#include "ui/build/value_editors.h"

#include <QLineEdit>
#include <QPushButton>

namespace heteroscope::ui {

class PathEditor : public ValueEditor {
    Q_OBJECT
  public:
    explicit PathEditor(QWidget* parent = nullptr);
    Json value() const override;
    void setValue(const Json& value) override;
    QWidget* focusTarget() const override { return m_edit; }

  signals:
    void browseRequested();

  private:
    QLineEdit* m_edit;
    QPushButton* m_browse;
};

} // namespace heteroscope::ui
