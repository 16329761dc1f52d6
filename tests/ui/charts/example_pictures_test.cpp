// SPDX-License-Identifier: GPL-3.0-or-later
// The examples of a training as pictures: they come from the run's data, wherever these are, by mouse and by
// keyboard; where they are missing or are others now, the list says so.
#include "tests/support/idx_files.h"
#include "tests/ui/charts/training_study.h"
#include "tests/ui/pictures.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/example_card.h"
#include "ui/analyze/prediction_list.h"
#include "ui/analyze/training_view.h"
#include "ui/common/theme.h"

#include <QLabel>
#include <QScrollBar>
#include <QTableView>
#include <QTreeWidget>
#include <QtTest>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

namespace {

/// The view with a study in it.
struct Shown {
    explicit Shown(const Study& study) {
        view.resize(1216, 720);
        view.show();
        view.setStudy(study, false);
        if (!QTest::qWaitForWindowExposed(&view))
            qFatal("no window");
    }
    QTreeWidget* list() const { return view.findChild<QTreeWidget*>("predictionList"); }
    QLabel* large() const { return view.findChild<QLabel*>("examplePicture"); }
    QLabel* problem() const { return view.findChild<QLabel*>("predictionProblem"); }
    QString card() const { return view.findChild<ExampleCard*>()->accessibleName(); }
    QImage picture(int row) const {
        return list()->topLevelItem(row)->icon(0).pixmap(PredictionList::kPicture).toImage();
    }
    /// Empty places are transparent.
    bool hasPicture(int row) const {
        const QImage image = picture(row);
        return !image.isNull() && qAlpha(image.pixel(image.rect().center())) == 255;
    }
    QString text(int row, int column) const { return list()->topLevelItem(row)->text(column); }

    TrainingView view;
};

/// 100 pictures of 4 x 4, of which 40 are for validation; one pixel is white, in picture i the one i mod 16.
struct IdxStudy {
    IdxStudy() {
        std::vector<std::uint8_t> pixels, classes;
        for (int i = 0; i < 100; ++i) {
            pixels.resize(pixels.size() + 16);
            pixels[static_cast<std::size_t>(16 * i + i % 16)] = 255;
            classes.push_back(static_cast<std::uint8_t>(i % 3));
        }
        files.write("pictures", {100, 4, 4}, pixels, true);
        files.write("classes", {100}, classes);
        std::vector<std::int64_t> labels(classes.begin() + 60, classes.end());
        study = pictureStudy(
            Json::parse(R"({"heteroscope": 1, "kind": "network", "task": "train", "targets": ["cpu/openmp"],
            "network": {"input": {"shape": [1, 4, 4]}, "layers": [{"type": "dense", "units": 3}]},
            "training": {"batch": 4}, "data": {"source": "idx", "images": "pictures", "labels": "classes",
            "validation_share": 0.4, "mean": 0.3, "deviation": 0.2}})"),
            {"ant", "bee", "cow"}, labels);
        study.environment["directory"] = files.folder().string();
    }

    compute::TemporaryIdx files;
    Study study;
};

} // namespace

class ExamplePicturesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { Theme::instance().apply(ColorScheme::Light); }

    void eachExampleHasItsPicture() {
        const IdxStudy files;
        Shown shown(files.study);
        QTRY_VERIFY(shown.hasPicture(0));
        QCOMPARE(shown.list()->topLevelItemCount(), 40);
        QVERIFY(shown.problem()->isHidden());
        for (int row = 0; row < 40; ++row) {
            QVERIFY(shown.hasPicture(row));
            const int place = shown.text(row, 4).toInt(), white = (60 + place) % 16;
            for (int pixel = 0; pixel < 16; ++pixel) // each is 10 x 10 in the list
                QCOMPARE(qRed(shown.picture(row).pixel(pixel % 4 * 10 + 5, pixel / 4 * 10 + 5)),
                         pixel == white ? 255 : 0);
            QCOMPARE(shown.text(row, 1), QStringList({"ant", "bee", "cow"})[place % 3]);
        }
    }

    void theChosenExampleIsShownLarge() {
        Shown shown(shapesStudy());
        QTRY_VERIFY(!shown.large()->pixmap(Qt::ReturnByValue).isNull());
        QCOMPARE(shown.large()->pixmap(Qt::ReturnByValue).size(), QSize(112, 112)); // four times 28
        QCOMPARE(shown.card(), QString("disc: taken for square, 99.0 %"));
        shown.list()->setFocus();
        const QImage before = shown.large()->pixmap(Qt::ReturnByValue).toImage();
        QTest::keyClick(shown.list(), Qt::Key_Down);
        QCOMPARE(shown.card(), QString("square: taken for cross, 96.5 %"));
        QTRY_VERIFY(shown.large()->pixmap(Qt::ReturnByValue).toImage() != before);
        QTest::keyClick(shown.list(), Qt::Key_End);
        QCOMPARE(shown.card(), QString("triangle: recognised, 49.5 %"));
        const int last = shown.list()->topLevelItemCount() - 1;
        QTRY_VERIFY(shown.hasPicture(last));
        QVERIFY(shown.large()->accessibleName().contains("Example 99 of the validation part"));
    }

    void aCellOfTheMatrixShowsItsPictures() {
        Shown shown(shapesStudy(3));
        auto* table = shown.view.findChild<QTableView*>("confusionMatrix");
        table->setFocus();
        table->setCurrentIndex(table->model()->index(1, 1));
        QTest::keyClick(table, Qt::Key_Right);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(shown.list()->topLevelItemCount(), 5);
        QVERIFY(shown.view.findChild<QLabel*>("predictionWhat")->text().contains("5 of 5"));
        for (int row = 0; row < 5; ++row) {
            QCOMPARE(shown.text(row, 1), QString("square"));
            QCOMPARE(shown.text(row, 2), QString("cross"));
            QTRY_VERIFY(shown.hasPicture(row));
        }
        keepLightAndDark(shown.view, QStringLiteral("examples-of-cell"));
    }

    void missingFilesAreSaidAndTheListStays() {
        IdxStudy files;
        files.study.environment["directory"] = "/nowhere/at/all";
        Shown shown(files.study);
        QTRY_VERIFY(shown.problem()->isVisible());
        QVERIFY2(shown.problem()->text().contains("/nowhere/at/all/pictures"),
                 qPrintable(shown.problem()->text()));
        QCOMPARE(shown.list()->topLevelItemCount(), 40);
        QVERIFY(!shown.large()->isVisible());
        keepLightAndDark(shown.view, QStringLiteral("examples-missing"));
        files.study.environment.erase("directory"); // as recorded by earlier versions
        shown.view.setStudy(files.study, false);
        QVERIFY2(shown.problem()->text().contains("pictures was in"), qPrintable(shown.problem()->text()));
        files.study.environment["directory"] = files.files.folder().string();
        shown.view.setStudy(files.study, false);
        QTRY_VERIFY(shown.hasPicture(0));
        QVERIFY(shown.problem()->isHidden());
    }

    void dataThatHaveChangedAreNotShown() {
        IdxStudy files;
        files.files.write("classes", {100}, std::vector<std::uint8_t>(100, 1));
        Shown shown(files.study);
        QTRY_VERIFY(shown.problem()->isVisible());
        QVERIFY2(shown.problem()->text().contains("have changed"), qPrintable(shown.problem()->text()));
        QVERIFY(!shown.large()->isVisible());
    }

    void rowsOfTablesStayAList() {
        Study study = trainingStudy();
        study.experiment =
            Json::parse(R"({"heteroscope": 1, "kind": "network", "task": "train", "targets": ["cpu/openmp"],
            "network": {"input": {"shape": [50]}, "layers": [{"type": "dense", "units": 10}]},
            "training": {"batch": 4}, "data": {"source": "csv", "file": "/nowhere/sensors.csv"}})");
        Shown shown(study);
        QTest::qWait(200); // longer than it takes to ask
        QVERIFY(shown.problem()->isHidden());
        QVERIFY(!shown.large()->isVisible());
        QVERIFY(shown.list()->topLevelItem(0)->icon(0).isNull());
        QVERIFY(!shown.list()->isColumnHidden(4));
    }

    void aTrainingThatGoesOnKeepsTheChosenExample() {
        Study study = shapesStudy();
        Shown shown(study);
        QTRY_VERIFY(shown.hasPicture(3));
        shown.list()->setCurrentItem(shown.list()->topLevelItem(3));
        const QString chosen = shown.text(3, 4);
        for (auto& run : study.runs) {
            TrainingEvaluation later = run.training.evaluations.back();
            later.epoch = 5;
            later.samples.front().predicted = later.samples.front().actual; // one is right now
            QVERIFY(run.training.add(later));
        }
        shown.view.setStudy(study, true);
        QCOMPARE(shown.list()->currentItem()->text(4), chosen);
        QVERIFY(shown.hasPicture(2)); // no need to read again
    }

    void picturesForAPerson() {
        Shown grey(shapesStudy());
        QTRY_VERIFY(grey.hasPicture(0));
        keepLightAndDark(grey.view, QStringLiteral("examples-grey"));
        Study fashion = trainingStudy();
        fashion.experiment =
            Json::parse(R"({"heteroscope": 1, "kind": "network", "task": "train", "targets": ["cpu/openmp"],
            "network": {"input": {"shape": [1, 28, 28]}, "layers": [{"type": "dense", "units": 10}]},
            "training": {"batch": 4}, "data": {"source": "idx", "images": "/nowhere/a", "labels": "/nowhere/b"}})");
        Shown missing(fashion);
        QTRY_VERIFY(missing.problem()->isVisible());
        keepLightAndDark(missing.view, QStringLiteral("examples-names-missing"));
    }
};

HETEROSCOPE_UI_TEST(ExamplePicturesTest)
#include "example_pictures_test.moc"
