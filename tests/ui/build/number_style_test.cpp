// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of the form are written as figures are, in groups of three digits, and read back.
#include "tests/ui/build/build_fixture.h"
#include "tests/ui/program/ui_test.h"

#include <QClipboard>
#include <QLabel>
#include <QRegularExpression>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

Json largeMatmul() {
    Json document = compute::defaultMatmulDocument();
    document["matmul"]["m"] = 12000;
    return document;
}

} // namespace

class NumberStyleTest : public QObject {
    Q_OBJECT
  private slots:
    void aFieldShowsGroupsAndTheRangeDoes() {
        BuildFixture f(largeMatmul());
        QCOMPARE(f.spin("/matmul/m")->text(), QString("12\u00a0000"));
        const QString range = f.field("/matmul/m")->hint().range;
        QVERIFY2(range.contains(QChar::Nbsp), qPrintable(range));
        static const QRegularExpression kUngrouped("\\d{4}");
        QVERIFY2(!range.contains(kUngrouped), qPrintable(range));
    }

    void aFieldTakesGroupsAndNone_data() {
        QTest::addColumn<QString>("pasted");
        QTest::newRow("plain") << "24000";
        QTest::newRow("space") << "24 000";
        QTest::newRow("no-break space") << "24\u00a0000";
        QTest::newRow("narrow space") << "24\u202f000";
    }
    void aFieldTakesGroupsAndNone() {
        QFETCH(QString, pasted);
        BuildFixture f(largeMatmul());
        QGuiApplication::clipboard()->setText(pasted);
        f.clickAndType(f.spin("/matmul/m"), {});
        QTest::keyClick(f.spin("/matmul/m"), Qt::Key_V, Qt::ControlModifier);
        QTest::keyClick(f.spin("/matmul/m"), Qt::Key_Return);
        QCOMPARE(f.at("/matmul/m").get<int>(), 24000);
        QCOMPARE(f.spin("/matmul/m")->text(), QString("24\u00a0000"));
    }

    /// The list is typed, so it stays as it is typed; what it comes to is read.
    void aSweepIsListedInGroups() {
        Json document = largeMatmul();
        document["axes"] = {{"/matmul/n", {1024, 12000}}};
        BuildFixture f(document);
        QCOMPARE(f.find<QLineEdit>("axis-values-0")->text(), QString("1024, 12000"));
        QStringList shown;
        for (const QLabel* label : f.view.findChildren<QLabel*>())
            shown << label->text();
        QVERIFY2(shown.filter("1\u00a0024, 12\u00a0000").size() >= 2, qPrintable(shown.join('|')));
    }
};

HETEROSCOPE_UI_TEST(NumberStyleTest)
#include "number_style_test.moc"
