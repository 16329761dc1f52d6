// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/data/sample_job.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>

namespace heteroscope::ui {

void SampleJob::start(const compute::ExperimentSpec& spec) {
    compute::NetworkExperiment experiment = spec.network;
    experiment.task = compute::Task::Train;
    experiment.training.batch = 1; // few examples are enough to look at
    experiment.data.count = std::min(experiment.data.count, kMostDrawn);
    if (experiment.data.isDrawn())
        experiment.data.testCount = 0;
    m_busy = true;
    QThreadPool::globalInstance()->start([self = QPointer(this), question = ++m_question,
                                          experiment = std::move(experiment), folder = spec.directory] {
        auto dataset = compute::loadDataset(experiment, folder);
        const QString reason = dataset ? QString() : QString::fromStdString(dataset.error().sentence());
        SharedDataset shared =
            dataset ? std::make_shared<const compute::Dataset>(std::move(*dataset)) : nullptr;
        QMetaObject::invokeMethod(
            qApp,
            [self, question, reason, shared = std::move(shared)] {
                if (!self || self->m_question != question)
                    return; // a newer question took its place
                self->m_busy = false;
                if (shared)
                    emit self->ready(shared);
                else
                    emit self->failed(reason);
            },
            Qt::QueuedConnection);
    });
}

} // namespace heteroscope::ui
