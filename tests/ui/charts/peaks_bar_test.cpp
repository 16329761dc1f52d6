// SPDX-License-Identifier: GPL-3.0-or-later
// The offer to measure peaks under a roofline of this machine's processors: where it is made, what it says
// while it is measured, and the roofs afterwards.
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/analyze_view.h"
#include "ui/analyze/peaks_bar.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

QPushButton* button(const QWidget& widget, const char* name) {
    return widget.findChild<QPushButton*>(QLatin1String(name));
}

} // namespace

class PeaksBarTest : public QObject {
    Q_OBJECT
  private slots:
    void offersAndCancels() {
        PeaksBar bar;
        bar.show();
        QSignalSpy asked(&bar, &PeaksBar::measureRequested), cancelled(&bar, &PeaksBar::cancelRequested);
        QTest::mouseClick(button(bar, "measurePeaks"), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        bar.setProgress({true, 0, 0, {}});
        auto* progress = bar.findChild<QProgressBar*>();
        QVERIFY(progress->isVisible() && !button(bar, "measurePeaks")->isVisible());
        QCOMPARE(progress->maximum(), 0);
        bar.setProgress({true, 3, 4, {}});
        QCOMPARE(progress->maximum(), 4);
        QCOMPARE(progress->value(), 2);
        QTest::mouseClick(button(bar, "cancelPeaks"), Qt::LeftButton);
        QCOMPARE(cancelled.count(), 1);
    }

    void saysWhyItCannot() {
        PeaksBar bar;
        bar.show();
        const auto* text = bar.findChild<QLabel*>(QStringLiteral("peaksText"));
        bar.setProgress({false, 0, 0, QStringLiteral("no room")});
        QCOMPARE(text->text(), QStringLiteral("no room"));
        QVERIFY(button(bar, "measurePeaks")->isEnabled());
        PeaksProgress blocked;
        blocked.possible = false;
        bar.setProgress(blocked);
        QVERIFY(!button(bar, "measurePeaks")->isEnabled());
        QVERIFY(text->text().contains(QStringLiteral("running")));
    }

    void aStudyOfThisMachineTakesWhatIsMeasured() {
        const auto session = std::make_shared<StudySession>();
        AnalyzeView view;
        view.resize(1200, 900);
        view.show();
        view.setSessions({session});
        session->openFile(
            QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/pooling_sweep_h100.hscope"));
        view.selectChart(QStringLiteral("roofline"));
        QTRY_VERIFY(session->state() != StudySession::State::Loading);
        QTRY_VERIFY(!view.isBusy());
        auto* bar = view.findChild<PeaksBar*>();
        QVERIFY2(!bar->isVisible(), "which machine this is, is not known");
        Json machine;
        for (const Json& record : session->study().devices)
            if (record.value("id", "") == "cpu")
                machine = record;
        QVERIFY(!machine.is_null());
        Json other = machine;
        other["name"] = "Another CPU";
        view.setDevices({{"devices", {other}}});
        QVERIFY(!bar->isVisible());
        view.setDevices({{"devices", {machine}}});
        QVERIFY(bar->isVisible());
        QSignalSpy asked(&view, &AnalyzeView::measurePeaksRequested);
        QTest::mouseClick(button(view, "measurePeaks"), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        machine["properties"].update({{"memory_bytes_s", 2e10},
                                      {"memory_bytes_s_source", "measured: here"},
                                      {"fp32_flop_s", 1e11},
                                      {"fp32_flop_s_source", "measured: there"}});
        view.setDevices({{"devices", {machine}}});
        const auto* findings = view.findChild<QLabel*>(QStringLiteral("chartFindings"));
        QTRY_VERIFY(findings->text().contains(QStringLiteral("cpu: memory 20.0 GB/s (measured: ")));
        QVERIFY(!bar->isVisible());
        QTRY_VERIFY(!view.isBusy());
    }
};

HETEROSCOPE_UI_TEST(PeaksBarTest)
#include "peaks_bar_test.moc"
