// SPDX-License-Identifier: GPL-3.0-or-later
// Asks `heteroscope-cli devices --json` what this machine can compute on, without blocking. GUI thread.
#pragma once

#include "ui/run/json_query.h"

#include <QObject>
#include <QString>

namespace heteroscope::ui {

class DevicesQuery : public QObject {
    Q_OBJECT
  public:
    explicit DevicesQuery(QObject* parent = nullptr);
    void setProgram(const QString& path);
    void start(); ///< a query under way is left to finish

  signals:
    void arrived(const heteroscope::Json& devices);
    void failed(const QString& sentence);

  private:
    JsonQuery m_query;
};

} // namespace heteroscope::ui
