// SPDX-License-Identifier: GPL-3.0-or-later
// A network experiment in the forms: shown, edited, taken back, saved and opened again.
#include "tests/ui/build/build_fixture.h"
#include "tests/ui/program/ui_test.h"
#include "ui/common/format.h"

#include <QPushButton>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;

class NetworkFormTest : public QObject {
    Q_OBJECT
  private slots:
    void theFormsShowTheDocument() {
        BuildFixture f(compute::defaultNetworkDocument());
        QVERIFY(f.document.canRun());
        QCOMPARE(f.find<QComboBox>("kind")->currentData().toString(), QString("network"));
        QCOMPARE(f.spin("/network/input/shape", 0)->value(), 1.0);
        QCOMPARE(f.spin("/network/input/shape", 2)->value(), 28.0);
        QCOMPARE(f.spin("/training/batch")->value(), 32.0);
        QVERIFY(f.find<QPushButton>("run")->isEnabled());
    }

    void theShapeIsEditedAndTakenBack() {
        BuildFixture f(compute::defaultNetworkDocument());
        f.clickAndType(f.spin("/network/input/shape", 0), "3");
        QVERIFY(f.at("/network/input/shape") == Json::array({3, 28, 28}));
        auto* kind = f.field("/network/input/shape")->findChild<QComboBox*>("shape-kind");
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Down);
        QVERIFY(f.at("/network/input/shape") == Json::array({2352}));
        while (f.document.undoStack().canUndo())
            f.document.undoStack().undo();
        QVERIFY(f.document.json() == compute::defaultNetworkDocument());
    }

    void whatHasNoEffectIsHidden() {
        BuildFixture f(compute::defaultNetworkDocument());
        QVERIFY(f.field("/training/optimizer/momentum")->isVisible());
        QVERIFY(!f.field("/training/optimizer/beta1")->isVisible());
        f.document.setValue("/training/optimizer/type", "adam", "adam");
        QVERIFY(!f.field("/training/optimizer/momentum")->isVisible());
        QVERIFY(f.field("/training/optimizer/beta1")->isVisible());
        f.document.setValue("/task", "infer", "infer");
        QVERIFY(!f.field("/training/optimizer/beta1")->isVisible());
        QVERIFY(!f.field("/training/batch")->isVisible());
        QVERIFY(f.field("/network/input/batch")->isVisible());
    }

    void everyTrainingValueIsEditedWithItsRange() {
        Json document = compute::defaultNetworkDocument();
        document["data"] = {{"source", "idx"}, {"images", "a"}, {"labels", "b"}};
        BuildFixture f(document);
        int edited = 0;
        for (const compute::ParameterGroup& group : compute::parameterGroups("network"))
            if (group.pointer == "/training" || group.pointer == "/training/optimizer")
                for (const compute::Parameter& parameter : group.parameters) {
                    const QString pointer = fromStd(group.pointer + "/" + parameter.key);
                    FormField* field = f.field(pointer);
                    if (parameter.min && parameter.max)
                        QVERIFY2(!field->hint().range.isEmpty(), qPrintable(pointer));
                    QVERIFY2(!field->hint().text.isEmpty(), qPrintable(pointer));
                    if (!field->isActive())
                        continue;
                    QVERIFY2(field->isVisible(), qPrintable(pointer));
                    ++edited;
                }
        QVERIFY(edited >= 9);
    }

    void smallNumbersStepByTheirLeadingDigit() {
        BuildFixture f(compute::defaultNetworkDocument());
        SoftSpinBox* rate = f.spin("/training/optimizer/learning_rate");
        rate->stepUp();
        QVERIFY(f.at("/training/optimizer/learning_rate") == 0.02);
        rate->stepBy(5);
        QVERIFY(f.at("/training/optimizer/learning_rate") == 0.07);
        rate->stepBy(-7);
        QVERIFY(f.at("/training/optimizer/learning_rate") == 0.009);
        rate->stepBy(-20);
        QVERIFY(f.at("/training/optimizer/learning_rate").get<double>() > 0);
        while (f.document.undoStack().canUndo())
            f.document.undoStack().undo();
        QVERIFY(f.document.json() == compute::defaultNetworkDocument());
    }

    void aLayersParameterIsSwept() {
        BuildFixture f(compute::defaultNetworkDocument());
        QTest::mouseClick(f.find<QPushButton>("add-axis"), Qt::LeftButton);
        QVERIFY(f.at("/axes").contains("/training/batch"));
        auto* parameter = f.find<QComboBox>("axis-parameter-0");
        const int filters = parameter->findData("/network/layers/0/filters");
        QVERIFY(filters >= 0);
        QCOMPARE(parameter->itemText(filters), QString("conv1: Filters"));
        parameter->setCurrentIndex(filters);
        emit parameter->activated(filters);
        QVERIFY(f.at("/axes").contains("/network/layers/0/filters"));
        QVERIFY(f.document.canRun());
    }

    void savedAndOpenedAgainItIsTheSame() {
        QTemporaryDir folder;
        BuildFixture f(compute::defaultNetworkDocument());
        QString error;
        QVERIFY(f.document.save(folder.filePath("network.json"), &error));
        Document again;
        QVERIFY2(again.load(folder.filePath("network.json"), &error), qPrintable(error));
        QVERIFY(nlohmann::json(again.json()) == nlohmann::json(f.document.json()));
        QVERIFY(again.canRun());
    }

    void everyKindCanBeReachedAndLeft() {
        BuildFixture f;
        auto* kind = f.find<QComboBox>("kind");
        for (const int row : {2, 1, 2, 0}) {
            kind->setCurrentIndex(row);
            emit kind->activated(row);
            QVERIFY(f.at("/kind") == kind->itemData(row).toString().toStdString());
        }
        while (f.document.undoStack().canUndo())
            f.document.undoStack().undo();
        QVERIFY(f.document.json() == compute::defaultPoolingDocument());
    }
};

HETEROSCOPE_UI_TEST(NetworkFormTest)
#include "network_form_test.moc"
