// SPDX-License-Identifier: GPL-3.0-or-later
// What the shown study was: machine, program, experiment, data quality. GUI thread.
#pragma once

#include "ui/models/study_session.h"

#include <QTreeWidget>

#include <memory>

namespace heteroscope::ui {

class InspectorPanel : public QTreeWidget {
    Q_OBJECT
  public:
    explicit InspectorPanel(QWidget* parent = nullptr);
    void setSession(std::shared_ptr<StudySession> session);

  private:
    void fill();

    std::shared_ptr<StudySession> m_session;
};

} // namespace heteroscope::ui
