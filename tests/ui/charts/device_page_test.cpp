// SPDX-License-Identifier: GPL-3.0-or-later
// Transfers and advice in mode Analyze: what a recording of a GPU shows, the way to the timeline, and what is
// said without one.
#include "tests/ui/charts/run_file.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "tests/unit/analysis/gpu_trace_maker.h"
#include "ui/analyze/analyze_view.h"
#include "ui/analyze/device_page.h"
#include "ui/analyze/size_histogram.h"
#include "ui/common/share_bar.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"

#include <QApplication>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QtTest>

#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;
using profiling::test::GpuTraceMaker;

namespace {

/// A hundred tiny kernels with a copy before each: 2 us in which the copies dominate.
struct Recording {
    GpuTraceMaker maker;
    std::shared_ptr<DeviceReading> reading = std::make_shared<DeviceReading>();

    Recording() {
        for (std::int64_t at = 0; at < 2000; at += 20) {
            maker.flow(maker.call(at, at + 6, "cudaMemcpyAsync"), maker.copy(at + 6, at + 8, 16));
            maker.flow(maker.call(at + 8, at + 12, "cudaLaunchKernel"), maker.kernel(at + 13, at + 15));
        }
        reading->study.runs.resize(1);
        reading->study.runs[0].target = "cuda:0/cuda";
        profiling::StudySample sample;
        sample.traced = true;
        sample.wallMs = 2000e-6;
        reading->study.runs[0].samples = {sample};
        reading->trace = std::shared_ptr<const profiling::Trace>(std::shared_ptr<void>(), &maker.trace());
        reading->report = profiling::deviceReport(*reading->trace, reading->study);
    }
};

bool says(const QWidget& widget, const QString& text) {
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisible() && label->text().contains(text))
            return true;
    return false;
}

} // namespace

class DevicePageTest : public QObject {
    Q_OBJECT
  private slots:
    void showsWhereTimeWentAndHowDataMoved() {
        const Recording recording;
        DevicePage page;
        page.setReading(recording.reading);
        const auto* times = page.findChild<QTreeWidget*>(QStringLiteral("deviceTimes"));
        QCOMPARE(times->topLevelItemCount(), 1);
        QCOMPARE(times->topLevelItem(0)->text(0), QStringLiteral("cuda:0/cuda"));
        QCOMPARE(times->topLevelItem(0)->text(3), QStringLiteral("10.0 %")); // kernels
        double sum = 0;
        for (const QVariant& share : times->topLevelItem(0)->data(2, ShareBarDelegate::kSharesRole).toList())
            sum += share.toDouble();
        QVERIFY(qAbs(sum - 1.0) < 1e-12);
        const auto* transfers = page.findChild<QTreeWidget*>(QStringLiteral("deviceTransfers"));
        QCOMPARE(transfers->topLevelItemCount(), 2); // the recording and its run
        QCOMPARE(transfers->topLevelItem(0)->text(0),
                 QStringLiteral("whole recording: 2.00 \u00b5s of wall time"));
        QCOMPARE(transfers->topLevelItem(1)->text(0),
                 QStringLiteral("cuda:0/cuda, traced samples: 2.00 \u00b5s of wall time"));
        QCOMPARE(transfers->topLevelItem(0)->childCount(), 1);
        const QTreeWidgetItem* group = transfers->topLevelItem(0)->child(0);
        QCOMPARE(group->text(0), QStringLiteral("host to device"));
        QCOMPARE(group->text(2), QStringLiteral("100"));
        QCOMPARE(group->text(9), QStringLiteral("\u2013")); // no large copy
    }

