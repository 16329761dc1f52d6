// SPDX-License-Identifier: GPL-3.0-or-later
// Names of megabytes, as a damaged or hostile trace has them: views lay out their beginning, and what is
// copied is whole. Laid out as a whole, one of 50 MB kept the window for minutes and took 2 GB.
#include "tests/ui/program/ui_test.h"
#include "ui/common/format.h"
#include "ui/timeline/details_panel.h"
#include "ui/timeline/statistics_model.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTreeWidget>

#include <memory>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::profiling;

namespace {

constexpr int kLong = 2'000'000, kMostShown = 5000;

/// One span, of which every text is long.
struct LongTrace {
    std::shared_ptr<Trace> trace = std::make_shared<Trace>();
    SpanRef span;

    LongTrace() {
        const auto text = [this](char letter) { return trace->intern(std::string(kLong, letter)); };
        const TrackId track = trace->addTrack({0, kNoTrack, TrackKind::Thread, text('t'), 0, 0});
        const auto args = trace->addArgs({{trace->intern("value"), std::string(kLong, 'v')}});
        span = trace->append({track, 0, 1'000'000, text('n'), text('c'), args, -1});
        trace->publish();
    }
};

} // namespace

class LongNamesTest : public QObject {
    Q_OBJECT
  private slots:
    void areCutBetweenLetters() {
        QCOMPARE(shownText(QStringLiteral("gemm")), QStringLiteral("gemm"));
        const QString letters = QString::fromUcs4(U"\U0001F600", 1).repeated(kLong);
        for (const QString& text : {letters, QStringLiteral("x") + letters}) {
            const QString shown = shownText(text);
            QVERIFY(shown.size() < kMostShown);
            QVERIFY(shown.endsWith(QChar(0x2026)));
            QVERIFY(!shown.at(shown.size() - 2).isHighSurrogate());
        }
    }

    void inTheTableOfStatistics() {
        const LongTrace recorded;
        NameStatisticsModel model;
        model.setStatistics(computeStatistics(*recorded.trace, {0, 1'000'000}, true, {{0, {}}}));
        QCOMPARE(model.rowCount(), 1);
        for (const int column : {NameStatisticsModel::Name, NameStatisticsModel::Category}) {
            QVERIFY(model.index(0, column).data().toString().size() < kMostShown);
            QCOMPARE(model.index(0, column).data(Qt::UserRole).toString().size(), kLong);
        }
        QVERIFY(model.index(0, NameStatisticsModel::Name).data(Qt::ToolTipRole).toString().size() <
                kMostShown);
    }

    void inTheDetails() {
        const LongTrace recorded;
        TimelineState state;
        DetailsPanel panel(&state);
        state.setTrace(recorded.trace);
        state.select(recorded.span, false);
        const auto* table = panel.findChild<QTreeWidget*>(QStringLiteral("detailsTable"));
        QVERIFY(table->topLevelItemCount() > 4);
        for (int i = 0; i < table->topLevelItemCount(); ++i) {
            QVERIFY(table->topLevelItem(i)->text(1).size() < kMostShown);
            QVERIFY(table->topLevelItem(i)->toolTip(1).size() < kMostShown);
        }
        QVERIFY(!table->actions().isEmpty());
        table->actions().front()->trigger(); // Copy all
        QVERIFY(QApplication::clipboard()->text().count(QLatin1Char('v')) >= kLong);
    }

    void ofTracks() {
        const LongTrace recorded;
        const auto tracks = readTracks(*recorded.trace);
        QCOMPARE(tracks.size(), std::size_t{1});
        QVERIFY(tracks.front().name.size() < kMostShown);
    }
};

HETEROSCOPE_UI_TEST(LongNamesTest)
#include "long_names_test.moc"
