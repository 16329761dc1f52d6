// SPDX-License-Identifier: GPL-3.0-or-later
// The view of a training: its states, its curves, the confusion matrix by mouse and by keyboard, and pictures
// in both themes.
#include "tests/ui/charts/training_study.h"
#include "tests/ui/pictures.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/confusion_matrix.h"
#include "ui/analyze/training_view.h"
#include "ui/charts/figure_export.h"
#include "ui/charts/figure_view.h"
#include "ui/common/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTabWidget>
#include <QTableView>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <QtTest>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

class TrainingViewTest : public QObject {
    Q_OBJECT

    static QString texts(const QWidget& view) {
        QStringList all;
        for (const QLabel* label : view.findChildren<QLabel*>())
            if (label->isVisible())
                all << label->text();
        return all.join('\n');
    }

    static QString tile(const TrainingView& view, int number) {
        return view.findChild<QLabel*>(QStringLiteral("trainingTile%1").arg(number))->text();
    }

    static std::size_t pointsOf(const FigureView& figure, const QString& name) {
        for (const ChartSeries& series : figure.chart().series)
            if (series.name == name)
                return series.points.size();
        return 0;
    }

    static void show(TrainingView& view) {
        view.resize(1180, 700);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
    }

  private slots:
    void initTestCase() { Theme::instance().apply(ColorScheme::Light); }

    void emptyAndBusySayWhatToDo() {
        TrainingView view;
        show(view);
        QVERIFY(texts(view).contains("No training was recorded"));
        Study waiting = trainingStudy(0);
        view.setStudy(waiting, true);
        QVERIFY(texts(view).contains("The training has not begun"));
        keepLightAndDark(view, QStringLiteral("training-busy"));
    }

    void tellsWhereItStands() {
        TrainingView view;
        show(view);
        view.setStudy(trainingStudy(2), true);
        QCOMPARE(tile(view, 0), QString("2 of 4"));
        QCOMPARE(tile(view, 1), QString("250 of 500"));
        QVERIFY(tile(view, 3).endsWith(" %"));
        QVERIFY2(tile(view, 4).endsWith("ms"), qPrintable(tile(view, 4)));
        QVERIFY(tile(view, 5).remove(QChar(0xa0)).toDouble() > 1000);
        QVERIFY(tile(view, 8).contains("left"));
        view.setStudy(trainingStudy(4), false);
        QCOMPARE(tile(view, 8), QString("done"));
    }

    void curvesFollowTheSmoothingAndTheChoice() {
        TrainingView view;
        show(view);
        view.setStudy(trainingStudy(), false);
        auto* loss = view.findChild<FigureView*>("trainingLoss");
        QCOMPARE(pointsOf(*loss, "Each step"), std::size_t{500});
        QCOMPARE(pointsOf(*loss, "Training, smoothed"), std::size_t{500});
        QCOMPARE(pointsOf(*loss, "Validation"), std::size_t{4});
        auto* slider = view.findChild<QSlider*>("trainingSmoothing");
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(slider->value(), 0);
        QCOMPARE(pointsOf(*loss, "Each step"), std::size_t{0});
        QCOMPARE(pointsOf(*loss, "Training"), std::size_t{500});
        QTest::keyClick(view.findChild<QCheckBox*>("trainingLog"), Qt::Key_Space);
        QCOMPARE(loss->chart().y.scale, AxisScale::Log10);
        auto* choice = view.findChild<QComboBox*>("trainingLowerChoice");
        auto* lower = view.findChild<FigureView*>("trainingLower");
        for (int i = 0; i < choice->count(); ++i) {
            choice->setCurrentIndex(i);
            QVERIFY2(lower->isVisible() && lower->chart().drawable(), qPrintable(choice->currentText()));
        }
    }

