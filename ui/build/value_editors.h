// SPDX-License-Identifier: GPL-3.0-or-later
// Editors of one JSON value, made from its parameter's description. GUI thread.
#pragma once

#include "compute/model/parameter_schema.h"

#include <QWidget>

namespace heteroscope::ui {

/// Edits one value. setValue() never signals; edited() comes from the person only. A null value means "not
/// given".
class ValueEditor : public QWidget {
    Q_OBJECT
  public:
    using QWidget::QWidget;
    virtual Json value() const = 0;
    virtual void setValue(const Json& value) = 0;
    virtual QWidget* focusTarget() const = 0;
    virtual void setNames(const QString& accessibleName, const QString& toolTip);

  signals:
    void edited(const heteroscope::Json& value);
};

/// The editor for a parameter's type; null for types that are not edited in a form (Matrix,
/// Layers).
ValueEditor* makeValueEditor(const compute::Parameter& parameter, QWidget* parent);

/// How a JSON choice is called on screen, e.g. "negative_infinity" -> "Minus infinity".
QString choiceLabel(const std::string& key, const std::string& choice);

/// Short text of a value for undo steps and previews.
QString valueText(const Json& value);

} // namespace heteroscope::ui
