// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a study as the run file that the command line would have written.
#pragma once

#include "profiling/stream/stream_writer.h"

#include <QString>
#include <QtTest>

#include <memory>
#include <vector>

namespace heteroscope::ui::test {

inline void writeRunFile(const QString& path, const profiling::Study& study) {
    auto sink = profiling::openFileSink(path.toStdString());
    QVERIFY(sink.ok());
    std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
    sinks.push_back(std::move(*sink));
    profiling::StreamWriter writer(std::move(sinks));
    QVERIFY(writer.begin(study).ok());
    QVERIFY(writer.environment(study.environment).ok());
    QVERIFY(writer.experiment(study.experiment).ok());
    for (const profiling::StudyRun& run : study.runs) {
        QVERIFY(writer.run(run).ok());
        for (const profiling::StudySample& sample : run.samples)
            QVERIFY(writer.sample(sample).ok());
        QVERIFY(writer.runEnd(run).ok());
    }
    QVERIFY(writer.end("done", {}).ok());
}

} // namespace heteroscope::ui::test