    void aCellOfTheMatrixListsItsExamples() {
        TrainingView view;
        show(view);
        view.setStudy(trainingStudy(), false);
        auto* table = view.findChild<QTableView*>("confusionMatrix");
        auto* list = view.findChild<QTreeWidget*>("predictionList");
        QVERIFY(!table->accessibleName().isEmpty());
        QCOMPARE(list->topLevelItemCount(), 65);
        QCOMPARE(list->topLevelItem(0)->text(0), QString("wrong")); // what went wrong comes first
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 6)).center());
        QVERIFY(list->topLevelItemCount() >= 1 && list->topLevelItemCount() < 65);
        for (int i = 0; i < list->topLevelItemCount(); ++i) {
            QCOMPARE(list->topLevelItem(i)->text(1), QString("T-shirt"));
            QCOMPARE(list->topLevelItem(i)->text(2), QString("Shirt"));
        }
        QTest::mouseClick(view.findChild<QPushButton*>("predictionAll"), Qt::LeftButton);
        QCOMPARE(list->topLevelItemCount(), 65);
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 5));
        QTest::keyClick(table, Qt::Key_Right);
        QTest::keyClick(table, Qt::Key_Return);
        QVERIFY(list->topLevelItemCount() < 65);
        QVERIFY(texts(view).contains("T-shirt predicted as Shirt"));
    }

    void theMatrixCountsAndSharesOfTheTrueClass() {
        TrainingView view;
        show(view);
        view.setStudy(trainingStudy(), false);
        auto* matrix = view.findChild<ConfusionMatrix*>();
        auto* table = view.findChild<QTableView*>("confusionMatrix");
        const QModelIndex cell = table->model()->index(0, 6);
        QCOMPARE(cell.data().toString(), QString("14"));
        QVERIFY(cell.data(Qt::AccessibleTextRole).toString().startsWith("T-shirt taken for Shirt: 14 of"));
        QTest::keyClick(view.findChild<QCheckBox*>("confusionPercent"), Qt::Key_Space);
        const double share = 1400.0 / static_cast<double>(matrix->model().rowSum(0));
        QCOMPARE(cell.data().toString(), QString::number(share, 'f', 1));
        QCOMPARE(matrix->model().toCsv().count('\n'), 101);
    }

    void numbersAreShownAgainstTrueOnes() {
        TrainingView view;
        show(view);
        view.setStudy(trainingStudy(4, true), false);
        auto* tabs = view.findChild<QTabWidget*>("trainingResults");
        QVERIFY(tabs->isVisible());
        QVERIFY(!tabs->isTabVisible(0));
        QVERIFY(tabs->isTabVisible(1));
        keepLightAndDark(view, QStringLiteral("training-numbers"));
    }

    void aRunThatIsOpenedBeforeItIsShownHasItsMatrixOnly() {
        QWidget page;
        auto* column = new QVBoxLayout(&page);
        auto* view = new TrainingView;
        column->addWidget(view);
        view->hide(); // as another page of a stack does
        view->setStudy(trainingStudy(2), false);
        view->show();
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        for (const QLabel* label : view->findChildren<QLabel*>())
            if (label->isVisible())
                QVERIFY2(!label->text().startsWith("Neither classes"), qPrintable(label->text()));
    }

    void theRunThatWasChosenStays() {
        TrainingView view;
        show(view);
        view.setStudy(trainingStudy(2), true);
        auto* choice = view.findChild<QComboBox*>("trainingRun");
        QCOMPARE(choice->count(), 2);
        QCOMPARE(choice->currentIndex(), 1); // the newest
        choice->setCurrentIndex(0);
        view.setStudy(trainingStudy(3), true);
        QCOMPARE(choice->currentIndex(), 0);
        QCOMPARE(tile(view, 0), QString("3 of 4"));
    }

    void manyStepsCostWhatAPictureShows() {
        Study study = trainingStudy(1);
        std::mt19937 random(3);
        profiling::TrainingRecord record;
        QVERIFY(record.add(madeUpSteps(0, 60000, 60000, 1, 1, random)));
        const auto before = record.loss;
        study.runs.resize(1);
        study.runs[0].training = record;
        const ChartData chart =
            trainingChart(TrainingFigure::Loss, {&study.runs[0]}, {"cpu/openmp"}, {0.9, false});
        for (const ChartSeries& series : chart.series)
            QVERIFY(series.points.size() <= 2 * kCurveColumns);
        double most = 0, drawn = 0;
        for (const double value : before)
            most = std::max(most, value);
        for (const ChartPoint& point : chart.series.front().points)
            drawn = std::max(drawn, point.y);
        QCOMPARE(drawn, most); // no peak is lost
    }

    void figuresAreExportedLikeAnyOther() {
        const Study study = trainingStudy();
        for (const auto figure : {TrainingFigure::Loss, TrainingFigure::GradientNorm}) {
            const ChartData chart =
                trainingChart(figure, {&study.runs[0], &study.runs[1]}, {"cpu/openmp", "cpu/onednn"}, {});
            QVERIFY(chart.drawable());
            for (const ExportFormatInfo& format : exportFormats()) {
                QString error;
                QVERIFY2(!renderChart(chart, format.format, {}, &error).isEmpty(), qPrintable(error));
            }
        }
    }

    void everyControlHasANameAndTheKeyboard() {
        TrainingView view;
        show(view);
        view.setStudy(trainingStudy(), false);
        for (const char* name : {"trainingRun", "trainingSmoothing", "trainingLowerChoice", "confusionMatrix",
                                 "predictionList", "trainingLoss", "trainingLower"}) {
            const auto* widget = view.findChild<QWidget*>(name);
            QVERIFY2(widget != nullptr && !widget->accessibleName().isEmpty(), name);
            QVERIFY2(widget->focusPolicy() & Qt::TabFocus, name);
        }
        keepLightAndDark(view, QStringLiteral("training"));
    }
};

HETEROSCOPE_UI_TEST(TrainingViewTest)
#include "training_view_test.moc"
