// SPDX-License-Identifier: GPL-3.0-or-later
// The small live timeline of mode Run: same painter, no panels. GUI thread.
#pragma once

#include "profiling/trace/trace.h"

#include <QWidget>

#include <memory>

namespace heteroscope::ui {

class MiniTimeline : public QWidget {
    Q_OBJECT
  public:
    explicit MiniTimeline(QWidget* parent = nullptr);
    ~MiniTimeline() override;
    void setTrace(std::shared_ptr<const profiling::Trace> trace);
    void traceGrew();

  signals:
    void rangeActivated(qint64 startNs, qint64 endNs); ///< double click: open it in mode Timeline

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::ui
