// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the timeline that need no widget: axis, ticks, texts, rows, draw list, hit test, steps.
#include "tests/ui/program/ui_test.h"
#include "tests/ui/timeline/sample_trace.h"
#include "ui/timeline/draw_list.h"
#include "ui/timeline/span_walk.h"
#include "ui/timeline/time_format.h"

using namespace heteroscope::ui;
using namespace heteroscope::profiling;
using heteroscope::ui::test::StudyTrace;

namespace {

TimeAxis axisOver(std::int64_t start, std::int64_t end, double width = 1000.0) {
    TimeAxis axis;
    axis.setWidth(width);
    axis.setLimits(start, end);
    axis.fit();
    return axis;
}

std::vector<TrackInfo> smallTree() {
    // 0 process { 1 main (3 lanes), 2 worker, 3 memory (counter) }, 4 gpu { 5 stream }
    return {{0, kNoTrack, TrackKind::Group, "process", {}, 0, 0},
            {1, 0, TrackKind::Thread, "main", {}, 0, 3},
            {2, 0, TrackKind::Thread, "worker", {}, 1, 1},
            {3, 0, TrackKind::Counter, "memory", "B", 2, 0},
            {4, kNoTrack, TrackKind::Group, "gpu", {}, 1, 0},
            {5, 4, TrackKind::Stream, "stream 7", {}, 0, 1}};
}

std::vector<TrackId> order(const TrackLayout& layout) {
    std::vector<TrackId> ids;
    for (const Row& row : layout.rows())
        ids.push_back(row.track);
    return ids;
}

DrawOptions optionsFor(const TimeAxis& axis, double step = 1.0) {
    DrawOptions options;
    options.axis = axis;
    options.step = step;
    options.height = 2000;
    return options;
}

} // namespace

