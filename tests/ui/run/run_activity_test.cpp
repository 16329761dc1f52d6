// SPDX-License-Identifier: GPL-3.0-or-later
// What the table of runs says of a run before it has a sample, which may take minutes.
#include "profiling/stream/stream_writer.h"
#include "tests/ui/program/ui_test.h"
#include "ui/common/language.h"
#include "ui/common/message_bar.h"
#include "ui/run/run_view.h"
#include "ui/run/runs_model.h"

#include <QAbstractButton>
#include <QFile>
#include <QHeaderView>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

/// A worker with two runs, whose stream a session reads as far as it was written.
struct Worker {
    QTemporaryDir folder;
    QFile stream{folder.filePath("a.hscope")};
    std::unique_ptr<profiling::StreamWriter> writer;
    std::shared_ptr<StudySession> session = std::make_shared<StudySession>();
    RunsModel runs;

    explicit Worker(const std::string& second = "cpu/openmp") {
        std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
        sinks.push_back(std::move(*profiling::openFileSink(stream.fileName().toStdString())));
        writer = std::make_unique<profiling::StreamWriter>(std::move(sinks));
        profiling::Study header;
        header.id = "live";
        (void)writer->begin(header);
        for (int i = 0; i < 2; ++i) {
            profiling::StudyRun run;
            run.run = i;
            run.target = i == 0 ? "cpu/sequential" : second;
            (void)writer->run(run);
        }
        session->beginLive({}, "test");
        runs.setSession(session);
    }

    void read() {
        QVERIFY(writer->flush().ok());
        QVERIFY(stream.isOpen() || stream.open(QIODevice::ReadOnly));
        session->feed(stream.readAll());
    }
    void begins(int run, const char* step) {
        QVERIFY(writer->activity({run, run == 0 ? "cpu/sequential" : "cpu/openmp", step, 0, 0}).ok());
        read();
    }
    void sampled(int run) {
        profiling::StudySample sample;
        sample.run = run;
        sample.warmup = true;
        sample.wallMs = 1;
        QVERIFY(writer->sample(sample).ok());
        read();
    }
    void takes(int number, bool isDisturbed) {
        profiling::StudySample sample;
        sample.sample = number;
        sample.wallMs = 1;
        sample.repetitions = 10;
        sample.disturbance = Disturbance{};
        sample.disturbance->spanMs = 10;
        sample.disturbance->waitedMs = isDisturbed ? 5 : 0;
        QVERIFY(writer->sample(sample).ok());
    }
    QString state(int run) const { return runs.index(run, RunsModel::Outcome).data().toString(); }
    QString speedupTitle() const {
        return runs.headerData(RunsModel::Speedup, Qt::Horizontal, Qt::DisplayRole).toString();
    }
};

} // namespace

class RunActivityTest : public QObject {
    Q_OBJECT
  private slots:
    void cleanup() { applyLanguage("en"); }

    void aRunWithoutSamplesSaysWhatItDoes() {
        Worker worker;
        worker.read();
        QTRY_COMPARE(worker.state(0), QString("waiting"));
        worker.begins(0, "planning");
        QTRY_COMPARE(worker.state(0), QString("planning"));
        worker.begins(0, "inputs");
        QTRY_COMPARE(worker.state(0), QString("preparing"));
        QCOMPARE(worker.state(1), QString("waiting"));
        worker.begins(0, "matrix multiplication"); // planned, then computed for the first time
        QTRY_COMPARE(worker.state(0), QString("first use"));
        worker.begins(0, "check against cpu/sequential");
        QTRY_COMPARE(worker.state(0), QString("checking the result"));
        worker.begins(1, "operands");
        QTRY_COMPARE(worker.state(1), QString("preparing"));
        QCOMPARE(worker.state(0), QString("waiting"));
        worker.begins(0, "matrix multiplication, warm-up");
        QTRY_COMPARE(worker.state(0), QString("warming up"));
        worker.sampled(0);
        QTRY_COMPARE(worker.runs.rowCount(), 2);
        QCOMPARE(worker.state(0), QString("warming up"));
        worker.begins(0, "matrix multiplication, timed samples");
        QTRY_COMPARE(worker.state(0), QString("running"));
        worker.begins(0, "waiting for a quiet machine");
        QTRY_COMPARE(worker.state(0), QString("waiting for a quiet machine"));
        worker.begins(0, "matrix multiplication, forward"); // a part, which is measured after the samples
        QTRY_COMPARE(worker.session->study().activity->step, std::string("matrix multiplication, forward"));
        QCOMPARE(worker.state(0), QString("running"));
    }

    void aWorkerThatIsGoneDoesNothing() {
        Worker worker;
        worker.begins(0, "matrix multiplication, warm-up");
        QTRY_COMPARE(worker.state(0), QString("warming up"));
        QCOMPARE(worker.speedupTitle(), QString("Speedup so far"));
        worker.session->endLive(false, "killed");
        QTRY_COMPARE(worker.state(0), QString("unfinished")); // it had begun
        QCOMPARE(worker.state(1), QString("not run"));
    }

