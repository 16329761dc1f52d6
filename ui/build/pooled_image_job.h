// SPDX-License-Identifier: GPL-3.0-or-later
// The pooled picture of an image, made on another thread when it takes long. GUI thread.
#pragma once

#include "ui/build/pooling_preview.h"

#include <QImage>
#include <QObject>

#include <atomic>
#include <memory>

namespace heteroscope::ui {

/// The newest question wins: an older one that is still being worked on is given up and never answered.
class PooledImageJob : public QObject {
    Q_OBJECT
  public:
    explicit PooledImageJob(QObject* parent = nullptr);
    ~PooledImageJob() override;

    /// Answers by `ready`: at once when the work is small, else from the event loop.
    void start(const QImage& image, const compute::PoolParams& params, const compute::Shape4& dst);
    void cancel();
    bool isBusy() const { return m_cancel != nullptr; }

    /// Pixels read at most on the GUI thread.
    static constexpr double kMostPixelsAtOnce = 1 << 20;

  signals:
    void ready(const QImage& pooled);

  private:
    std::shared_ptr<std::atomic<bool>> m_cancel; ///< of the work on its way
};

} // namespace heteroscope::ui