class TimelineLayoutTest : public QObject {
    Q_OBJECT
  private slots:
    void zoomKeepsTheTimeUnderTheCursor() {
        for (const std::int64_t start : {std::int64_t{0}, std::int64_t{1'700'000'000'000'000'000}}) {
            TimeAxis axis = axisOver(start, start + 60'000'000'000);
            const std::int64_t ns = axis.toNs(700.0);
            for (int i = 0; i < 100; ++i) {
                axis.zoomAt(700.0, 1.3);
                QVERIFY2(std::abs(axis.toPixel(ns) - 700.0) < 1e-3 + 1.0 / axis.nsPerPixel(),
                         qPrintable(QString::number(axis.toPixel(ns))));
            }
            QCOMPARE(axis.nsPerPixel(), TimeAxis::kMinNsPerPixel);
        }
    }

    void zoomOutShowsEverything() {
        TimeAxis axis = axisOver(1000, 2000);
        axis.setRange(1400, 1440);
        QVERIFY(axis.startNs() >= 1399 && axis.endNs() <= 1441);
        for (int i = 0; i < 50; ++i)
            axis.zoomAt(10.0, 0.5);
        QVERIFY(axis.startNs() <= 1000 && axis.endNs() >= 2000);
        QVERIFY(axis.rangeNs() < 1100.0);
    }

    void panStopsHalfAWindowPastTheEnds() {
        TimeAxis axis = axisOver(0, 1'000'000);
        axis.setRange(0, 1000);
        axis.panBy(1e9);
        QCOMPARE(axis.toNs(500.0), std::int64_t{1'000'000});
        axis.panBy(-1e9);
        QCOMPARE(axis.toNs(500.0), std::int64_t{0});
    }

    void extremeLimitsDoNotOverflow() {
        TimeAxis axis = axisOver(INT64_MIN, INT64_MAX);
        axis.zoomAt(3.0, 1e12);
        axis.panBy(1e30);
        QVERIFY(std::isfinite(axis.toPixel(0)));
        QVERIFY(!ticksFor(axis).ticks.empty());
    }

    void ticksAreRoundAndFarEnoughApart_data() {
        QTest::addColumn<qlonglong>("start");
        QTest::addColumn<qlonglong>("length");
        for (const qlonglong length :
             {50LL, 3'000LL, 77'000LL, 5'000'000LL, 900'000'000LL, 40'000'000'000LL, 4'000'000'000'000LL})
            for (const qlonglong start : {0LL, 123'456'789'012LL})
                QTest::addRow("%lld at %lld", length, start) << start << length;
    }
    void ticksAreRoundAndFarEnoughApart() {
        QFETCH(qlonglong, start);
        QFETCH(qlonglong, length);
        TimeAxis axis = axisOver(0, 5'000'000'000'000);
        axis.setRange(start, start + length);
        const TickSet set = ticksFor(axis, 100.0);
        double last = -1e9;
        int majors = 0;
        QStringList labels;
        for (const TimeTick& tick : set.ticks) {
            if (!tick.major)
                continue;
            ++majors;
            QVERIFY(axis.toPixel(tick.ns) - last >= 99.0);
            last = axis.toPixel(tick.ns);
            QVERIFY2(!labels.contains(tick.label), qPrintable(tick.label));
            QVERIFY2(tick.label.size() <= 10, qPrintable(tick.label));
            labels << tick.label;
        }
        QVERIFY(majors >= 2 && majors <= 11);
        QCOMPARE(!set.base.isEmpty(), start > 0 && length < 10'000'000);
    }

    void textsOfTimes() {
        QCOMPARE(formatDuration(0), QStringLiteral("0 ns"));
        QCOMPARE(formatDuration(812), QStringLiteral("812 ns"));
        QCOMPARE(formatDuration(1'234'000), QStringLiteral("1.234 ms"));
        QCOMPARE(formatDuration(45'670), QString::fromUtf8("45.67 µs"));
        QCOMPARE(formatDuration(123.4e9), QStringLiteral("2 min 3.4 s"));
        QCOMPARE(formatTime(1'500'000'000, 1e6), QStringLiteral("1.500 s"));
        QCOMPARE(formatValue(12.4e9, QStringLiteral("B/s")), QStringLiteral("12.4 GB/s"));
        QCOMPARE(formatValue(1.5 * 1024 * 1024, QStringLiteral("B")), QStringLiteral("1.50 MiB"));
        QCOMPARE(formatValue(1980, QStringLiteral("MHz")), QStringLiteral("1980 MHz")); // not 1.98 kMHz
        QCOMPARE(formatValue(1410, QStringLiteral("W")), QStringLiteral("1.41 kW"));
        QCOMPARE(niceCeiling(0.031), 0.05);
        QCOMPARE(niceCeiling(1000.0), 1000.0);
    }

    void rowsFollowTheTree() {
        TrackLayout layout;
        layout.setTracks(smallTree());
        QCOMPARE(order(layout), (std::vector<TrackId>{0, 1, 2, 3, 4, 5}));
        QCOMPARE(layout.rows()[1].lanes, 3);
        int y = 0;
        for (const Row& row : layout.rows()) {
            QCOMPARE(row.y, y);
            y += row.height;
        }
        QCOMPARE(layout.height(), y);
        QCOMPARE(TrackLayout::rowAt(layout.rows(), layout.rows()[2].y), 2);
        QCOMPARE(TrackLayout::rowAt(layout.rows(), y), -1);
        QCOMPARE(layout.path(5), QStringLiteral("gpu / stream 7"));
    }

    void collapsePinHideMoveFilter() {
        TrackLayout layout;
        layout.setTracks(smallTree());
        layout.setCollapsed(0, true);
        QCOMPARE(order(layout), (std::vector<TrackId>{0, 4, 5}));
        QVERIFY(layout.rows()[0].summary);
        QCOMPARE(layout.rowOf(2)->track, TrackId{0}); // what hides it stands for it
        QCOMPARE(layout.shownTracks(), (std::vector<TrackId>{0, 1, 2, 3, 4, 5}));
        layout.setCollapsed(0, false);
        layout.setCollapsed(1, true);
        QCOMPARE(layout.rows()[1].lanes, 1);
        layout.setPinned(5, true);
        QCOMPARE(layout.pinnedRows().size(), std::size_t{1});
        QCOMPARE(order(layout), (std::vector<TrackId>{0, 1, 2, 3, 4}));
        bool pinned = false;
        QVERIFY(layout.rowOf(5, &pinned) && pinned);
        layout.setPinned(5, false);
        QVERIFY(layout.move(4, -1));
        QVERIFY(!layout.move(4, -1));
        QCOMPARE(order(layout), (std::vector<TrackId>{4, 5, 0, 1, 2, 3}));
        layout.setTracks(smallTree()); // growth keeps what the user arranged
        QCOMPARE(order(layout), (std::vector<TrackId>{4, 5, 0, 1, 2, 3}));
        QCOMPARE(layout.tracksInOrder(), order(layout));
        layout.setHidden(2, true);
        QCOMPARE(layout.tracksInOrder(), (std::vector<TrackId>{4, 5, 0, 1, 2, 3})); // hidden ones too
        QCOMPARE(layout.shownTracks(), (std::vector<TrackId>{0, 1, 3, 4, 5}));
        layout.setFilter(QStringLiteral("STREAM"));
        QCOMPARE(order(layout), (std::vector<TrackId>{4, 5}));
        layout.setFilter(QStringLiteral("process"));
        QCOMPARE(order(layout), (std::vector<TrackId>{0, 1, 3}));
        layout.setFilter(QStringLiteral("worker"));
        QVERIFY(layout.rows().empty());
        layout.showAll();
        QCOMPARE(layout.rows().size(), std::size_t{6});
    }

    void hitTestEqualsDrawnPixels() {
        StudyTrace study;
        TrackLayout layout;
        layout.setTracks(readTracks(*study.trace));
        for (const double step : {1.0, 0.5}) {
            for (const double zoom : {1.0, 7.0, 60.0}) {
                TimeAxis axis = axisOver(study.trace->startNs(), study.trace->endNs(), 800.0);
                axis.zoomAt(333.0, zoom);
                SpanPalette palette(*study.trace, true);
                const DrawList list = buildDrawList(*study.trace, layout, optionsFor(axis, step), palette);
                QVERIFY(!list.spans.empty());
                compareHits(list);
            }
        }
    }

    void everySpanIsDrawnAtAnyZoom() {
        StudyTrace study;
        TrackLayout layout;
        layout.setTracks(readTracks(*study.trace));
        SpanPalette palette(*study.trace, true);
        const TimeAxis axis = axisOver(study.trace->startNs(), study.trace->endNs(), 50.0);
        const DrawList list = buildDrawList(*study.trace, layout, optionsFor(axis), palette);
        std::uint64_t drawn = 0;
        for (const DrawSpan& span : list.spans)
            drawn += span.count;
        QCOMPARE(drawn, study.trace->spanCount());
        QVERIFY(list.spans.size() < 50 * list.lanes.size() * 2);
    }

    void collapsedGroupShowsItsActivity() {
        auto trace = std::make_shared<Trace>();
        const TrackId group = trace->addTrack({0, kNoTrack, TrackKind::Group, trace->intern("g"), 0, 0});
        const TrackId a = trace->addTrack({0, group, TrackKind::Thread, trace->intern("a"), 0, 0});
        const TrackId b = trace->addTrack({0, group, TrackKind::Thread, trace->intern("b"), 0, 0});
        trace->append({a, 0, 1'000'000, trace->intern("x"), 0, 0, -1});
        trace->append({b, 0, 500'000, trace->intern("x"), 0, 0, -1});
        trace->publish();
        TrackLayout layout;
        layout.setTracks(readTracks(*trace));
        layout.setCollapsed(group, true);
        SpanPalette palette(*trace, false);
        const DrawList list = buildDrawList(*trace, layout, optionsFor(axisOver(0, 1'000'000)), palette);
        QCOMPARE(list.counters.size(), std::size_t{1});
        const auto shareAt = [&](std::int64_t ns) {
            return hitTest(list, list.axis.toPixel(ns), list.bands[0].y + 10).counter->max;
        };
        QVERIFY(std::abs(shareAt(250'000) - 1.0) < 0.01);
        QVERIFY(std::abs(shareAt(750'000) - 0.5) < 0.01);
    }

    void unwantedSpansFade() {
        StudyTrace study;
        TrackLayout layout;
        layout.setTracks(readTracks(*study.trace));
        SpanPalette palette(*study.trace, true);
        DrawOptions options = optionsFor(axisOver(study.trace->startNs(), study.trace->endNs(), 4000.0));
        options.background = qRgb(0, 0, 0);
        const StringId op = study.trace->intern("maxpool2d forward");
        options.wanted = [op](StringId name) { return name == op; };
        const DrawList list = buildDrawList(*study.trace, layout, options, palette);
        int wanted = 0, faded = 0;
        for (std::size_t i = 0; i < list.spans.size(); ++i) {
            if (list.spans[i].count != 1)
                continue;
            const QRgb full = palette.color(list.spans[i].category, list.spans[i].name);
            if (list.spans[i].name == op)
                wanted += list.colors[i] == full;
            else
                faded += qGray(list.colors[i]) < qGray(full) / 2;
        }
        QCOMPARE(wanted, 45);
        QVERIFY(faded > 50);
    }

    void stepsVisitEverySpanInOrder() {
        auto trace = std::make_shared<Trace>();
        const TrackId on = trace->addTrack({0, kNoTrack, TrackKind::Thread, trace->intern("t"), 0, 0});
        std::vector<std::int64_t> starts;
        std::int64_t now = 5;
        for (int i = 0; i < 400; ++i) {
            starts.push_back(now);
            trace->append({on, now, 3 + i % 7, trace->intern("s"), 0, 0, 0});
            now += 3 + i % 7 + (i % 50 == 49 ? 3'000'000'000LL : i % 3); // dense runs between wide gaps
        }
        trace->publish();
        SpanRef at = nearestSpan(*trace, on, 0);
        for (std::size_t i = 0; i < starts.size(); ++i) {
            QVERIFY(at.valid());
            QCOMPARE(trace->span(at)->startNs, starts[i]);
            const SpanRef next = neighbourSpan(*trace, at, true);
            if (next.valid())
                QVERIFY(neighbourSpan(*trace, next, false) == at);
            at = next;
        }
        QVERIFY(!at.valid());
    }

  private:
    /// Paints each lane pixel by pixel as the painters do and asks the hit test for every pixel.
    void compareHits(const DrawList& list) {
        const int columns = static_cast<int>(list.axis.width() / list.step);
        for (const LaneSlice& lane : list.lanes) {
            std::vector<int> owner(static_cast<std::size_t>(columns), -1);
            for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
                const PixelExtent extent = spanExtent(list.axis, list.step, list.spans[i]);
                for (int x = std::max(0, extent.left); x < std::min(columns, extent.right); ++x)
                    owner[static_cast<std::size_t>(x)] = static_cast<int>(i);
            }
            for (int x = 0; x < columns; ++x) {
                const Hit hit = hitTest(list, (x + 0.5) * list.step, lane.y + lane.height / 2.0);
                const int drawn = owner[static_cast<std::size_t>(x)];
                QCOMPARE(hit.track, lane.track);
                QCOMPARE(hit.span.has_value(), drawn >= 0);
                if (drawn >= 0)
                    QVERIFY(hit.span->longest == list.spans[static_cast<std::size_t>(drawn)].longest);
            }
        }
    }
};

HETEROSCOPE_UI_TEST(TimelineLayoutTest)
#include "timeline_layout_test.moc"
