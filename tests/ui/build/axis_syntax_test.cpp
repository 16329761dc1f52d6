// SPDX-License-Identifier: GPL-3.0-or-later
// Lists and ranges of sweep values.
#include "tests/ui/program/ui_test.h"
#include "ui/build/axis_syntax.h"

using namespace heteroscope;
using namespace heteroscope::ui;

class AxisSyntaxTest : public QObject {
    Q_OBJECT
  private slots:
    void reads_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("values");
        QTest::newRow("doubling") << "4..4096 *2"
                                  << "[4,8,16,32,64,128,256,512,1024,2048,4096]";
        QTest::newRow("ones") << "1..8"
                              << "[1,2,3,4,5,6,7,8]";
        QTest::newRow("step") << "10..50 +10"
                              << "[10,20,30,40,50]";
        QTest::newRow("end between steps") << "1..8 +3"
                                           << "[1,4,7]";
        QTest::newRow("list") << "1, 2, 4"
                              << "[1,2,4]";
        QTest::newRow("single") << "7"
                                << "[7]";
        QTest::newRow("words") << "image, window"
                               << "[\"image\",\"window\"]";
        QTest::newRow("truth") << "true, false"
                               << "[true,false]";
        QTest::newRow("pairs") << "[2, 3], [4, 5]"
                               << "[[2,3],[4,5]]";
        QTest::newRow("mixed") << "1, 4..16 *2"
                               << "[1,4,8,16]";
        QTest::newRow("fraction") << "0.5..2 +0.5"
                                  << "[0.5,1,1.5,2]";
        QTest::newRow("copied with its groups") << "12\u00a0000, 24\u00a0000"
                                                << "[12000,24000]";
        QTest::newRow("sign") << "-2..1"
                              << "[-2,-1,0,1]";
    }
    void reads() {
        QFETCH(QString, text);
        QFETCH(QString, values);
        const auto parsed = parseAxisValues(text);
        QVERIFY2(parsed.ok(), parsed.ok() ? "" : parsed.error().message.c_str());
        QCOMPARE(QString::fromStdString(Json(*parsed).dump()), values);
        const auto again = parseAxisValues(axisValuesText(*parsed));
        QVERIFY(again.ok());
        QVERIFY(*again == *parsed);
    }

    void refuses_data() {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "1,,2", "8..", "a..b", "8..4", "0..8 *2", "1..8 *1", "1..8 +0", "1..1000000"})
            QTest::newRow(*text ? text : "nothing") << QString(text);
    }
    void refuses() {
        QFETCH(QString, text);
        const auto parsed = parseAxisValues(text);
        QVERIFY(!parsed.ok());
        QVERIFY(!parsed.error().message.empty());
    }

    void writesShort() {
        QCOMPARE(axisValuesText({4, 8, 16, 32}), QString("4..32 *2"));
        QCOMPARE(axisValuesText({1, 2, 3, 4}), QString("1..4"));
        QCOMPARE(axisValuesText({1, 2, 4}), QString("1, 2, 4"));
        QCOMPARE(axisValuesText({"image", "window"}), QString("image, window"));
        QCOMPARE(axisPreview({4, 8, 16, 32, 64, 128, 256}), QString("4, 8, 16, 32 … 256"));
    }
};

HETEROSCOPE_UI_TEST(AxisSyntaxTest)
#include "axis_syntax_test.moc"
