// SPDX-License-Identifier: GPL-3.0-or-later
// The table of runs: which run each one is measured against.
#include "profiling/stream/stream_writer.h"
#include "tests/ui/program/ui_test.h"
#include "ui/run/runs_model.h"

#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

struct Made {
    const char* target;
    Json size;
    double ms;
    double waitedMs = 0; ///< of 100
};

void write(const QString& path, const std::vector<Made>& all) {
    std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
    sinks.push_back(std::move(*profiling::openFileSink(path.toStdString())));
    profiling::StreamWriter writer(std::move(sinks));
    profiling::Study header;
    header.id = "made";
    QVERIFY(writer.begin(header).ok());
    for (std::size_t i = 0; i < all.size(); ++i) {
        profiling::StudyRun run;
        run.run = int(i);
        run.target = all[i].target;
        run.point = {{"/pooling/input/size", all[i].size}};
        QVERIFY(writer.run(run).ok());
        profiling::StudySample sample;
        sample.run = run.run;
        sample.wallMs = all[i].ms;
        sample.disturbance = Disturbance{};
        sample.disturbance->spanMs = 100;
        sample.disturbance->waitedMs = all[i].waitedMs;
        QVERIFY(writer.sample(sample).ok());
        run.status = profiling::StudyRunStatus::Ok;
        QVERIFY(writer.runEnd(run).ok());
    }
    QVERIFY(writer.end("done", "").ok());
}

} // namespace

class RunsModelTest : public QObject {
    Q_OBJECT
  private slots:
    /// As the comparison of the command line does it.
    void runsOfAPointThatOccursTwiceAreMatchedByTheirOrder() {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.hscope");
        write(path, {{"cpu/sequential", 64, 8},
                     {"cpu/openmp", 64, 4},
                     {"cpu/sequential", 64.0, 24},
                     {"cpu/openmp", 64.0, 6}});
        const auto session = std::make_shared<StudySession>();
        session->openFile(path);
        QTRY_COMPARE(session->state(), StudySession::State::Done);
        RunsModel runs;
        runs.setSession(session);
        QStringList told;
        for (int row = 0; row < 4; ++row)
            told << runs.index(row, RunsModel::Speedup).data().toString();
        QCOMPARE(told[0], QString("reference"));
        QVERIFY2(told[1].startsWith("2.0"), qPrintable(told[1]));
        QCOMPARE(told[2], QString("reference"));
        QVERIFY2(told[3].startsWith("4.0"), qPrintable(told[3]));
    }

    void sizesAreWrittenAsEveryFigure() {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.hscope");
        write(path, {{"cpu/sequential", 12000, 8}});
        const auto session = std::make_shared<StudySession>();
        session->openFile(path);
        QTRY_COMPARE(session->state(), StudySession::State::Done);
        RunsModel runs;
        runs.setSession(session);
        QCOMPARE(runs.index(0, RunsModel::Point).data().toString(), QString("N = 12\u00a0000"));
    }

    void aRunSaysHowManyOfItsSamplesWereDisturbed() {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.hscope");
        write(path, {{"cpu/sequential", 64, 8, 0}, {"cpu/openmp", 64, 4, 50}});
        const auto session = std::make_shared<StudySession>();
        session->openFile(path);
        QTRY_COMPARE(session->state(), StudySession::State::Done);
        RunsModel runs;
        runs.setSession(session);
        QCOMPARE(runs.index(0, RunsModel::Outcome).data().toString(), QString("done"));
        const QModelIndex outcome = runs.index(1, RunsModel::Outcome);
        QVERIFY(outcome.data().toString().endsWith("; disturbed: 1 of 1"));
        for (const int role : {int(Qt::ToolTipRole), int(Qt::AccessibleTextRole)})
            QVERIFY2(outcome.data(role).toString().endsWith(
                         "disturbed: 1 of 1 (something else ran: wait, and repeat)"),
                     qPrintable(outcome.data(role).toString()));
    }
};

HETEROSCOPE_UI_TEST(RunsModelTest)
#include "runs_model_test.moc"
