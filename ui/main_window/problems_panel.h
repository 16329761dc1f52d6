// SPDX-License-Identifier: GPL-3.0-or-later
// The findings about the edited experiment as a list; a click leads to the field. GUI thread.
#pragma once

#include "compute/experiment/spec/spec_json.h"

#include <QTreeWidget>

#include <vector>

namespace heteroscope::ui {

class ProblemsPanel : public QTreeWidget {
    Q_OBJECT
  public:
    explicit ProblemsPanel(QWidget* parent = nullptr);
    void setDiagnostics(const std::vector<compute::Diagnostic>& diagnostics);

  signals:
    void pointerActivated(const QString& pointer);
};

} // namespace heteroscope::ui
