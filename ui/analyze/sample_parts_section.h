// SPDX-License-Identifier: GPL-3.0-or-later
// Where the wall time of the traced samples of runs on processors went. GUI thread.
#pragma once

#include "profiling/analysis/sample_parts.h"

#include <QWidget>

#include <vector>

class QLabel;
class QTreeWidget;

namespace heteroscope::ui {

class SamplePartsSection : public QWidget {
    Q_OBJECT
  public:
    explicit SamplePartsSection(QWidget* parent = nullptr);
    void setParts(const std::vector<profiling::SampleParts>& parts); ///< hidden while there are none

  private:
    QTreeWidget* m_table;
    QLabel* m_meaning;
};

} // namespace heteroscope::ui
