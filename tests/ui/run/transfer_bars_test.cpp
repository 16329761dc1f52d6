// SPDX-License-Identifier: GPL-3.0-or-later
// The bars of transfers in mode Run: they follow a stream, end with the figures of the whole recording, and
// take no room where there is no GPU.
#include "profiling/analysis/advice.h"
#include "profiling/stream/stream_writer.h"
#include "tests/ui/program/ui_test.h"
#include "ui/common/language.h"
#include "ui/common/share_bar.h"
#include "ui/common/transfer_text.h"
#include "ui/run/run_view.h"
#include "ui/run/transfer_bars.h"

#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>

#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;
using State = StudySession::State;

namespace {

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    return file.readAll();
}

QByteArray recorded(const char* name) {
    return bytesOf(QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/") + QLatin1String(name));
}

/// A stream that has begun: one run on the target, no trace.
QByteArray planned(const char* target) {
    QTemporaryDir folder;
    const QString path = folder.filePath("a.hscope");
    {
        std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
        sinks.push_back(std::move(*profiling::openFileSink(path.toStdString())));
        profiling::StreamWriter writer(std::move(sinks));
        profiling::Study header;
        header.id = "a";
        (void)writer.begin(header);
        profiling::StudyRun run;
        run.target = target;
        (void)writer.run(run);
        (void)writer.flush();
    }
    return bytesOf(path);
}

struct View {
    RunView view;
    std::shared_ptr<StudySession> session = std::make_shared<StudySession>();
    TransferBars* bars = view.findChild<TransferBars*>();
    QTableWidget* table = view.findChild<QTableWidget*>(QStringLiteral("transferTable"));
    QLabel* summary = view.findChild<QLabel*>(QStringLiteral("transferSummary"));

    View() {
        view.resize(1200, 720);
        view.show();
        session->beginLive({}, "test");
        view.setSession(session);
    }
    QString text(int row, int column) const { return table->item(row, column)->text(); }
    qint64 copies() const { return session->transfers().count; }
};

} // namespace

class TransferBarsTest : public QObject {
    Q_OBJECT
  private slots:
    void theyFollowAStreamAndEndWithTheFiguresOfTheRecording() {
        const QByteArray bytes = recorded("window_strategy_h100.hscope");
        View shown;
        shown.session->feed(bytes.left(bytes.size() / 2));
        QTRY_VERIFY(shown.bars->isVisible() && shown.table->rowCount() > 0);
        QVERIFY(shown.summary->text().contains("so far"));
        const qint64 half = shown.copies();
        QVERIFY(half > 0);
        shown.session->feed(bytes.mid(bytes.size() / 2));
        shown.session->endLive(true, {});
        QTRY_COMPARE(shown.session->state(), State::Done);
        QVERIFY(shown.copies() > half);
        const auto report = profiling::deviceReport(*shown.session->trace(), shown.session->study());
        const profiling::TransferBreakdown& whole = report.transfers;
        QCOMPARE(shown.table->rowCount(), int(whole.groups.size()));
        QVERIFY(!shown.summary->text().contains("so far"));
        for (const profiling::TransferGroup& group : whole.groups) {
            int row = 0;
            while (row < shown.table->rowCount() &&
                   (shown.text(row, TransferBars::Direction) != routeText(group.route) ||
                    shown.text(row, TransferBars::Memory) != hostMemoryText(group.memory)))
                ++row;
            QVERIFY(row < shown.table->rowCount());
            QCOMPARE(shown.text(row, TransferBars::Copies), countText(group.count));
            QCOMPARE(shown.text(row, TransferBars::Bytes), byteText(double(group.bytes)));
            QCOMPARE(shown.text(row, TransferBars::Time), spanTimeText(group.busyNs));
            QCOMPARE(shown.text(row, TransferBars::Rate), rateText(group.gbPerS()));
            QCOMPARE(shown.text(row, TransferBars::Share), shareText(group.shareOf(whole.wallNs)));
            const auto drawn =
                shown.table->item(row, TransferBars::ShareBar)->data(ShareBarDelegate::kSharesRole).toList();
            QCOMPARE(drawn.value(0).toDouble(), group.shareOf(whole.wallNs));
        }
    }

    void everyRowShowsAndTheKeyboardReachesThem() {
        View shown;
        shown.session->feed(recorded("window_strategy_h100.hscope"));
        QTRY_VERIFY(shown.table->rowCount() > 1);
        const int last = shown.table->rowCount() - 1;
        QVERIFY(!shown.table->visibleRegion().isEmpty());
        QCOMPARE(shown.table->visibleRegion().boundingRect(), shown.table->rect()); // no part is covered
        QVERIFY(shown.table->viewport()->rect().contains(
            shown.table->visualItemRect(shown.table->item(last, 0))));
        shown.view.findChild<QTableView*>(QStringLiteral("runsTable"))->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), shown.table);
        QTest::keyClick(shown.table, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(shown.table->currentRow(), last);
    }

    void noWordIsCutShort() {
        applyLanguage("es");
        View shown;
        shown.session->feed(recorded("models_h100.hscope"));
        QTRY_VERIFY(shown.table->rowCount() > 1);
        const QAbstractItemView* const view = shown.table; // where the hint is public
        for (int column = 0; column < TransferBars::Columns; ++column) {
            QVERIFY2(shown.table->columnWidth(column) >= view->sizeHintForColumn(column),
                     qPrintable(QString::number(column)));
            QVERIFY2(shown.table->columnWidth(column) >=
                         shown.table->horizontalHeader()->sectionSizeHint(column),
                     qPrintable(QString::number(column)));
        }
        applyLanguage("en");
    }

    void withoutAGpuTheyTakeNoRoom() {
        View shown;
        shown.session->feed(planned("cpu/openmp"));
        QTRY_COMPARE(shown.session->study().runs.size(), std::size_t(1));
        QVERIFY(!QTest::qWaitFor([&] { return shown.bars->isVisible(); }, 2 * TransferBars::kIntervalMs));
    }

    void beforeTheFirstCopyTheySaySo() {
        View shown;
        shown.session->feed(planned("cuda:0/cuda"));
        QTRY_VERIFY(shown.bars->isVisible());
        QVERIFY(!shown.table->isVisible());
        QCOMPARE(shown.summary->text(),
                 QStringLiteral("No copy between host and device has been recorded yet."));
        shown.session->endLive(false, "it is gone");
        QTRY_COMPARE(shown.session->state(), State::StoppedEarly);
        QCOMPARE(shown.summary->text(), QStringLiteral("No copy between host and device was recorded."));
    }

    void theNextStudyBeginsFromNothing() {
        View shown;
        shown.session->feed(recorded("window_strategy_h100.hscope"));
        QTRY_VERIFY(shown.table->isVisible());
        shown.session->beginLive({}, "next");
        QCOMPARE(shown.copies(), 0);
        QVERIFY(!shown.bars->isVisible());
    }
};

HETEROSCOPE_UI_TEST(TransferBarsTest)
#include "transfer_bars_test.moc"
