// SPDX-License-Identifier: GPL-3.0-or-later
// Something in the form that stands for a part of the experiment: it takes that part's findings and the
// keyboard. GUI thread.
#pragma once

#include "compute/experiment/spec/spec_json.h"

#include <QString>

#include <vector>

namespace heteroscope::ui {

using Findings = std::vector<compute::Diagnostic>;

class FormItem {
  public:
    virtual ~FormItem() = default;

    /// The part of the experiment this item edits; findings at or below it belong here.
    virtual QString pointer() const = 0;
    virtual void showFindings(const Findings& findings) = 0;
    /// Puts the keyboard where `pointer` (at or below pointer()) is edited.
    virtual void focusOn(const QString& pointer) = 0;
};

/// What is shown of a focused item.
struct Hint {
    QString title, range, text;
};

} // namespace heteroscope::ui
