// SPDX-License-Identifier: GPL-3.0-or-later
// Has `heteroscope-cli devices --measure --json` measure the peaks of this machine's processors, without
// blocking. GUI thread.
#pragma once

#include "compute/base/json.h"

#include <QObject>
#include <QString>

#include <memory>

namespace heteroscope::ui {

class PeaksMeasurement : public QObject {
    Q_OBJECT
  public:
    explicit PeaksMeasurement(QObject* parent = nullptr);
    ~PeaksMeasurement() override; ///< ends the child
    void setProgram(const QString& path);
    void start(); ///< nothing happens while one runs
    void cancel();
    bool isRunning() const;

  signals:
    /// Before each step: its number from 1 on, of how many.
    void stepped(int step, int steps);
    /// What this machine can compute on, with the peaks, as DevicesQuery gives it.
    void measured(const heteroscope::Json& devices);
    void failed(const QString& sentence);
    void cancelled();

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