    void aRecordingThatStoppedSaysInTheLanguageWhatItComputed() {
        applyLanguage("es");
        Worker worker;
        constexpr std::int64_t kMiB = 1 << 20;
        QVERIFY(worker.writer->activity({1, "cpu/openmp", "layer \"conv1\"", 64 * kMiB, 32 * kMiB}).ok());
        worker.read();
        worker.writer.reset(); // the file is no longer being written
        StudySession again;
        again.openFile(worker.stream.fileName());
        QTRY_COMPARE(again.state(), StudySession::State::StoppedEarly);
        const QString doing("la ejecución 1, cpu/openmp, capa «conv1»; previsión 64.0 MiB, había 32.0 MiB "
                            "libres.");
        QVERIFY2(again.message().endsWith("Estaba calculando " + doing), qPrintable(again.message()));
    }

    /// In a window of 1280 pixels, of which the bar of modes takes some.
    void theStateHasRoomForASentence() {
        Worker worker;
        worker.read();
        RunView view;
        view.resize(1202, 720);
        view.setSession(worker.session);
        view.show();
        QTRY_COMPARE(worker.runs.rowCount(), 2);
        auto* table = view.findChild<QTableView*>(QStringLiteral("runsTable"));
        const int room = table->viewport()->width() - table->columnViewportPosition(RunsModel::Outcome);
        const QString sentence("95 % interval within 1 % after 14 samples");
        QVERIFY2(table->fontMetrics().horizontalAdvance(sentence) + 50 < room,
                 qPrintable(QString::number(room)));
        for (int column = 0; column < RunsModel::Outcome; ++column) {
            const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
            QVERIFY2(table->columnWidth(column) >= table->horizontalHeader()->sectionSizeHint(column),
                     qPrintable(title));
        }
        table->setColumnWidth(RunsModel::Target, 300); // stays as somebody made it
        view.resize(1000, 720);
        QCoreApplication::processEvents();
        QCOMPARE(table->columnWidth(RunsModel::Target), 300);
    }

    void targetsAreShownWholeWhereThereIsRoom() {
        Worker worker("cpu/openmp?threads=16&simd=avx2");
        worker.read();
        RunView view;
        view.resize(1600, 720);
        view.setSession(worker.session);
        view.show();
        QTRY_COMPARE(worker.runs.rowCount(), 2);
        const auto* table = view.findChild<QAbstractItemView*>(QStringLiteral("runsTable"));
        const auto width = [&] {
            return table->visualRect(table->model()->index(0, RunsModel::Target)).width();
        };
        QVERIFY2(width() >= table->sizeHintForColumn(RunsModel::Target),
                 qPrintable(QString::number(width())));
        view.resize(900, 720); // the state comes first
        QTRY_VERIFY(width() < table->sizeHintForColumn(RunsModel::Target));
    }

    /// Where its experiment is the one that a repetition would run.
    void aDisturbedStudyOffersToBeRepeated() {
        Worker worker;
        worker.read();
        RunView view;
        view.setSession(worker.session);
        view.show();
        QSignalSpy asked(&view, &RunView::repeatWhenQuietRequested);
        for (int i = 0; i < 8; ++i)
            worker.takes(i, i % 4 == 0);
        QVERIFY(worker.writer->end("done", "").ok());
        worker.read();
        worker.session->endLive(true, {});
        const auto* message = view.findChild<MessageBar*>();
        QTRY_COMPARE(message->text(), QString("All runs are done. Other programs disturbed 2 of 8 samples."));
        const auto press = [&] {
            for (auto* button : message->findChildren<QAbstractButton*>())
                if (button->text() == "Repeat When Quiet")
                    return button->click();
        };
        press();
        QCOMPARE(asked.count(), 0);
        view.setRepeatable(true);
        press();
        QCOMPARE(asked.count(), 1);
    }

    /// Nothing is added to a speedup of a study that has ended.
    void theSpeedupIsSoFarWhileThereIsMoreToCome() {
        Worker worker;
        worker.sampled(0);
        QCOMPARE(worker.speedupTitle(), QString("Speedup so far"));
        int told = 0;
        connect(&worker.runs, &RunsModel::headerDataChanged, this, [&] { ++told; });
        QVERIFY(worker.writer->end("done", "").ok());
        worker.read();
        worker.session->endLive(true, {});
        QTRY_COMPARE(worker.session->state(), StudySession::State::Done);
        QCOMPARE(worker.speedupTitle(), QString("Speedup"));
        QVERIFY(told > 0);
    }
};

HETEROSCOPE_UI_TEST(RunActivityTest)
#include "run_activity_test.moc"
