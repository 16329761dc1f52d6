// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a network in the form: fields of each source, transforms as a list, and samples on screen.
#include "tests/ui/build/build_fixture.h"
#include "tests/ui/pictures.h"
#include "tests/ui/program/ui_test.h"
#include "ui/build/data/data_form.h"
#include "ui/build/data/numbers_editor.h"
#include "ui/build/data/samples_view.h"
#include "ui/build/data/transforms_editor.h"

#include <QMenu>
#include <QToolButton>

namespace heteroscope::ui {

namespace {

Json networkDocument(const Json& data) {
    Json document = compute::defaultNetworkDocument();
    document["network"] = Json::parse(R"({"input": {"shape": [3, 32, 32]}, "layers": [
        {"name": "flatten", "type": "flatten"}, {"name": "dense", "type": "dense", "units": 4}]})");
    document["data"] = data;
    return document;
}

} // namespace

class DataFormTest : public QObject {
    Q_OBJECT
  private slots:
    void eachSourceShowsItsFields() {
        BuildFixture f(networkDocument({{"source", "csv"}, {"file", "t.csv"}}));
        QVERIFY(f.field("/data/file")->isActive());
        QVERIFY(f.field("/data/target")->isActive());
        QVERIFY(!f.field("/data/folder")->isActive());
        f.document.setValue("/data/source", "image_folder", "folders");
        QVERIFY(f.field("/data/folder")->isActive());
        QVERIFY(f.field("/data/folder")->isVisibleTo(&f.view));
        QVERIFY(!f.field("/data/file")->isVisibleTo(&f.view));
        QVERIFY(f.find<QPushButton>("show-samples")->isVisibleTo(&f.view));
        f.document.setValue("/data/source", "synthetic", "none");
        QVERIFY(!f.find<QPushButton>("show-samples")->isVisibleTo(&f.view));
    }

    void transformsAreAddedMovedEditedAndRemoved() {
        BuildFixture f(networkDocument({{"source", "shapes"}}));
        f.find<QAction>("transform-add-rotate")->trigger();
        f.find<QAction>("transform-add-normalize")->trigger();
        QVERIFY(f.at("/data/transforms") == Json::parse(R"([{"type":"rotate"},{"type":"normalize"}])"));
        auto* mean = f.find<NumbersEditor>("transform-1-mean");
        f.clickAndType(mean, "0.5, 0.25");
        QVERIFY(f.at("/data/transforms/1/mean") == Json::parse("[0.5, 0.25]"));
        QTest::mouseClick(f.find<QToolButton>("transform-up-1"), Qt::LeftButton);
        QTRY_VERIFY(f.at("/data/transforms/0/type") == Json("normalize"));
        QTest::mouseClick(f.find<QToolButton>("transform-remove-0"), Qt::LeftButton);
        QTRY_VERIFY(f.at("/data/transforms") == Json::parse(R"([{"type":"rotate"}])"));
        f.document.undoStack().undo();
        QVERIFY(f.field("/data/transforms")->editor()->value().size() == 2);
    }

    void aWrongTransformIsSaidAtItsField() {
        BuildFixture f(networkDocument({{"source", "shapes"}, {"transforms", {{{"type", "flip"}}}}}));
        f.document.setValue("/data/transforms/0/probability", 2, "too large");
        QTRY_VERIFY(f.field("/data/transforms")->message().contains("Found 2"));
    }

    void samplesAreReadFilteredAndShuffled() {
        BuildFixture f(
            networkDocument({{"source", "shapes"}, {"transforms", {{{"type", "rotate"}, {"degrees", 30}}}}}));
        f.find<QPushButton>("show-samples")->click();
        auto* samples = f.find<SamplesView>("samples");
        QTRY_VERIFY(!samples->isBusy());
        QCOMPARE(samples->problem(), QString());
        const auto& cells = samples->grid()->cells();
        QCOMPARE(cells.size(), SamplesView::kShown);
        QCOMPARE(cells[0].caption, QString("disc"));
        QCOMPARE(cells[1].caption, QString("square"));
        QCOMPARE(cells[0].pictures.size(), std::size_t{4});
        QVERIFY(cells[0].pictures[0] != cells[0].pictures[1]); // turned
        QCOMPARE(cells[0].pictures[3].size(), QSize(16, 16));
        const QImage first = cells[0].pictures[0];
        samples->findChild<QCheckBox*>("sample-shuffled")->setChecked(true);
        QVERIFY(samples->grid()->cells()[0].pictures[0] != first);
        auto* chooser = samples->findChild<QComboBox*>("sample-class");
        chooser->setCurrentIndex(3);
        emit chooser->activated(3);
        for (const SampleCell& cell : samples->grid()->cells())
            QCOMPARE(cell.caption, QString("triangle"));
        keepPicture(*samples, "samples");
    }

    void rowsOfATableLieDown() {
        Json document = networkDocument({{"source", "irradiance_table"}});
        document["network"]["input"]["shape"] = {50};
        document["network"]["layers"].back()["units"] = 1;
        document["training"]["loss"] = "mean_squared_error";
        BuildFixture f(document);
        f.find<DataForm>("data")->showSamples();
        auto* samples = f.find<SamplesView>("samples");
        QTRY_VERIFY(!samples->isBusy());
        QCOMPARE(samples->problem(), QString());
        QCOMPARE(samples->grid()->cells()[0].pictures.size(), std::size_t{2});
        QCOMPARE(samples->grid()->cells()[0].pictures[0].size(), QSize(50, 1));
    }

    void whatCannotBeReadIsSaid() {
        BuildFixture f(networkDocument({{"source", "cifar10"}, {"folder", "/nowhere/at/all"}}));
        f.find<QPushButton>("show-samples")->click();
        auto* samples = f.find<SamplesView>("samples");
        QTRY_VERIFY(!samples->isBusy());
        QVERIFY2(samples->problem().contains("the file does not exist"), qPrintable(samples->problem()));
        f.document.setValue("/data/folder", 5, "no text");
        samples->reload();
        QVERIFY(samples->problem().contains("/data/folder"));
    }

    void picturesForAPerson() {
        for (const bool dark : {true, false}) {
            BuildFixture f(networkDocument({{"source", "brain_slices"},
                                            {"transforms",
                                             {{{"type", "rotate"}, {"degrees", 5}},
                                              {{"type", "crop"}, {"padding", 2}},
                                              {{"type", "normalize"}, {"mean", 0.5}, {"deviation", 0.5}}}}}));
            Theme::instance().apply(dark ? ColorScheme::Dark : ColorScheme::Light);
            f.view.resize(1280, 800);
            f.view.focusPointer("/data/transforms");
            QVERIFY(f.field("/data/transforms")->isVisible());
            keepPicture(f.view, dark ? "form-dark" : "form-light");
            f.find<DataForm>("data")->showSamples();
            auto* samples = f.find<SamplesView>("samples");
            QTRY_VERIFY(!samples->isBusy());
            QCOMPARE(samples->problem(), QString());
            keepPicture(*samples, dark ? "slices-dark" : "slices-light");
        }
    }
};

} // namespace heteroscope::ui

HETEROSCOPE_UI_TEST(heteroscope::ui::DataFormTest)
#include "data_form_test.moc"