    void enterOnAdviceAsksForItsPlace() {
        const Recording recording;
        DevicePage page;
        page.show();
        page.setReading(recording.reading);
        auto* list = page.findChild<QListWidget*>(QStringLiteral("deviceAdvice"));
        QVERIFY(list->count() > 0);
        QVERIFY(list->item(0)->text().contains(QStringLiteral(
            "transfers take 40.0 % of the wall time of the traced samples: copies 10.0 % and the "
            "host's calls for them 30.0 %")));
        const auto* times = page.findChild<QTreeWidget*>(QStringLiteral("deviceTimes"));
        const auto cellOf = [times](const QString& title) {
            for (int column = 0; column < times->columnCount(); ++column)
                if (times->headerItem()->text(column) == title)
                    return times->topLevelItem(0)->text(column);
            return QString();
        };
        QCOMPARE(cellOf(QStringLiteral("Copy")), QStringLiteral("10.0 %")); // what the advice says
        QCOMPARE(cellOf(QStringLiteral("Of it for copies")), QStringLiteral("30.0 %"));
        QVERIFY(!list->item(0)->toolTip().isEmpty());
        QSignalSpy asked(&page, &DevicePage::showTimelineRequested);
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toLongLong(), 0);
        QCOMPARE(asked[0][1].toLongLong(), 2000);
        QCOMPARE(asked[0][2].toUInt(), recording.reading->report.advice[0].place.track);
    }

    void theBarIsPaintedInTheColoursOfTheLegend() {
        const Recording recording;
        DevicePage page;
        page.resize(1100, 700);
        page.show();
        page.setReading(recording.reading);
        QApplication::processEvents();
        auto* times = page.findChild<QTreeWidget*>(QStringLiteral("deviceTimes"));
        const QRect cell = times->visualItemRect(times->topLevelItem(0));
        const int left = times->columnViewportPosition(2);
        const QImage image = times->viewport()->grab().toImage();
        const double scale = image.devicePixelRatio();
        const QColor first = image.pixelColor(QPoint(left + 8, cell.center().y()) * scale);
        QCOMPARE(first.rgb(), Theme::seriesColor(0).rgb());
    }

    void sizesAndOperationsAreCounted() {
        const Recording recording;
        DevicePage page;
        page.resize(1000, 900);
        page.show();
        page.setReading(recording.reading);
        auto* sizes = page.findChild<SizeHistogram*>();
        QCOMPARE(sizes->barCount(), 1);
        QCOMPARE(sizes->describe(0),
                 QStringLiteral("16 B to below 32 B: host to device: 100 copies, 1.6 KiB"));
        sizes->setFocus();
        QTest::keyClick(sizes, Qt::Key_Right);
        QCOMPARE(sizes->current(), 0);
        QCOMPARE(sizes->accessibleDescription(), sizes->describe(0));
        const QPoint inside = sizes->barRect(0).center().toPoint();
        const QImage image = sizes->grab().toImage();
        QCOMPARE(image.pixelColor(inside * image.devicePixelRatio()).rgb(), Theme::seriesColor(0).rgb());
        const auto* ops = page.findChild<QTreeWidget*>(QStringLiteral("transferOps"));
        QCOMPARE(ops->topLevelItemCount(), 1);
        QCOMPARE(ops->topLevelItem(0)->text(0), QStringLiteral("outside of operations"));
        QCOMPARE(ops->topLevelItem(0)->text(5), QStringLiteral("10.0 %"));
    }

    void aRangeOfTheTimelineIsCountedAloneUntilItIsCleared() {
        const auto session = std::make_shared<StudySession>();
        AnalyzeView view;
        view.resize(1200, 900);
        view.show();
        view.setSessions({session});
        session->openFile(
            QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/window_strategy_h100.hscope"));
        QTRY_VERIFY(session->state() != StudySession::State::Loading);
        const qint64 start = session->trace()->startNs(), length = session->trace()->endNs() - start;
        const profiling::NsRange range{start + length / 4, start + 3 * length / 4};
        view.showTransfers(range.startNs, range.endNs);
        QCOMPARE(view.selectedChart(), QStringLiteral("device"));
        auto* table = view.findChild<QTreeWidget*>(QStringLiteral("deviceTransfers"));
        QTRY_VERIFY(table->topLevelItemCount() > 0 &&
                    table->topLevelItem(0)->text(0).startsWith(QStringLiteral("selected range: ")));
        const auto expected = profiling::transferBreakdown(profiling::deviceWork(*session->trace()),
                                                           profiling::unionOf({range}));
        QCOMPARE(table->topLevelItemCount(), 1);
        QCOMPARE(table->topLevelItem(0)->childCount(), int(expected.groups.size()));
        std::int64_t copies = 0;
        for (const profiling::TransferGroup& group : expected.groups)
            copies += group.count;
        QVERIFY(copies > 0);
        QCOMPARE(table->topLevelItem(0)->child(0)->text(2), countText(expected.groups[0].count));
        QVERIFY(says(view, QStringLiteral("In the selected")));
        auto* clear = view.findChild<QPushButton*>(QStringLiteral("clearTransferRange"));
        QVERIFY(clear->isVisible());
        clear->setFocus();
        QTest::keyClick(clear, Qt::Key_Space);
        QTRY_VERIFY(table->topLevelItem(0)->text(0).startsWith(QStringLiteral("whole recording: ")));
        const auto* scales =
            view.findChild<QLabel*>(QStringLiteral("deviceScales")); // a GPU run was recorded slower
        QVERIFY2(scales->text().contains(QStringLiteral(": recorded sample: ")), qPrintable(scales->text()));
        QVERIFY2(scales->text().contains(QStringLiteral(", untraced ")), qPrintable(scales->text()));
        QVERIFY(!clear->isVisible());
        QTRY_VERIFY(!view.isBusy());
    }

    void runsOnProcessorsHaveTheirPartsToo() {
        auto reading = std::make_shared<DeviceReading>();
        const profiling::Trace trace;
        reading->trace = std::shared_ptr<const profiling::Trace>(std::shared_ptr<void>(), &trace);
        profiling::SampleParts parts;
        parts.target = "cpu/openmp";
        parts.point = std::string("size=64");
        parts.wallNs = 20'000'000;
        parts.operationsNs = 15'000'000;
        parts.copiesNs = 1'000'000;
        parts.restNs = 4'000'000;
        parts.repetitions = 10;
        parts.untracedMs = 1.5;
        parts.recordedShare = 0.25;
        reading->parts = {parts};
        DevicePage page;
        page.resize(1100, 700);
        page.show();
        page.setReading(reading);
        const auto* table = page.findChild<QTreeWidget*>(QStringLiteral("sampleParts"));
        QVERIFY(table->isVisible());
        QVERIFY(!page.findChild<QListWidget*>(QStringLiteral("deviceAdvice"))->isVisible());
        QCOMPARE(table->topLevelItemCount(), 1);
        const QTreeWidgetItem* row = table->topLevelItem(0);
        const QStringList cells{QStringLiteral("cpu/openmp, size=64"),
                                QStringLiteral("2.00 ms"),
                                QString(),
                                QStringLiteral("1.50 ms (75.0 %)"),
                                QStringLiteral("100 \u00b5s (5.0 %)"),
                                QStringLiteral("400 \u00b5s (20.0 %)"),
                                QStringLiteral("1.50 ms")};
        for (int column = 0; column < cells.size(); ++column)
            QCOMPARE(row->text(column), cells[column]);
        QCOMPARE(row->data(2, ShareBarDelegate::kSharesRole).toList().size(), 3);
        QVERIFY(says(page, QStringLiteral("cpu/openmp, size=64: 25.0 % of a repetition was recorded")));
        reading->parts.clear();
        page.setReading(reading);
        QVERIFY(says(page, QStringLiteral("No work was recorded")));
    }

    void aStudyWithoutDeviceWorkSaysSo() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("cpu.hscope"));
        ui::test::writeRunFile(path, ui::test::sweepStudy());
        const auto session = std::make_shared<StudySession>();
        AnalyzeView view;
        view.resize(1100, 700);
        view.show();
        view.setSessions({session});
        session->openFile(path);
        view.selectChart(QStringLiteral("device"));
        QTRY_VERIFY(says(view, QStringLiteral("No work was recorded")));
        QCOMPARE(view.selectedChart(), QStringLiteral("device"));
        QTRY_VERIFY(!view.isBusy());
    }
};

HETEROSCOPE_UI_TEST(DevicePageTest)
#include "device_page_test.moc"
