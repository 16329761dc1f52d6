// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Analyze as a person uses it: choose a chart, hide a series, zoom, walk by keys, export in one click.
#include "tests/ui/charts/run_file.h"
#include "tests/ui/charts/synthetic_study.h"
#include "tests/ui/program/ui_test.h"
#include "ui/analyze/analyze_view.h"
#include "ui/analyze/study_analyzer.h"
#include "ui/charts/chart_registry.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/sample_view.h"
#include "ui/common/message_bar.h"
#include "ui/common/settings.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QtTest>

#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;
using namespace heteroscope::ui::test;

class AnalyzeViewTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    static void show(AnalyzeView& view, std::vector<Study> studies) {
        view.resize(1280, 800);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.showStudies(std::move(studies));
        auto* figure = view.findChild<FigureView*>();
        auto* list = view.findChild<QListWidget*>("chartList");
        QTRY_VERIFY(list->isVisible());
        QVERIFY(figure);
    }

  private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QSettings settings(Settings().filePath(), QSettings::IniFormat);
        settings.clear();
        settings.setValue("analyze/exportFolder", m_folder.path());
    }

    void emptySaysWhatToDo() {
        AnalyzeView view;
        view.show();
        QStringList texts;
        for (const QLabel* label : view.findChildren<QLabel*>())
            if (label->isVisible())
                texts << label->text();
        QVERIFY(texts.join(' ').contains("No study is open"));
        QVERIFY(texts.join(' ').contains("Run an experiment"));
    }

    void headlineStandsOnTop() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        const auto* headline = view.findChild<QLabel*>("analyzeHeadline");
        QVERIFY(headline->isVisible());
        QVERIFY2(
            headline->text().contains("cpu/openmp is") &&
                headline->text().contains("faster than cpu/sequential at size 4\u00a0096, the largest of "),
            qPrintable(headline->text()));
        const auto* list = view.findChild<QListWidget*>("chartList");
        QVERIFY(headline->mapTo(&view, headline->rect().bottomLeft()).y() <=
                list->mapTo(&view, QPoint()).y());
        view.showStudies({sweepStudy(1, 14, 1), sweepStudy(0.8, 14, 2)});
        QTRY_VERIFY(headline->text().startsWith("B against A, of 33 runs"));
    }

    void opensWithAChartThatTheStudyHas() {
        AnalyzeView view;
        show(view, {onePointStudy()}); // no axis: time against size cannot be drawn
        QTRY_COMPARE(view.selectedChart(), QString("speedup"));
        view.selectChart("time"); // a choice of the user stays
        QCOMPARE(view.selectedChart(), QString("time"));
    }

    /// As --chart asks for one while the file is read.
    void aChartThatWasAskedForBeforehandStays() {
        AnalyzeView view;
        view.resize(900, 600);
        view.show();
        view.showStudies({onePointStudy()});
        view.selectChart("time");
        QTRY_VERIFY(!view.isBusy());
        QCOMPARE(view.selectedChart(), QString("time"));
    }

    void overheadAndMachineAreSaid() {
        Study study = sweepStudy();
        study.environment["governor"] = "powersave";
        study.environment["load_average"] = {0.25, 0.2, 0.1};
        study.environment["notes"] = {"The governor is \"powersave\": timings may vary."};
        for (StudyRun& run : study.runs)
            run.metrics["tracing_overhead_percent"] = 1.5;
        AnalyzeView view;
        show(view, {study});
        const QString notes = view.findChild<QLabel*>("chartNotes")->text();
        QVERIFY2(notes.contains("Tracing overhead: median 1.5 %, 1.5 % to 1.5 % over 33 runs"),
                 qPrintable(notes));
        QVERIFY(notes.contains("Machine: governor powersave, load average 0.25 on 8 cores, Release build."));
        QVERIFY(notes.contains("timings may vary."));
    }

    void nothingIsCutAtUsualSizes_data() {
        QTest::addColumn<QSize>("window");
        for (const QSize& window : {QSize(1280, 800), QSize(1024, 700)}) // what the mode bar leaves of them
            QTest::addRow("%d x %d", window.width(), window.height()) << window - QSize(78, 92);
    }

    void nothingIsCutAtUsualSizes() {
        QFETCH(QSize, window);
        AnalyzeView view;
        show(view, {threadStudy()});
        view.resize(window);
        QCOMPARE(view.size(), window); // nothing asks for more room
        QApplication::processEvents();
        for (QWidget* widget : view.findChildren<QWidget*>()) {
            auto* scroll = qobject_cast<QScrollArea*>(widget);
            if (!scroll || !scroll->isVisible())
                continue;
            for (const QWidget* control : scroll->widget()->findChildren<QWidget*>()) {
                if (!control->isVisibleTo(scroll->widget()))
                    continue;
                const int right = control->mapTo(scroll->viewport(), QPoint(control->width(), 0)).x();
                QVERIFY2(right <= scroll->viewport()->width(),
                         qPrintable(QString("%1 %2 ends at %3 of %4")
                                        .arg(control->metaObject()->className(), control->objectName())
                                        .arg(right)
                                        .arg(scroll->viewport()->width())));
                const bool button = control->inherits("QAbstractButton");
                QVERIFY2(!button || control->width() >= control->minimumSizeHint().width(),
                         qPrintable(control->objectName()));
            }
        }
    }

    void everyKindOpens() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        for (const ChartKind& kind : chartKinds()) {
            view.selectChart(kind.id);
            QCOMPARE(view.selectedChart(), QString(kind.id));
        }
        view.selectChart("runs");
        QCOMPARE(view.findChild<QTableView*>("runTable")->model()->rowCount(), 33);
    }

    void legendClickHidesAndBringsBack() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        auto* figure = view.findChild<FigureView*>();
        const QString id = "cpu/openmp";
        QTest::mouseClick(figure, Qt::LeftButton, {}, figure->legendPosition(id));
        QVERIFY(figure->hiddenSeries().contains(id));
        QTest::mouseClick(figure, Qt::LeftButton, {}, figure->legendPosition(id));
        QVERIFY(figure->hiddenSeries().isEmpty());
        QTest::keyClick(figure, Qt::Key_2);
        QVERIFY(figure->hiddenSeries().contains(id));
    }

    void hoverTellsTheNumbers() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        auto* figure = view.findChild<FigureView*>();
        const QString text = figure->tooltipAt(figure->pointPosition("cpu/sequential", 10));
        QVERIFY2(text.contains("sequential at 4\u00a0096"), qPrintable(text));
        QVERIFY(text.contains("n = 14"));
        QVERIFY(figure->tooltipAt({1, 1}).isEmpty());
    }

    void keysWalkThroughPoints() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        QSignalSpy said(&view, &AnalyzeView::statusMessage);
        auto* figure = view.findChild<FigureView*>();
        QTest::keyClick(figure, Qt::Key_Right);
        QTest::keyClick(figure, Qt::Key_Right);
        QCOMPARE(said.count(), 2);
        QVERIFY(said.at(0).at(0).toString().contains("sequential at 4:"));
        QVERIFY(said.at(1).at(0).toString().contains("sequential at 8:"));
    }

    void zoomAndReset() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        auto* figure = view.findChild<FigureView*>();
        const QPoint before = figure->pointPosition("cpu/sequential", 0);
        QTest::keyClick(figure, Qt::Key_Plus);
        QVERIFY(figure->isZoomed());
        QVERIFY(figure->pointPosition("cpu/sequential", 0) != before);
        QTest::keyClick(figure, Qt::Key_0);
        QVERIFY(!figure->isZoomed());
        QCOMPARE(figure->pointPosition("cpu/sequential", 0), before);
    }

    void exportIsOneClick() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        QSignalSpy said(&view, &AnalyzeView::statusMessage);
        auto* button = view.findChild<QPushButton*>("exportButton");
        QTest::mouseClick(button, Qt::LeftButton);
        const QString path = m_folder.filePath("max-pooling-size-sweep-synthetic-time.pdf");
        QVERIFY2(QFile::exists(path), qPrintable(QDir(m_folder.path()).entryList().join(' ')));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.read(5) == "%PDF-");
        QVERIFY(said.last().at(0).toString().contains(".pdf"));
        QTest::mouseClick(button, Qt::LeftButton); // nothing is replaced
        QVERIFY(QFile::exists(m_folder.filePath("max-pooling-size-sweep-synthetic-time-2.pdf")));
    }

    void otherFormats() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        for (const char* suffix : {"svg", "png", "csv", "tex"}) {
            view.findChild<QAction*>(QString("export_%1").arg(suffix))->trigger();
            QVERIFY2(QFile::exists(
                         m_folder.filePath(QString("max-pooling-size-sweep-synthetic-time.%1").arg(suffix))),
                     suffix);
        }
    }

    void exportIntoNowhereIsReported() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        view.findChild<QLineEdit*>("exportFolder")->setText("/proc/nowhere");
        QTest::mouseClick(view.findChild<QPushButton*>("exportButton"), Qt::LeftButton);
        QStringList texts;
        for (const QLabel* label : view.findChildren<QLabel*>())
            texts << label->text();
        QVERIFY(texts.join(' ').contains("/proc/nowhere"));
    }

    void anotherStudyTakesTheFailureOfAnExportAway() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        view.findChild<QLineEdit*>("exportFolder")->setText("/proc/nowhere");
        QTest::mouseClick(view.findChild<QPushButton*>("exportButton"), Qt::LeftButton);
        const auto said = [&] {
            QStringList texts;
            for (const MessageBar* bar : view.findChildren<MessageBar*>())
                texts << bar->text();
            return texts.join(' ');
        };
        QVERIFY(said().contains("/proc/nowhere"));
        show(view, {sweepStudy()});
        QVERIFY2(!said().contains("/proc/nowhere"), qPrintable(said()));
    }

    void viewAsTable() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        view.findChild<QCheckBox*>("viewAsTable")->setChecked(true);
        auto* table = view.findChild<QTableView*>("chartTable");
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 33);
    }

    void samplesUseTheirOwnView() {
        AnalyzeView view;
        show(view, {onePointStudy()});
        view.selectChart("order");
        auto* samples = view.findChild<SampleView*>();
        QTRY_VERIFY(samples->isVisible());
        QCOMPARE(samples->shownPointCount(), 4 * 14);
        QTest::keyClick(samples, Qt::Key_1);
        QCOMPARE(samples->shownPointCount(), 3 * 14);
        QTest::keyClick(samples, Qt::Key_1);
        QCOMPARE(samples->shownPointCount(), 4 * 14);
    }

    void twoStudiesOpenTheComparison() {
        AnalyzeView view;
        show(view, {sweepStudy(1, 14, 1), sweepStudy(0.8, 14, 2)});
        QCOMPARE(view.selectedChart(), QString("ratio"));
        QVERIFY(view.findChild<FigureView*>()->isVisible());
    }

    void storedRunsOpen() {
        const QString path = m_folder.filePath("stored.hscope");
        writeRunFile(path, sweepStudy());
        auto session = std::make_shared<StudySession>();
        AnalyzeView view;
        view.resize(1280, 800);
        view.show();
        view.setSessions({session});
        session->openFile(path);
        auto* table = view.findChild<QTableView*>("runTable");
        view.selectChart("runs");
        QTRY_COMPARE(table->model()->rowCount(), 33);
    }

    void unreadableRunSaysWhy() {
        const QString path = m_folder.filePath("broken.hscope");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is no run file, whatever its name says");
        file.close();
        auto session = std::make_shared<StudySession>();
        AnalyzeView view;
        view.show();
        view.setSessions({session});
        session->openFile(path);
        const auto shown = [&view] {
            QStringList texts;
            for (const QLabel* label : view.findChildren<QLabel*>())
                if (label->isVisible())
                    texts << label->text();
            return texts.join(' ');
        };
        QTRY_VERIFY(shown().contains("cannot be read"));
        QVERIFY(shown().contains("broken.hscope"));
    }

    // Two runs share nothing while one of them is read, which is no result of theirs.
    void nothingIsComparedWhileARunIsRead() {
        const QString path = m_folder.filePath("compared.hscope");
        writeRunFile(path, sweepStudy());
        const QString large = QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h100.hscope");
        auto read = std::make_shared<StudySession>(), reading = std::make_shared<StudySession>();
        read->openFile(path);
        QTRY_COMPARE(read->state(), StudySession::State::Done);
        AnalyzeView view;
        view.resize(1280, 800);
        view.show();
        view.setSessions({read, reading});
        reading->openFile(large);
        int early = 0;
        connect(view.findChild<StudyAnalyzer*>(), &StudyAnalyzer::ready, &view, [&](const ChartInput& input) {
            early += reading->state() == StudySession::State::Loading && input.a ? 1 : 0;
        });
        QTRY_COMPARE(reading->state(), StudySession::State::Done);
        QCOMPARE(early, 0);
        const auto* headline = view.findChild<QLabel*>("analyzeHeadline");
        QTRY_VERIFY2_WITH_TIMEOUT(headline->isVisible() && headline->text().contains("share no run"),
                                  qPrintable(headline->text()), 20000);
    }

    void liveStudiesUpdateAtMostTenTimesASecond() {
        StudyAnalyzer analyzer;
        analyzer.setSource([] { return std::vector<Study>{onePointStudy()}; });
        QSignalSpy ready(&analyzer, &StudyAnalyzer::ready);
        QElapsedTimer clock;
        clock.start();
        while (clock.elapsed() < 1000) {
            analyzer.refresh();
            QTest::qWait(1);
        }
        QVERIFY(ready.count() >= 1);
        QVERIFY2(ready.count() <= 10, qPrintable(QString::number(ready.count())));
        const auto before = ready.count();
        QTRY_VERIFY(ready.count() > before); // the last change is never lost
    }

    void referenceChangesTheSpeedup() {
        AnalyzeView view;
        show(view, {sweepStudy()});
        view.selectChart("speedup");
        auto* figure = view.findChild<FigureView*>();
        QVERIFY(figure->chart().y.title.contains("sequential"));
        auto* choice = view.findChild<QComboBox*>("referenceChoice");
        choice->setCurrentIndex(choice->findData("cpu/openmp"));
        emit choice->activated(choice->currentIndex());
        QTRY_VERIFY(figure->chart().y.title.contains("openmp"));
    }
};

HETEROSCOPE_UI_TEST(AnalyzeViewTest)
#include "analyze_view_test.moc"
