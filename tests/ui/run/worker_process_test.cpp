// SPDX-License-Identifier: GPL-3.0-or-later
// The child process: what comes back, how it ends, how it is stopped.
#include "compute/base/exit_code.h"
#include "profiling/stream/stream_writer.h"
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/run/fake_experiment.h"
#include "ui/run/worker_process.h"
#include "ui/run/worker_sentences.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <csignal>
#include <heteroscope_paths.h>
#include <memory>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

const QString kFake = QStringLiteral(HETEROSCOPE_BINARY_DIR "/fake_worker");

/// A worker with its spies.
struct Started {
    QTemporaryDir folder;
    QString file = folder.filePath("run.hscope");
    WorkerProcess worker;
    QSignalSpy bytes{&worker, &WorkerProcess::bytesArrived};
    QSignalSpy finished{&worker, &WorkerProcess::finished};

    explicit Started(const Json& experiment, const QString& program = kFake) {
        worker.setProgram(program);
        worker.start(experiment, folder.path(), file);
    }
    bool wait(int ms = 10000) { return !finished.isEmpty() || finished.wait(ms); }
    WorkerProcess::Outcome outcome() const { return finished.first().at(0).value<WorkerProcess::Outcome>(); }
    QString sentence() const { return finished.first().at(1).toString(); }
};

} // namespace

class WorkerProcessTest : public QObject {
    Q_OBJECT
  private slots:
    /// A file with nothing but the reasons why nothing ran has nothing that was kept.
    void onlyResultsAreKept() {
        const QTemporaryDir folder;
        WorkerEnd end;
        end.code = int(ExitCode::RunFailed);
        end.lastWords = QStringLiteral("nothing fits");
        end.runFile = folder.filePath("run.hscope");
        for (const bool sampled : {false, true}) {
            QFile::remove(end.runFile);
            {
                std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
                sinks.push_back(std::move(*profiling::openFileSink(end.runFile.toStdString())));
                profiling::StreamWriter writer(std::move(sinks));
                profiling::Study header;
                header.id = "study";
                (void)writer.begin(header);
                profiling::StudyRun run;
                run.target = "cpu/sequential";
                (void)writer.run(run);
                if (sampled)
                    (void)writer.sample({});
                run.status = profiling::StudyRunStatus::Failed;
                (void)writer.runEnd(run);
                (void)writer.end("failed", "nothing fits");
                (void)writer.flush();
            }
            QVERIFY(QFileInfo(end.runFile).size() > 0);
            QVERIFY(sentenceOf(end).contains("nothing fits"));
            QCOMPARE(sentenceOf(end).contains("kept in"), sampled);
            end.fileFailed = true;
            QVERIFY(!sentenceOf(end).contains("Everything"));
            QCOMPARE(sentenceOf(end).contains("in this window only"), sampled);
            end.fileFailed = false;
        }
    }

    void aKilledWorkerIsNamedWithWhatItComputed() {
        WorkerEnd end;
        end.signalled = true;
        end.code = SIGKILL;
        QVERIFY2(sentenceOf(end).startsWith("The worker crashed: SIGKILL ("), qPrintable(sentenceOf(end)));
        end.activity =
            QStringLiteral("run 3, cpu/onednn, layer \"conv1\"; forecast 1.2 GiB, 0.9 GiB were free");
        const QString doing = QStringLiteral(" while computing run 3, cpu/onednn, layer \"conv1\"; "
                                             "forecast 1.2 GiB, 0.9 GiB were free. ");
        const QString ended = QStringLiteral("The worker was ended by SIGKILL ");
        QVERIFY2(
            sentenceOf(end).startsWith(
                ended + "(from a person, a batch system or container at a limit, or the kernel)" + doing),
            qPrintable(sentenceOf(end)));
        end.shortOfMemory = true;
        QVERIFY2(sentenceOf(end).startsWith(ended + "(the kernel's out-of-memory killer may have sent it)" +
                                            doing),
                 qPrintable(sentenceOf(end)));
    }

    void saysThatTheRunFileFailedAsItHappens() {
        Started run(fake("full"));
        QSignalSpy said(&run.worker, &WorkerProcess::runFileFailed);
        QVERIFY(said.wait(10000 * kTimeFactor));
        QVERIFY(run.worker.isRunning());
        QCOMPARE(said.first().at(0).toString(), run.file + ": cannot be written: No space left on device");
        run.worker.stop();
        QVERIFY(run.wait());
    }

