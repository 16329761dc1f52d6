// SPDX-License-Identifier: GPL-3.0-or-later
// Editor of "a number or [h, w]" and "a number, [h, w] or [top, bottom, left, right]". GUI thread.
#pragma once

#include "ui/build/value_editors.h"

#include <QComboBox>
#include <QLabel>

#include <array>

namespace heteroscope::ui {

class SoftSpinBox;

class ExtentEditor : public ValueEditor {
    Q_OBJECT
  public:
    enum class Shape { Extent, Padding };
    ExtentEditor(const compute::Parameter& parameter, Shape shape, QWidget* parent);

    Json value() const override;
    void setValue(const Json& value) override;
    QWidget* focusTarget() const override;
    void setNames(const QString& accessibleName, const QString& toolTip) override;

  private:
    void showCount(int count);
    void changeCount(int count);

    std::array<SoftSpinBox*, 4> m_spins{};
    std::array<QLabel*, 4> m_captions{};
    QComboBox* m_link;
    bool m_optional; ///< may be left out: its first number then reads "automatic"
    int m_count = 1; ///< numbers shown: 1, 2 or 4
};

} // namespace heteroscope::ui
