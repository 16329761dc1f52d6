// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks: round numbers, few enough, and never fewer than two labels.
#include "tests/ui/program/ui_test.h"
#include "ui/charts/ticks.h"

#include <QtTest>

using namespace heteroscope::ui;

class TicksTest : public QObject {
    Q_OBJECT

    static QStringList labels(const std::vector<Tick>& ticks) {
        QStringList texts;
        for (const Tick& tick : ticks)
            if (!tick.text.isEmpty())
                texts << tick.text;
        return texts;
    }

  private slots:
    void linear() {
        QCOMPARE(labels(axisTicks(AxisScale::Linear, 0, 10, 6)),
                 QStringList({"0", "2", "4", "6", "8", "10"}));
        QCOMPARE(labels(axisTicks(AxisScale::Linear, 0, 1.1, 6)),
                 QStringList({"0", "0.25", "0.50", "0.75", "1.00"}));
    }

    void thousandsAreGrouped() {
        QCOMPARE(labels(axisTicks(AxisScale::Linear, 0, 12000, 5)),
                 QStringList({"0", "5\u00a0000", "10\u00a0000"}));
        QCOMPARE(labels(axisTicks(AxisScale::Log10, 1000, 1e6, 9)),
                 QStringList({"1\u00a0000", "10\u00a0000", "100\u00a0000", "1\u00a0000\u00a0000"}));
    }

    void wholeNumbers() {
        QCOMPARE(labels(axisTicks(AxisScale::Linear, 1, 4, 9, true)), QStringList({"1", "2", "3", "4"}));
    }

    void powersOfTwo() {
        QCOMPARE(labels(axisTicks(AxisScale::Log2, 4, 4096, 11)),
                 QStringList({"4", "8", "16", "32", "64", "128", "256", "512", "1\u00a0024", "2\u00a0048",
                              "4\u00a0096"}));
        const QStringList few = labels(axisTicks(AxisScale::Log2, 4, 4096, 6));
        QCOMPARE(few, QStringList({"4", "16", "64", "256", "1\u00a0024", "4\u00a0096"}));
    }

    void decades() {
        QCOMPARE(labels(axisTicks(AxisScale::Log10, 1e-5, 100, 9)),
                 QStringList({"10⁻⁵", "10⁻⁴", "0.001", "0.01", "0.1", "1", "10", "100"}));
    }

    void zoomedLogKeepsLabels_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("one decade") << 0.2 << 3.0;
        QTest::newRow("inside a decade") << 2.2 << 8.4;
        QTest::newRow("a sliver") << 3.31 << 3.37;
    }
    void zoomedLogKeepsLabels() {
        QFETCH(double, low);
        QFETCH(double, high);
        for (const AxisScale scale : {AxisScale::Log10, AxisScale::Log2})
            QVERIFY(labels(axisTicks(scale, low, high, 8)).size() >= 2);
    }

    void emptyRangeHasOneTick() { QCOMPARE(axisTicks(AxisScale::Linear, 3, 3, 5).size(), std::size_t(1)); }
};

HETEROSCOPE_UI_TEST(TicksTest)
#include "ticks_test.moc"
