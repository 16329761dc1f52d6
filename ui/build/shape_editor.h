// SPDX-License-Identifier: GPL-3.0-or-later
// Editor of "[channels, height, width] or [features]". GUI thread.
#pragma once

#include "ui/build/value_editors.h"

#include <QComboBox>
#include <QLabel>

#include <array>

namespace heteroscope::ui {

class SoftSpinBox;

class ShapeEditor : public ValueEditor {
    Q_OBJECT
  public:
    explicit ShapeEditor(const compute::Parameter& parameter, QWidget* parent);

    Json value() const override;
    void setValue(const Json& value) override;
    QWidget* focusTarget() const override;
    void setNames(const QString& accessibleName, const QString& toolTip) override;

  private:
    void showSizes(std::size_t count);
    void changeKind();

    std::array<SoftSpinBox*, 3> m_spins{};
    std::array<QLabel*, 3> m_captions{};
    QComboBox* m_kind;
    std::size_t m_count = 3; ///< sizes shown: 1 or 3
};

} // namespace heteroscope::ui
