// SPDX-License-Identifier: GPL-3.0-or-later
// The measurement of peaks in a worker: its steps, its result, why it failed, and its end when cancelled.
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/window_fixture.h"
#include "ui/analyze/peaks_bar.h"
#include "ui/devices/peaks_measurement.h"

#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;

class PeaksMeasurementTest : public QObject {
    Q_OBJECT
  private slots:
    void tellsStepsAndResult() {
        PeaksMeasurement peaks;
        peaks.setProgram(script("[ \"$*\" = \"devices --measure --json\" ] || exit 64\n"
                                "echo '{\"step\": 1, \"steps\": 2, \"measuring\": \"a\"}' >&2\n"
                                "echo '{\"step\": 2, \"steps\": 2, \"measuring\": \"b\"}' >&2\n"
                                "echo '{\"devices\": []}'\n"));
        QSignalSpy stepped(&peaks, &PeaksMeasurement::stepped), failed(&peaks, &PeaksMeasurement::failed);
        Json devices;
        connect(&peaks, &PeaksMeasurement::measured, this, [&](const Json& list) {
            devices = list;
            QVERIFY(!peaks.isRunning());
        });
        peaks.start();
        QTRY_VERIFY(!devices.is_null());
        QCOMPARE(stepped.count(), 2);
        QCOMPARE(stepped[1][0].toInt(), 2);
        QCOMPARE(stepped[1][1].toInt(), 2);
        QCOMPARE(failed.count(), 0);
        QVERIFY(devices.contains("devices"));
    }

    void saysWhyItFailed() {
        PeaksMeasurement peaks;
        QSignalSpy failed(&peaks, &PeaksMeasurement::failed);
        peaks.setProgram(script("echo 'heteroscope-cli: error: process 7 measures now' >&2\nexit 2\n"));
        peaks.start();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY2(failed[0][0].toString().contains(QStringLiteral("process 7 measures now")),
                 qPrintable(failed[0][0].toString()));
        peaks.setProgram(m_folder.filePath(QStringLiteral("nothing-here")));
        peaks.start();
        QTRY_COMPARE(failed.count(), 2);
        QVERIFY(failed[1][0].toString().contains(QStringLiteral("nothing-here")));
    }

    /// Its last line would be a step, in JSON.
    void saysThatItWasKilled() {
        PeaksMeasurement peaks;
        QSignalSpy failed(&peaks, &PeaksMeasurement::failed);
        peaks.setProgram(script("echo '{\"step\": 1, \"steps\": 2}' >&2\nkill -KILL $$\n"));
        peaks.start();
        QTRY_COMPARE(failed.count(), 1);
        const QString said = failed[0][0].toString();
        QVERIFY2(said.contains("SIGKILL"), qPrintable(said));
        QVERIFY2(!said.contains('{'), qPrintable(said));
    }

    void saysThatItSaidNothing() {
        PeaksMeasurement peaks;
        QSignalSpy failed(&peaks, &PeaksMeasurement::failed);
        peaks.setProgram(script("echo '{\"step\": 1, \"steps\": 2}' >&2\nexit 1\n"));
        peaks.start();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY2(failed[0][0].toString().contains("exit code 1"), qPrintable(failed[0][0].toString()));
    }

    void endsWhenItIsCancelled() {
        PeaksMeasurement peaks;
        QSignalSpy stepped(&peaks, &PeaksMeasurement::stepped), failed(&peaks, &PeaksMeasurement::failed),
            cancelled(&peaks, &PeaksMeasurement::cancelled);
        peaks.setProgram(script("echo '{\"step\": 1, \"steps\": 2}' >&2\nexec sleep 600\n"));
        peaks.start();
        QTRY_COMPARE(stepped.count(), 1);
        peaks.cancel();
        QTRY_COMPARE(cancelled.count(), 1);
        QVERIFY(!peaks.isRunning());
        QCOMPARE(failed.count(), 0);
    }

    /// Both at once would make figures of both wrong.
    void endsBeforeAStudyBegins() {
        Fixture fixture;
        fixture.window->openDemo();
        fixture.window->setMode(Mode::Analyze);
        auto* bar = fixture.window->findChild<PeaksBar*>();
        const auto* cancel = fixture.find<QWidget>("cancelPeaks");
        const auto* text = fixture.find<QLabel>("peaksText");
        emit bar->measureRequested();
        QVERIFY(!cancel->isHidden());
        RunController& controller = fixture.window->runController();
        bool measuredMeanwhile = true;
        connect(&controller, &RunController::sessionStarted, this,
                [&] { measuredMeanwhile = !cancel->isHidden(); });
        QSignalSpy finished(&controller, &RunController::runFinished);
        fixture.window->run();
        QVERIFY(finished.wait());
        QVERIFY(!measuredMeanwhile);
        QVERIFY2(text->text().contains(QStringLiteral("a study was started")), qPrintable(text->text()));
        emit bar->measureRequested(); // and again, for the next one
        QVERIFY(!cancel->isHidden());
        emit bar->cancelRequested();
        QTRY_VERIFY(cancel->isHidden());
        QVERIFY(!text->text().contains(QStringLiteral("a study was started")));
    }

  private:
    /// A program that does this.
    QString script(const char* text) {
        const QString path = m_folder.filePath(QStringLiteral("worker%1").arg(++m_scripts));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            return {};
        file.write(QByteArray("#!/bin/sh\n") + text);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return path;
    }

    QTemporaryDir m_folder;
    int m_scripts = 0;
};

HETEROSCOPE_UI_TEST(PeaksMeasurementTest)
#include "peaks_measurement_test.moc"
