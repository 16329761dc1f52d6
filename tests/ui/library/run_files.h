// SPDX-License-Identifier: GPL-3.0-or-later
// Run files for the library's tests.
#pragma once

#include "profiling/stream/stream_writer.h"

#include <QString>

#include <memory>
#include <vector>

namespace heteroscope::ui {

/// A study of that name on two targets, ten samples each; openmp takes `openmpMs`, sequential 8 ms.
inline void writeRun(const QString& path, const char* name, double openmpMs, const char* end = "done",
                     const char* startedUtc = "2026-11-21T02:36:22Z") {
    std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
    sinks.push_back(std::move(*profiling::openFileSink(path.toStdString())));
    profiling::StreamWriter writer(std::move(sinks));
    profiling::Study header;
    header.id = name;
    header.startedUtc = startedUtc;
    (void)writer.begin(header);
    (void)writer.experiment({{"name", name}, {"kind", "pooling"}});
    const char* targets[] = {"cpu/sequential", "cpu/openmp"};
    for (int index = 0; index < 2; ++index) {
        profiling::StudyRun run;
        run.run = index;
        run.target = targets[index];
        (void)writer.run(run);
        for (int i = 0; i < 10; ++i) {
            profiling::StudySample sample;
            sample.run = index;
            sample.sample = i;
            sample.wallMs = (index == 0 ? 8.0 : openmpMs) + 0.001 * i;
            (void)writer.sample(sample);
        }
        run.status = profiling::StudyRunStatus::Ok;
        (void)writer.runEnd(run);
    }
    (void)writer.end(end, "");
    (void)writer.flush();
}

} // namespace heteroscope::ui