    void cleanEndHasNoSentence() {
        Started run(fake("good"));
        QVERIFY(run.wait());
        QCOMPARE(run.outcome(), WorkerProcess::Outcome::Done);
        QCOMPARE(run.sentence(), QString());
        QVERIFY(!run.worker.isRunning());
        QByteArray received;
        for (const auto& call : run.bytes)
            received += call.at(0).toByteArray();
        QFile file(run.file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(received, file.readAll()); // the file is the stream
    }

    void exitCodesBecomeSentences_data() {
        QTest::addColumn<int>("code");
        QTest::addColumn<WorkerProcess::Outcome>("outcome");
        QTest::addColumn<QString>("part");
        using Outcome = WorkerProcess::Outcome;
        QTest::newRow("failed") << 1 << Outcome::Failed << "The run failed: no room";
        QTest::newRow("bad input") << 2 << Outcome::BadInput << "cannot run as it is: no room";
        QTest::newRow("target") << 3 << Outcome::TargetUnavailable << "not available: no room";
        QTest::newRow("cancelled") << 4 << Outcome::Cancelled
                                   << "The worker was stopped, and not by this window: no room";
        QTest::newRow("usage") << 64 << Outcome::Failed << "same version";
        QTest::newRow("unknown") << 77 << Outcome::Failed << "unknown exit code 77";
    }
    void exitCodesBecomeSentences() {
        QFETCH(int, code);
        QFETCH(WorkerProcess::Outcome, outcome);
        QFETCH(QString, part);
        Json experiment = fake("exit");
        experiment["code"] = code;
        experiment["words"] = "heteroscope-cli: no room";
        Started run(experiment);
        QVERIFY(run.wait());
        QCOMPARE(run.outcome(), outcome);
        QVERIFY2(run.sentence().contains(part), qPrintable(run.sentence()));
    }

    void aCrashNamesTheSignalAndTheFile() {
        Started run(fake("crash"));
        QVERIFY(run.wait());
        QCOMPARE(run.outcome(), WorkerProcess::Outcome::Crashed);
        QVERIFY2(run.sentence().contains("SIGSEGV"), qPrintable(run.sentence()));
        QVERIFY2(run.sentence().contains(run.file), qPrintable(run.sentence()));
        QVERIFY2(run.sentence().contains("about to touch"), qPrintable(run.sentence()));
    }

    void stopEndsAWorkerThatListens() {
        Started run(fake("slow"));
        QVERIFY(run.bytes.wait(5000 * kTimeFactor));
        QElapsedTimer since;
        since.start();
        run.worker.stop();
        QVERIFY(run.wait(3000 * kTimeFactor));
        QVERIFY2(since.elapsed() < 300 * kTimeFactor, qPrintable(QString::number(since.elapsed())));
        QCOMPARE(run.outcome(), WorkerProcess::Outcome::Cancelled);
        QVERIFY2(run.sentence().startsWith("Stopped."), qPrintable(run.sentence()));
    }

    void aWorkerThatDoesNotListenIsKilledAfterTwoSeconds() {
        Started run(fake("deaf"));
        QVERIFY(run.bytes.wait(5000 * kTimeFactor));
        QElapsedTimer since;
        since.start();
        run.worker.stop();
        QVERIFY(run.wait(5000 * kTimeFactor));
        QVERIFY(since.elapsed() >= 1900 && since.elapsed() < 2000 + 1500 * kTimeFactor);
        QCOMPARE(run.outcome(), WorkerProcess::Outcome::Killed);
    }

    void aMissingProgramIsSaid() {
        Started run(fake("good"), QStringLiteral("/nowhere/heteroscope-cli"));
        QVERIFY(run.wait());
        QCOMPARE(run.outcome(), WorkerProcess::Outcome::NotStarted);
        QVERIFY2(run.sentence().contains("HETEROSCOPE_CLI"), qPrintable(run.sentence()));
    }

    void aProgramThatIsThereAndDoesNotStartIsNotCalledMissing() {
        const QTemporaryDir folder;
        QFile program(folder.filePath("heteroscope-cli"));
        QVERIFY(program.open(QIODevice::WriteOnly) && program.write("\x7f"
                                                                    "ELF and no more") > 0);
        program.close();
        QVERIFY(program.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner));
        Started run(fake("good"), program.fileName());
        QVERIFY(run.wait());
        QCOMPARE(run.outcome(), WorkerProcess::Outcome::NotStarted);
        QVERIFY2(run.sentence().contains("The program is there") &&
                     !run.sentence().contains("HETEROSCOPE_CLI"),
                 qPrintable(run.sentence()));
    }

    /// Removed or renamed since the experiment was opened; one that names no file runs all the same.
    void aFolderThatIsNotThereIsNoReasonNotToStart() {
        WorkerProcess worker;
        QSignalSpy finished(&worker, &WorkerProcess::finished);
        const QTemporaryDir folder;
        worker.setProgram(kFake);
        worker.start(fake("good"), folder.filePath("gone"), folder.filePath("run.hscope"));
        QVERIFY(!finished.isEmpty() || finished.wait(10000));
        QCOMPARE(finished.first().at(1).toString(), QString());
        QCOMPARE(finished.first().at(0).value<WorkerProcess::Outcome>(), WorkerProcess::Outcome::Done);
    }

    void theDestructorEndsTheChild() {
        auto run = std::make_unique<Started>(fake("slow"));
        QVERIFY(run->bytes.wait(5000 * kTimeFactor));
        const auto pid = pid_t(run->worker.processId());
        QCOMPARE(kill(pid, 0), 0);
        run.reset();
        QCOMPARE(kill(pid, 0), -1);
    }

    void lastWordsSkipProgressAndColours() {
        QCOMPARE(lastMeaningfulLine("error: real words\n\x1b[2K\r[ 12 %] pooling\r"),
                 QStringLiteral("real words"));
        QCOMPARE(lastMeaningfulLine(""), QString());
    }
};

HETEROSCOPE_UI_TEST(WorkerProcessTest)
#include "worker_process_test.moc"
