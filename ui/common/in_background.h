// SPDX-License-Identifier: GPL-3.0-or-later
// Work that would make the window wait: done on another thread, with its answer back on the GUI thread.
#pragma once

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace heteroscope::ui {

/// `work` runs on a thread of the pool; `done` takes what it returns on the GUI thread, from the event loop
/// and only while `owner` is there. Call on the GUI thread.
template <class Work, class Done>
void inBackground(QObject* owner, Work work, Done done) {
    QThreadPool::globalInstance()->start(
        [self = QPointer<QObject>(owner), work = std::move(work), done = std::move(done)]() mutable {
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [self, answer = work(), done = std::move(done)]() mutable {
                    if (self)
                        done(std::move(answer));
                },
                Qt::QueuedConnection);
        });
}

} // namespace heteroscope::ui
