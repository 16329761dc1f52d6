// SPDX-License-Identifier: GPL-3.0-or-later
// Every view in every state, dark and light by turns, on the smallest usual window: no text is cut, except
// where the whole text is in a tooltip. With HETEROSCOPE_PICTURES=FOLDER the states are also written as PNG,
// each dark and light, for eyes to look at.
#include "tests/ui/pictures.h"
#include "tests/ui/program/ui_test.h"
#include "ui/build/document.h"
#include "ui/build/network/network_canvas.h"
#include "ui/common/elided_label.h"
#include "ui/common/message_bar.h"
#include "ui/common/paths.h"
#include "ui/common/theme.h"
#include "ui/library/library_view.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/main_window.h"
#include "ui/models/study_session.h"
#include "ui/run/run_controller.h"
#include "ui/run/runs_model.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/timeline_view.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QToolButton>

#include <heteroscope_paths.h>
#include <vector>

using namespace heteroscope;
using namespace heteroscope::ui;
using Mode = MainWindow::Mode;

namespace {

constexpr int kViewRunMs = 120000;
constexpr int kWidth = 1280;

Json smallDemo() {
    Json document = compute::defaultPoolingDocument();
    document["name"] = "Max pooling: how much does a good implementation gain?";
    document["targets"] = {"cpu/sequential", "cpu/openmp", "cpu/onednn"};
    document["axes"] = {{"/pooling/input/size", {64, 256, 512}}};
    document["sampling"] = {{"preset", "quick"}};
    return document;
}

/// What of the widget's text does not fit; empty when all of it shows.
QString cutText(const QWidget* widget) {
    if (const auto* label = qobject_cast<const ElidedLabel*>(widget))
        return label->isElided() && label->toolTip() != label->text() ? label->text() : QString();
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
        if (label->text().isEmpty() || label->textFormat() == Qt::RichText || label->text().contains('<'))
            return {};
        const int needed =
            label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().width();
        const int there = label->wordWrap() ? label->height() : label->width();
        return needed > there + 1 ? label->text() : QString();
    }
    if (const auto* box = qobject_cast<const QComboBox*>(widget)) {
        constexpr int kArrow = 22;
        const int words = box->fontMetrics().horizontalAdvance(box->currentText());
        return words > box->width() - kArrow && box->toolTip() != box->currentText() ? box->currentText()
                                                                                     : QString();
    }
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    if (button == nullptr || button->text().isEmpty())
        return {};
    const int words = button->fontMetrics().horizontalAdvance(QString(button->text()).remove('&'));
    return words > button->width() - 4 ? button->text() : QString();
}

} // namespace

class EveryViewTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        qputenv("HETEROSCOPE_DATA", m_data.path().toUtf8());
        Theme::instance().apply(ColorScheme::Dark);
        m_window = std::make_unique<MainWindow>();
        m_window->resize(kWidth, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        settle();
    }

    void cleanupTestCase() { m_window.reset(); }

    /// Sizes do not follow from colours, and a change of all colours takes longer than the rest.
    void init() {
        m_cut.clear();
        m_scheme = m_scheme == ColorScheme::Dark ? ColorScheme::Light : ColorScheme::Dark;
    }

    void cleanup() {
        QVERIFY2(m_cut.isEmpty(), qPrintable(QStringLiteral("cut: ") + m_cut.join(QStringLiteral("; "))));
    }

    void beforeAnythingRan() {
        look("start-first");
        for (const auto& [mode, name] : {std::pair(Mode::Run, "run-empty"),
                                         {Mode::Timeline, "timeline-empty"},
                                         {Mode::Analyze, "analyze-empty"},
                                         {Mode::Library, "library-empty"}})
            show(mode, name);
    }

    void building() {
        m_window->openDemo();
        look("build-random");
        m_window->document().setValue("/pooling/kernel", -3, "Kernel");
        QTRY_VERIFY(!m_window->document().canRun());
        m_window->findChild<QDockWidget*>("problemsDock")->show();
        look("build-problems");
        m_window->findChild<QDockWidget*>("problemsDock")->hide();
        Json typed = smallDemo();
        typed["axes"] = Json::object();
        typed["pooling"]["input"] = {{"source", "manual"},
                                     {"values", Json::parse("[[9,5,2,7],[3,1,3,4],[2,6,5,9],[8,3,7,4]]")}};
        build(typed, "build-typed");
        typed["targets"] = {"cpu/sequential", "cpu", "cuda:0/cuda"};
        build(typed, "build-targets");
        m_window->openTemplate(resourcesDirectory() + "/examples/pooling_photograph.json");
        look("build-image");
        typed["pooling"]["input"] = {{"source", "image"}, {"path", "/no/such/photo.png"}};
        build(typed, "build-image-missing");
        m_window->openTemplate(resourcesDirectory() + "/examples/matmul_size_sweep.json");
        look("build-matmul");
        Json network = compute::defaultNetworkDocument();
        build(network, "build-network");
        m_window->findChild<NetworkCanvas*>()->select(0);
        look("build-network-layer");
        network["network"]["layers"][0]["groups"] = 3;
        build(network, "build-network-problems");
        network["network"]["layers"] = Json::array();
        build(network, "build-network-empty");
    }

    void failing() {
        fake("slow");
        QTRY_VERIFY(m_window->session() && !m_window->session()->study().runs.empty() &&
                    m_window->session()->study().runs[0].samples.size() > 3);
        look("run-live", false);
        QSignalSpy finished(&m_window->runController(), &RunController::runFinished);
        m_window->stop();
        QVERIFY(finished.wait(kViewRunMs));
        look("run-stopped");
        auto* runs = m_window->findChild<QTableView*>("runsTable");
        for (const char* behaviour : {"crash", "exit"}) {
            fake(behaviour);
            QVERIFY(finished.wait(kViewRunMs));
            for (int row = 0; row < runs->model()->rowCount(); ++row) {
                const QString state = runs->model()->index(row, RunsModel::Outcome).data().toString();
                QVERIFY2(state != "running" && state != "waiting", behaviour);
            }
            look(qPrintable(QStringLiteral("run-%1").arg(behaviour)));
        }
        m_window->openPath("/no/such/file.hscope");
        show(Mode::Start, "start-missing-file");
        m_window->findChild<MessageBar*>("windowMessage")->clear();
    }

    /// The first part of a recorded GPU run, as if it had just come from a worker.
    void runningOnAGpu() {
        m_window->setMode(Mode::Run);
        m_window->runController().setProgram(QStringLiteral(HETEROSCOPE_BINARY_DIR "/fake_worker"));
        Json document = smallDemo();
        document["fake"] = "replay";
        document["recording"] = HETEROSCOPE_SOURCE_DIR "/resources/recorded/window_strategy_h100.hscope";
        document["share"] = 0.7;
        m_window->runController().start(document, {});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->session() && m_window->session()->transfers().count > 0,
                                 kViewRunMs);
        QTRY_VERIFY(m_window->findChild<QTableWidget*>("transferTable")->isVisible());
        look("run-gpu-live", false);
        QSignalSpy finished(&m_window->runController(), &RunController::runFinished);
        m_window->stop();
        QVERIFY(finished.wait(kViewRunMs));
    }

    void finished() {
        realRun(smallDemo());
        look("run-done");
        show(Mode::Timeline, "timeline");
        auto* view = m_window->findChild<TimelineView*>();
        const auto trace = m_window->session()->trace();
        const auto length = trace->endNs() - trace->startNs();
        view->showRange(trace->startNs() + length / 5, trace->startNs() + length / 2);
        auto* canvas = view->findChild<TimelineCanvas*>();
        QTest::keyClick(canvas, Qt::Key_Period); // the next span
        view->findChild<QTabWidget*>()->setCurrentIndex(0);
        look("timeline-selected");
        show(Mode::Analyze, "analyze");
        auto* charts = m_window->findChild<QListWidget*>("chartList");
        for (int row = 0; row < charts->count(); ++row) {
            charts->setCurrentRow(row);
            look(qPrintable(QStringLiteral("analyze-%1").arg(row)));
        }
        charts->setCurrentRow(0);
        m_window->findChild<QDockWidget*>("inspectorDock")->show();
        look("analyze-inspector");
        m_window->findChild<QDockWidget*>("inspectorDock")->hide();
    }

    void recordedGpuRuns() {
        for (const char* name : {"window_strategy", "matmul_ladder", "pooling_sweep"}) {
            m_window->openPath(resourcesDirectory() + QStringLiteral("/recorded/%1_h100.hscope").arg(name));
            settle();
            const auto picture = [name](const char* what) {
                return QStringLiteral("gpu-%1-%2").arg(name, what).toStdString();
            };
            show(Mode::Run, picture("run").c_str());
            show(Mode::Timeline, picture("timeline").c_str());
            for (const char* chart : {"roofline", "device"}) {
                m_window->showChart(chart);
                look(picture(chart).c_str());
            }
        }
        m_window->showChart("time");
    }

    void aRangeLeadsToItsTransfers() {
        m_window->openPath(resourcesDirectory() + "/recorded/window_strategy_h100.hscope");
        settle();
        m_window->setMode(Mode::Timeline);
        settle();
        auto* view = m_window->findChild<TimelineView*>();
        auto* button = view->findChild<QToolButton*>("rangeTransfers");
        QVERIFY(!button->isVisible());
        auto* canvas = view->findChild<TimelineCanvas*>();
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Period); // a span,
        QTest::keyClick(canvas, Qt::Key_M);      // its range
        QTRY_VERIFY(button->isVisible());
        look("timeline-range");
        QTest::keyClick(canvas, Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(m_window->mode(), Mode::Analyze);
        settle();
        QVERIFY(m_window->findChild<QPushButton*>("clearTransferRange")->isVisible());
        look("gpu-range-device");
        QTest::mouseClick(m_window->findChild<QPushButton*>("clearTransferRange"), Qt::LeftButton);
        QVERIFY(!m_window->findChild<QPushButton*>("clearTransferRange")->isVisible());
        m_window->showChart("time");
    }

    void library() {
        Json second = smallDemo();
        second["targets"] = {"cpu/sequential", "cpu/openmp?threads=2"};
        second["name"] = "Max pooling with two threads";
        realRun(second);
        m_window->setMode(Mode::Library);
        settle();
        auto* table = m_window->findChild<QTableView*>("libraryTable");
        table->selectRow(0);
        look("library");
        table->selectAll();
        look("library-selected");
        auto* search = m_window->findChild<QLineEdit*>("librarySearch");
        search->setText("no such word");
        look("library-no-match");
        search->clear();
        table->clearSelection();
        for (const int row : {0, 1})
            table->selectionModel()->select(table->model()->index(row, 0),
                                            QItemSelectionModel::Select | QItemSelectionModel::Rows);
        look("library-two");
        QTest::mouseClick(m_window->findChild<QPushButton*>("libraryCompare"), Qt::LeftButton);
        look("compare");
        show(Mode::Start, "start-later");
    }

  private:
    void settle() { QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kViewRunMs); }

    void show(Mode mode, const char* name) {
        m_window->setMode(mode);
        look(name);
    }

    void build(const Json& document, const char* name) {
        m_window->setMode(Mode::Build);
        m_window->document().newExperiment(document, "test");
        look(name);
    }

    void fake(const char* behaviour) {
        m_window->setMode(Mode::Run);
        m_window->runController().setProgram(QStringLiteral(HETEROSCOPE_BINARY_DIR "/fake_worker"));
        Json document = smallDemo();
        document["fake"] = behaviour;
        document["code"] = 1;
        document["words"] = "cannot allocate 64.0 GiB: 23.5 GiB of memory are there, 20.1 GiB of it free";
        m_window->runController().start(document, {});
    }

    void realRun(const Json& document) {
        m_window->setMode(Mode::Run);
        m_window->runController().setProgram(QStringLiteral(HETEROSCOPE_BINARY_DIR "/heteroscope-cli"));
        QSignalSpy finished(&m_window->runController(), &RunController::runFinished);
        m_window->runController().start(document, {});
        QVERIFY(finished.wait(kViewRunMs));
        QVERIFY2(m_window->session()->state() == StudySession::State::Done,
                 qPrintable(m_window->session()->message()));
    }

    /// Every place is looked at before the test fails: one that is wrong hides no other.
    void look(const char* name, bool wait = true) {
        std::vector<ColorScheme> schemes{m_scheme};
        if (!pictureFolder().isEmpty())
            schemes = {ColorScheme::Dark, ColorScheme::Light};
        for (const auto scheme : schemes) {
            if (Theme::instance().scheme() != scheme)
                Theme::instance().apply(scheme);
            if (wait)
                settle();
            QCoreApplication::processEvents(); // shows what a layout has just taken
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            const QString look =
                QStringLiteral("%1-%2").arg(name, scheme == ColorScheme::Dark ? "dark" : "light");
            keepPicture(*m_window, look);
            if (m_window->width() != kWidth)
                m_cut.append(QStringLiteral("%1: the window grew to %2").arg(look).arg(m_window->width()));
            for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
                const bool shown = widget->isVisible() && !widget->visibleRegion().isEmpty();
                const QString cut = shown ? cutText(widget) : QString();
                if (!cut.isEmpty())
                    m_cut.append(QStringLiteral("%1: '%2'").arg(look, cut));
            }
        }
    }

    ColorScheme m_scheme = ColorScheme::Light; ///< of the present test function
    QStringList m_cut;                         ///< likewise
    QTemporaryDir m_data;
    std::unique_ptr<MainWindow> m_window;
};

HETEROSCOPE_UI_TEST(EveryViewTest)
#include "every_view_test.moc"
