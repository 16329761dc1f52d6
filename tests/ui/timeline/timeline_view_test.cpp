// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as a person uses it: mouse, keyboard, search, range statistics, rows, live follow, empty
// states.
#include "tests/support/formula_cells.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/timeline/sample_trace.h"
#include "ui/common/theme.h"
#include "ui/timeline/mini_timeline.h"
#include "ui/timeline/overlay.h"
#include "ui/timeline/statistics_panel.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/track_header.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>
#include <QWheelEvent>

#include <map>

using namespace heteroscope::ui;
using namespace heteroscope::profiling;
using heteroscope::ui::test::StudyTrace;

namespace {

struct Window {
    StudyTrace study;
    TimelineView view;
    TimelineState* state = nullptr;
    TimelineCanvas* canvas = nullptr;
    TrackHeader* header = nullptr;

    Window() {
        view.resize(1280, 800);
        view.show();
        view.setTrace(study.trace, QStringLiteral("study"));
        state = view.findChild<TimelineState*>();
        canvas = view.findChild<TimelineCanvas*>();
        header = view.findChild<TrackHeader*>();
        QApplication::setActiveWindow(&view);
        canvas->setFocus();
        QApplication::processEvents();
    }

    template <class Widget>
    Widget* find(const char* name) {
        return view.findChild<Widget*>(QString::fromLatin1(name));
    }

    void wheel(QPointF at, int turn, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QWheelEvent event(at, canvas->mapToGlobal(at), {}, {0, turn}, Qt::NoButton, keys, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(canvas, &event);
    }

    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QTest::mousePress(canvas, Qt::LeftButton, keys, from);
        for (int i = 1; i <= 5; ++i) {
            const QPointF at = QPointF(from) + QPointF(to - from) * i / 5.0;
            QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             keys);
            QApplication::sendEvent(canvas, &move);
        }
        QTest::mouseRelease(canvas, Qt::LeftButton, keys, to);
    }

    /// Middle of a span's rectangle in the canvas.
    QPoint middleOf(SpanRef ref) {
        return spanRect(*state, ref)->translated(0, kRulerHeight).center().toPoint();
    }

    void search(const QString& text) {
        find<QLineEdit>("searchField")->setText(text);
        QTRY_VERIFY(!state->isSearching());
    }
};

} // namespace

class TimelineViewTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().apply(ColorScheme::Dark); }

    void wheelZoomsAtTheCursor() {
        Window w;
        const QPointF at(420.0, 150.0);
        const std::int64_t ns = w.state->axis().toNs(at.x());
        const double before = w.state->axis().rangeNs();
        for (int i = 0; i < 12; ++i)
            w.wheel(at, 120);
        QVERIFY(w.state->axis().rangeNs() < before / 10.0);
        QVERIFY(std::abs(w.state->axis().toPixel(ns) - at.x()) < 0.01);
        const double zoomed = w.state->axis().rangeNs();
        const std::int64_t start = w.state->axis().startNs();
        w.wheel(at, -120, Qt::ShiftModifier);
        QCOMPARE(w.state->axis().rangeNs(), zoomed);
        QVERIFY(w.state->axis().startNs() > start);
    }

    void dragPansAndAClickDoesNot() {
        Window w;
        w.state->zoomAt(500.0, 8.0);
        const std::int64_t ns = w.state->axis().toNs(600.0);
        w.drag({600, 120}, {380, 120});
        QVERIFY(std::abs(w.state->axis().toPixel(ns) - 380.0) < 1.0);
        const TimeAxis axis = w.state->axis();
        QTest::mouseClick(w.canvas, Qt::LeftButton, {}, w.middleOf(w.study.launch));
        QVERIFY(w.state->axis() == axis);
        QVERIFY(!w.state->range());
    }

    void clickSelectsAndShowsDetails() {
        Window w;
        w.state->zoomToSpan(w.study.launch);
        w.state->select({}, false);
        QTest::mouseClick(w.canvas, Qt::LeftButton, {}, w.middleOf(w.study.launch));
        QVERIFY(w.state->selected() == w.study.launch);
        auto* details = w.find<QTreeWidget>("detailsTable");
        QStringList values;
        for (int i = 0; i < details->topLevelItemCount(); ++i)
            values << details->topLevelItem(i)->text(0) + QLatin1Char('=') +
                          details->topLevelItem(i)->text(1);
        const QString all = values.join(QLatin1Char('|'));
        for (const char* text : {"Name=maxpool2d forward", "Category=op", "Main thread", "size=256",
                                 "kernel=2x2, stride 2", "Leads to=maxpool rows"})
            QVERIFY2(all.contains(QLatin1String(text)), qPrintable(all));
        emit details->itemActivated(details->topLevelItem(details->topLevelItemCount() - 1), 1);
        QVERIFY(w.state->selected() == w.study.work);
    }

    void doubleClickZoomsToTheSpan() {
        Window w;
        w.state->showRange({20'000'000, 60'000'000});
        const SpanRef ref = w.study.trace->search("N = 512, cpu/sequential", 1).at(0);
        QTest::mouseDClick(w.canvas, Qt::LeftButton, {}, w.middleOf(ref));
        const QRectF rect = *spanRect(*w.state, ref);
        QVERIFY(rect.left() > 0.0 && rect.right() < w.canvas->width());
        QVERIFY(rect.width() > 0.7 * w.canvas->width());
    }

    void rangeStatisticsAreExact_data() {
        QTest::addColumn<bool>("inRuler");
        QTest::newRow("drag in the ruler") << true;
        QTest::newRow("Shift and drag in the rows") << false;
    }
    void rangeStatisticsAreExact() {
        QFETCH(bool, inRuler);
        Window w;
        auto* panel = w.find<StatisticsPanel>("statisticsByName");
        w.find<QTabWidget>("timelinePanels")->setCurrentWidget(panel);
        const int y = inRuler ? 30 : 200;
        w.drag({210, y}, {655, y}, inRuler ? Qt::NoModifier : Qt::ShiftModifier);
        QVERIFY(w.state->range());
        QVERIFY(std::abs(w.state->axis().toPixel(w.state->range()->startNs) - 210.0) < 1.0);
        QVERIFY(std::abs(w.state->axis().toPixel(w.state->range()->endNs) - 655.0) < 1.0);
        QTRY_VERIFY(!panel->isBusy());
        compareWithBruteForce(w, panel->text(heteroscope::CellTable::Form::Tsv));
        QVERIFY(w.find<QToolButton>("rangeChip")->isVisible());
        QVERIFY(
            w.find<QToolButton>("rangeChip")->text().contains(formatDuration(w.state->range()->lengthNs())));
        QTest::mouseClick(w.find<QToolButton>("rangeChip"), Qt::LeftButton);
        QVERIFY(!w.state->range());
        QVERIFY(!w.find<QToolButton>("rangeChip")->isVisible());
    }

    void statisticsFollowTheShownTracksAndQuote() {
        Window w;
        auto* panel = w.find<StatisticsPanel>("statisticsByName");
        w.find<QLineEdit>("trackFilter")->setText(QStringLiteral("thread 2"));
        QTRY_VERIFY(!panel->isBusy());
        const QString tsv = panel->text(heteroscope::CellTable::Form::Tsv);
        QVERIFY(tsv.startsWith(QLatin1String("name\tcategory\tcount\ttotal_ns")));
        QVERIFY(tsv.contains(QLatin1String("barrier wait\twait\t30\t")));
        QVERIFY(!tsv.contains(QLatin1String("maxpool2d forward")));
        w.find<QLineEdit>("trackFilter")->clear();
        QTRY_VERIFY(!panel->isBusy());
        QVERIFY(panel->text(heteroscope::CellTable::Form::Csv)
                    .contains(QLatin1String("\"N = 1024, cpu/sequential\",run,1,")));
        auto* table = panel->findChild<QTableView*>();
        const QString share =
            table->model()->headerData(NameStatisticsModel::Share, Qt::Horizontal).toString();
        QVERIFY2(share.contains(QLatin1String("recording")) && share.startsWith(QLatin1String("Total / ")),
                 qPrintable(share));
    }

    /// By name, by track, and the details, as the buttons copy them.
    void whatIsCopiedIsNoFormula_data() {
        QTest::addColumn<QString>("panel");
        QTest::addColumn<QString>("button");
        for (const char* panel : {"statisticsByName", "statisticsByTrack"})
            for (const char* button : {"Copy CSV", "Copy TSV"})
                QTest::addRow("%s, %s", panel, button) << QString(panel) << QString(button);
    }
    void whatIsCopiedIsNoFormula() {
        QFETCH(QString, panel);
        QFETCH(QString, button);
        const std::string formula = "=HYPERLINK(\"http://x\",\"a\tb\")";
        Window w;
        const auto track = w.study.track("@" + formula, kNoTrack, TrackKind::Thread);
        w.study.span(track, 2'000'000, 1'000'000, formula, "-" + formula);
        w.study.trace->publish();
        w.view.setTrace(w.study.trace, QStringLiteral("study"));
        auto* statistics = w.find<StatisticsPanel>(panel.toLatin1().constData());
        w.find<QTabWidget>("timelinePanels")->setCurrentWidget(statistics);
        QTRY_VERIFY(!statistics->isBusy());
        QApplication::clipboard()->clear();
        for (auto* copy : statistics->findChildren<QToolButton*>())
            if (copy->text() == button)
                copy->click();
        const std::string copied = QApplication::clipboard()->text().toStdString();
        const char separator = button.endsWith("CSV") ? ',' : '\t';
        QVERIFY2(heteroscope::spreadsheet::formulasIn(copied, separator).empty(), copied.c_str());
        const std::string guarded = panel.endsWith("Name") ? "'=HYPERLINK" : "'@=HYPERLINK";
        QVERIFY2(copied.find(guarded) != std::string::npos, copied.c_str());
    }

    void copiedDetailsAreNoFormulas() {
        Window w;
        const auto args = w.study.trace->addArgs({{w.study.trace->intern("@key"), "=1+1"}});
        const SpanRef span = w.study.span(w.study.main, 2'000'000, 1'000, "=2+2", "-x", 5, args);
        w.study.trace->publish();
        w.view.setTrace(w.study.trace, QStringLiteral("study"));
        w.state->select(span, false);
        QApplication::clipboard()->clear();
        auto* details = w.find<QTreeWidget>("detailsTable");
        for (QAction* action : details->actions())
            action->trigger();
        const std::string copied = QApplication::clipboard()->text().toStdString();
        QVERIFY2(heteroscope::spreadsheet::formulasIn(copied, '\t').empty(), copied.c_str());
        for (const char* text : {"@key", "=1+1", "=2+2"})
            QVERIFY2(heteroscope::spreadsheet::guardedCells(copied, text, '\t') == 1, copied.c_str());
    }

    void searchCyclesThroughHits() {
        Window w;
        QTest::keyClick(w.canvas, Qt::Key_F, Qt::ControlModifier);
        auto* field = w.find<QLineEdit>("searchField");
        QTRY_VERIFY(field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("N = 512"));
        QTRY_COMPARE(w.find<QLabel>("hitCount")->text(), QStringLiteral("3 hits"));
        const std::vector<SpanRef> hits = w.study.trace->search("N = 512", 10);
        for (const std::size_t expected : {0, 1, 2, 0}) {
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(w.state->selected() == hits[expected]);
        }
        QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
        QVERIFY(w.state->selected() == hits[2]);
        QTest::keyClick(&w.view, Qt::Key_F3);
        QVERIFY(w.state->selected() == hits[0]);
        QCOMPARE(w.find<QLabel>("hitCount")->text(), QStringLiteral("1 of 3"));
        w.search(QStringLiteral("no such name"));
        QCOMPARE(w.find<QLabel>("hitCount")->text(), QStringLiteral("No hits"));
        QVERIFY(!w.find<QToolButton>("nextHit")->isEnabled());
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(field->text().isEmpty());
        QVERIFY(w.canvas->hasFocus());
    }

    void hitsOnCollapsedRowsOpenThem() {
        Window w;
        w.state->editLayout([](TrackLayout& layout) { layout.setAllCollapsed(true); });
        w.search(QStringLiteral("barrier"));
        w.state->stepHit(1);
        const auto rect = spanRect(*w.state, w.state->selected());
        QVERIFY(rect && rect->bottom() <= w.state->viewHeight());
        QCOMPARE(w.state->layout().rowOf(w.state->selected().track)->track, w.state->selected().track);
    }

    void headerCollapsesPinsAndMoves() {
        Window w;
        w.header->setFocus();
        const auto rows = [&] { return w.state->layout().rows().size(); };
        const std::size_t all = rows();
        QTest::mouseClick(w.header, Qt::LeftButton, {}, {12, 12}); // the first group's arrow
        QVERIFY(rows() < all);
        QTest::mouseClick(w.header, Qt::LeftButton, {}, {12, 12});
        QCOMPARE(rows(), all);
        QTest::keyClick(w.header, Qt::Key_Down);
        QCOMPARE(w.header->currentTrack(), w.study.main);
        QTest::keyClick(w.header, Qt::Key_Space);
        QVERIFY(w.state->layout().isPinned(w.study.main));
        QCOMPARE(w.state->layout().pinnedRows().size(), std::size_t{1});
        QTest::keyClick(w.header, Qt::Key_Space);
        QTest::keyClick(w.header, Qt::Key_Left);
        QCOMPARE(w.state->layout().rowOf(w.study.main)->lanes, 1);
        const TrackId second = w.state->layout().rows()[1].track;
        QTest::keyClick(w.header, Qt::Key_Down, Qt::AltModifier);
        QVERIFY(w.state->layout().rows()[1].track != second);
        QTest::keyClick(w.header, Qt::Key_Delete);
        QVERIFY(w.state->layout().hasHidden());
        QVERIFY(!w.state->layout().rowOf(w.study.main));
    }

    void everythingByKeyboard() {
        Window w;
        const auto press = [&](Qt::Key key, Qt::KeyboardModifiers keys = {}) {
            QTest::keyClick(w.canvas, key, keys);
        };
        const double whole = w.state->axis().rangeNs();
        press(Qt::Key_W);
        press(Qt::Key_Plus);
        QVERIFY(w.state->axis().rangeNs() < whole / 1.7);
        const std::int64_t start = w.state->axis().startNs();
        press(Qt::Key_D);
        QVERIFY(w.state->axis().startNs() > start);
        press(Qt::Key_Left);
        QVERIFY(std::abs(double(w.state->axis().startNs() - start)) < w.state->axis().nsPerPixel());
        press(Qt::Key_Home);
        QCOMPARE(w.state->axis().rangeNs(), whole);
        press(Qt::Key_Period);
        QVERIFY(w.state->selected().valid());
        for (int lane = 1; lane <= 3; ++lane) {
            press(Qt::Key_Down);
            QCOMPARE(int(w.state->selected().lane), lane);
        }
        const SpanRef first = w.state->selected();
        press(Qt::Key_Tab);
        const SpanRef second = w.state->selected();
        QVERIFY(!(second == first));
        QVERIFY(w.study.trace->span(second)->startNs > w.study.trace->span(first)->startNs);
        press(Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY(w.state->selected() == first);
        press(Qt::Key_M);
        const Span span = *w.state->selectedSpan();
        QVERIFY(w.state->range() == (TimeRange{span.startNs, span.startNs + span.durationNs}));
        press(Qt::Key_F);
        QVERIFY(w.state->axis().rangeNs() < 1.01 * double(span.durationNs));
        press(Qt::Key_N);
        auto* note = w.find<QLineEdit>("noteEdit");
        QVERIFY(note && note->hasFocus());
        QTest::keyClicks(note, QStringLiteral("look here"));
        QTest::keyClick(note, Qt::Key_Return);
        QCOMPARE(w.state->notes().size(), std::size_t{1});
        QCOMPARE(w.state->notes()[0].text, QStringLiteral("look here"));
        press(Qt::Key_P);
        QVERIFY(w.state->layout().isPinned(span.track));
        press(Qt::Key_Escape);
        QVERIFY(!w.state->range() && w.state->selected().valid());
        press(Qt::Key_Escape);
        QVERIFY(!w.state->selected().valid());
    }

    void notesStayWithTheirTrace() {
        Window w;
        w.state->putNote(5, QStringLiteral("mine"));
        w.view.setTrace(std::make_shared<Trace>(), QStringLiteral("other"));
        QVERIFY(w.state->notes().empty());
        w.view.setTrace(w.study.trace, QStringLiteral("study"));
        QCOMPARE(w.state->notes().size(), std::size_t{1});
    }

    void notesAreKeptBesideTheRecording() {
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("run.hscope.notes.json"));
        StudyTrace study;
        const auto open = [&](TimelineView& view) {
            view.setNotesFile(file);
            view.setTrace(study.trace, QStringLiteral("study"));
            return view.findChild<TimelineState*>();
        };
        {
            TimelineView view;
            TimelineState* state = open(view);
            QVERIFY(state->notes().empty());
            QVERIFY(!QFile::exists(file)); // looking writes nothing
            state->putNote(5, QStringLiteral("a gap: why?"));
        }
        QVERIFY(QFile::exists(file));
        TimelineView again;
        TimelineState* state = open(again);
        QCOMPARE(state->notes().size(), std::size_t{1});
        QCOMPARE(state->notes()[0].timeNs, std::int64_t{5});
        QCOMPARE(state->notes()[0].text, QStringLiteral("a gap: why?"));
    }

    void aForeignFileOfNotesIsNotOverwritten() {
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("run.hscope.notes.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"mine\": true}");
        file.close();
        StudyTrace study;
        TimelineView view;
        QStringList said;
        QObject::connect(&view, &TimelineView::statusMessage, [&](const QString& text) { said << text; });
        view.setNotesFile(file.fileName());
        view.setTrace(study.trace, QStringLiteral("study"));
        QVERIFY2(said.join('|').contains("not a file of timeline notes"), qPrintable(said.join('|')));
        view.findChild<TimelineState*>()->putNote(5, QStringLiteral("lost?"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("{\"mine\": true}"));
    }

    void countersSayTheirPeakInAUnitThatFits() {
        auto trace = std::make_shared<Trace>();
        Track track;
        track.kind = TrackKind::Counter;
        track.name = trace->intern("memory in use");
        track.unit = trace->intern("bytes");
        const TrackId id = trace->addTrack(track);
        trace->appendCounter(id, 0, 3.0 * 1024 * 1024);
        trace->appendCounter(id, 1000, 1.5 * 1024 * 1024 * 1024);
        trace->publish();
        TimelineView view;
        view.resize(1280, 800);
        view.show();
        view.setTrace(trace, QStringLiteral("study"));
        auto* header = view.findChild<TrackHeader*>();
        const TrackInfo* info = view.findChild<TimelineState*>()->layout().track(id);
        QVERIFY(info != nullptr);
        QCOMPARE(header->peakText(*info), QStringLiteral("peak 1.50 GiB"));
    }

    void hoverHitsWhatIsSeen() {
        Window w;
        w.state->showRange({0, 30'000'000});
        const DrawList& list = w.canvas->drawList();
        const QImage image = w.canvas->grab().toImage();
        int compared = 0;
        for (const LaneSlice& lane : list.lanes)
            for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
                const PixelExtent extent = spanExtent(list.axis, list.step, list.spans[i]);
                const int x = extent.right - 2, y = kRulerHeight + lane.y + 2; // clear of the label
                if (extent.right - extent.left < 12 || x >= image.width() || y >= image.height() ||
                    lane.y < 0)
                    continue;
                const Hit hit = w.canvas->hitAt({double(x), double(y)});
                QVERIFY(hit.span && hit.span->longest == list.spans[i].longest);
                QCOMPARE(image.pixel(x, y), list.colors[i]);
                ++compared;
            }
        QVERIFY(compared > 15);
    }

    void liveFollowsUntilTheUserMoves() {
        auto trace = std::make_shared<Trace>();
        const TrackId on = trace->addTrack({0, kNoTrack, TrackKind::Thread, trace->intern("t"), 0, 0});
        const StringId name = trace->intern("step");
        std::int64_t now = 0;
        const auto grow = [&](int count) {
            for (int i = 0; i < count; ++i, now += 1000)
                trace->append({on, now, 800, name, 0, 0, -1});
            trace->publish();
        };
        TimelineView view;
        view.resize(1000, 600);
        view.show();
        view.setTrace(trace, QStringLiteral("live"));
        view.setLive(true);
        auto* state = view.findChild<TimelineState*>();
        auto* follow = view.findChild<QToolButton*>(QStringLiteral("follow"));
        QVERIFY(view.findChild<TimelineCanvas*>()->visibleRegion().isEmpty());
        grow(1000);
        view.traceGrew();
        QVERIFY(view.findChild<TimelineCanvas*>()->isVisible());
        QVERIFY(follow->isVisible() && follow->isChecked());
        grow(1000);
        view.traceGrew();
        QVERIFY(state->axis().startNs() <= 0 && state->axis().endNs() >= now); // still everything
        state->zoomAt(100.0, 10.0);
        const double zoomed = state->axis().rangeNs();
        grow(5000);
        view.traceGrew();
        QCOMPARE(state->axis().rangeNs(), zoomed);
        QVERIFY(state->axis().endNs() >= now && state->axis().startNs() < now);
        state->panBy(-300.0);
        QVERIFY(!follow->isChecked());
        const TimeAxis left = state->axis();
        grow(5000);
        view.traceGrew();
        QCOMPARE(state->axis().startNs(), left.startNs());
        follow->click();
        QVERIFY(state->axis().endNs() >= now && state->axis().startNs() < now);
    }

    void emptyStatesSayWhatToDo() {
        TimelineView view;
        view.resize(900, 500);
        view.show();
        const auto texts = [&] {
            QStringList all;
            for (const QLabel* label : view.findChildren<QLabel*>())
                if (label->isVisible())
                    all << label->text();
            return all.join(QLatin1Char('|'));
        };
        QVERIFY2(texts().contains(QLatin1String("Run an experiment")), qPrintable(texts()));
        view.setEmptyMessage(QStringLiteral("The file stopped after the header."));
        QVERIFY(texts().contains(QLatin1String("stopped after the header")));
        view.setTrace(std::make_shared<Trace>(), QStringLiteral("empty"));
        view.setLive(true);
        QVERIFY2(texts().contains(QLatin1String("Waiting for events")), qPrintable(texts()));
    }

    void qualityBadgeSpeaks() {
        Window w;
        auto* badge = w.find<QToolButton>("qualityBadge");
        QVERIFY(!badge->isVisible());
        DataQuality quality;
        quality.droppedEvents = 1234;
        quality.notes = {"The recording stopped early."};
        w.study.trace->setQuality(quality);
        w.study.trace->publish();
        w.view.traceGrew();
        QVERIFY(badge->isVisible());
        QVERIFY(badge->toolTip().contains(QLatin1String("dropped")));
        QVERIFY(badge->toolTip().contains(QLatin1String("stopped early")));
    }

    void miniTimelineOpensItsWindow() {
        StudyTrace study;
        MiniTimeline mini;
        mini.resize(600, 240);
        mini.show();
        mini.setTrace(study.trace);
        QSignalSpy opened(&mini, &MiniTimeline::rangeActivated);
        QTest::mouseDClick(mini.findChild<TimelineCanvas*>(), Qt::LeftButton, {}, {200, 100});
        QCOMPARE(opened.size(), 1);
        QVERIFY(opened[0][0].toLongLong() <= study.trace->startNs());
        QVERIFY(opened[0][1].toLongLong() >= study.trace->endNs());
    }

  private:
    /// Compares a TSV of the names with sums made span by span.
    static void compareWithBruteForce(const Window& w, const QString& tsv) {
        struct Sum {
            std::int64_t count = 0, total = 0, min = INT64_MAX, max = 0;
        };
        std::map<std::string, Sum> sums;
        const TimeRange range = *w.state->range();
        w.study.trace->forEachSpan([&](SpanRef, const Span& span) {
            const std::int64_t from = std::max(span.startNs, range.startNs);
            const std::int64_t to = std::min(span.startNs + span.durationNs, range.endNs);
            if (to > from) {
                Sum& sum = sums[w.study.trace->string(span.name)];
                ++sum.count;
                sum.total += to - from;
                sum.min = std::min(sum.min, to - from);
                sum.max = std::max(sum.max, to - from);
            }
            return true;
        });
        const QStringList lines = tsv.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), static_cast<int>(sums.size()) + 1);
        QVERIFY(lines.size() > 5);
        for (int i = 1; i < lines.size(); ++i) {
            const QStringList cells = lines[i].split(QLatin1Char('\t'));
            const Sum& sum = sums.at(cells[0].toStdString());
            QCOMPARE(cells[NameStatisticsModel::Count].toLongLong(), sum.count);
            QCOMPARE(cells[NameStatisticsModel::Total].toLongLong(), sum.total);
            QCOMPARE(cells[NameStatisticsModel::Min].toLongLong(), sum.min);
            QCOMPARE(cells[NameStatisticsModel::Max].toLongLong(), sum.max);
            const double share = cells[NameStatisticsModel::Share].toDouble();
            QVERIFY(std::abs(share - double(sum.total) / range.lengthNs()) < 1e-9);
        }
    }
};

HETEROSCOPE_UI_TEST(TimelineViewTest)
#include "timeline_view_test.moc"
