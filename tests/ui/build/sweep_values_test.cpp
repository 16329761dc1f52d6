// SPDX-License-Identifier: GPL-3.0-or-later
// The values that a sweep begins with when its parameter is chosen.
#include "tests/ui/build/network/network_fixture.h"
#include "tests/ui/program/ui_test.h"

using namespace heteroscope;
using namespace heteroscope::ui;

class SweepValuesTest : public QObject {
    Q_OBJECT
  private slots:
    void liesAroundThePresentValue_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("expected");
        QTest::newRow("smallest value") << "/pooling/input/low"
                                        << "[-1,0,1]";
        QTest::newRow("largest value") << "/pooling/input/high"
                                       << "[8,9,10]";
        QTest::newRow("channels") << "/pooling/input/channels"
                                  << "[1,2,3]";
        QTest::newRow("seed") << "/pooling/input/seed"
                              << "[0,1,2]";
    }
    void liesAroundThePresentValue() {
        QFETCH(QString, pointer);
        QFETCH(QString, expected);
        Json document = compute::defaultPoolingDocument();
        document["axes"] = {{"/pooling/kernel", {2, 3}}};
        BuildFixture f(document);
        choose(f, pointer);
        QCOMPARE(values(f, pointer), expected);
        QVERIFY(f.document.canRun());
    }

    void ofARateIsARate() {
        Json document = networkOf(modelZero());
        document["axes"] = {{"/training/batch", {32, 64}}};
        BuildFixture f(document);
        choose(f, "/training/optimizer/learning_rate");
        QCOMPARE(values(f, "/training/optimizer/learning_rate"), QStringLiteral("[0.005,0.01,0.02]"));
    }

  private:
    static void choose(BuildFixture& f, const QString& pointer) {
        auto* box = f.find<QComboBox>("axis-parameter-0");
        const int index = box->findData(pointer);
        QVERIFY2(index >= 0, qPrintable(pointer));
        box->setCurrentIndex(index);
        emit box->activated(index);
    }
    static QString values(const BuildFixture& f, const QString& pointer) {
        return fromStd(f.document.json().at("axes").at(pointer.toStdString()).dump());
    }
};

HETEROSCOPE_UI_TEST(SweepValuesTest)
#include "sweep_values_test.moc"
