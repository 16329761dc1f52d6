// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the results of the open studies away from the GUI thread, at most ten times a second and never
// twice at once; the newest request wins. GUI thread.
#pragma once

#include "ui/charts/chart_input.h"

#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::ui {

class StudyAnalyzer : public QObject {
    Q_OBJECT
  public:
    static constexpr int kIntervalMs = 100;

    explicit StudyAnalyzer(QObject* parent = nullptr);

    /// Where to take the studies from when their turn comes; called on the GUI thread.
    void setSource(std::function<std::vector<profiling::Study>()> source);
    void setReference(const std::string& target);
    std::string reference() const { return m_reference; }
    /// Something changed: results follow soon.
    void refresh();
    bool busy() const { return m_running || m_timer.isActive(); }

  signals:
    void ready(const heteroscope::ui::ChartInput& input); ///< options are left empty

  private:
    void start();
    void finish(const ChartInput& input);

    std::function<std::vector<profiling::Study>()> m_source;
    std::string m_reference;
    QTimer m_timer;
    bool m_running = false, m_again = false;
};

} // namespace heteroscope::ui
