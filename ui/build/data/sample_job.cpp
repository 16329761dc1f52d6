// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/data/sample_job.h"

#include "ui/common/format.h"
#include "ui/common/in_background.h"

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
    inBackground(
        this,
        [experiment = std::move(experiment), folder = spec.directory] {
            return compute::loadDataset(experiment, folder);
        },
        [this, question = ++m_question](Result<compute::Dataset> dataset) {
            if (m_question != question)
                return; // a newer question took its place
            m_busy = false;
            if (dataset)
                emit ready(std::make_shared<const compute::Dataset>(std::move(*dataset)));
            else
                emit failed(fromStd(dataset.error().sentence()));
        });
}

} // namespace heteroscope::ui

#include "moc_sample_job.cpp"
