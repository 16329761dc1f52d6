// SPDX-License-Identifier: GPL-3.0-or-later
// One task of the thread pool at a time counts.
#include "ui/build/pooled_image_job.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace heteroscope::ui {

PooledImageJob::PooledImageJob(QObject* parent) : QObject(parent) {}

PooledImageJob::~PooledImageJob() {
    cancel();
}

void PooledImageJob::cancel() {
    if (m_cancel)
        m_cancel->store(true);
    m_cancel.reset();
}

void PooledImageJob::start(const QImage& image, const compute::PoolParams& params,
                           const compute::Shape4& dst) {
    cancel();
    const double pixels = double(dst.h) * double(dst.w) * double(params.kernel.h) * double(params.kernel.w);
    if (pixels <= kMostPixelsAtOnce) {
        emit ready(pooledImage(image, params, dst));
        return;
    }
    m_cancel = std::make_shared<std::atomic<bool>>(false);
    QThreadPool::globalInstance()->start([self = QPointer(this), cancelled = m_cancel, image, params, dst] {
        QImage pooled = pooledImage(image, params, dst, cancelled.get());
        QMetaObject::invokeMethod(
            qApp,
            [self, cancelled, pooled = std::move(pooled)] {
                if (!self || self->m_cancel != cancelled)
                    return; // a newer question took its place
                self->m_cancel.reset();
                emit self->ready(pooled);
            },
            Qt::QueuedConnection);
    });
}

} // namespace heteroscope::ui

#include "moc_pooled_image_job.cpp"
