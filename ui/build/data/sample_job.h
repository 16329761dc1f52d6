// SPDX-License-Identifier: GPL-3.0-or-later
// Reads an experiment's dataset on another thread. GUI thread.
#pragma once

#include "compute/data/dataset.h"

#include <QObject>
#include <QString>

#include <memory>

namespace heteroscope::ui {

using SharedDataset = std::shared_ptr<const compute::Dataset>;

/// The newest question wins: the answer of an older one is thrown away.
class SampleJob : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Answers by `ready` or `failed`, from the event loop. Sets that are drawn are drawn in part.
    void start(const compute::ExperimentSpec& spec);
    bool isBusy() const { return m_busy; }

    /// Of a set that is drawn.
    static constexpr std::int64_t kMostDrawn = 300;

  signals:
    void ready(const heteroscope::ui::SharedDataset& dataset);
    void failed(const QString& reason);

  private:
    std::uint64_t m_question = 0;
    bool m_busy = false;
};

} // namespace heteroscope::ui
