// SPDX-License-Identifier: GPL-3.0-or-later
// A network from an empty window to trained figures, through the real command line, and a mistake on the way.
#include "tests/support/time_factor.h"
#include "tests/ui/build/network/network_fixture.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/skip.h"
#include "ui/common/paths.h"
#include "ui/common/settings.h"
#include "ui/common/theme.h"
#include "ui/main_window/main_window.h"
#include "ui/models/study_session.h"
#include "ui/run/run_controller.h"

#include <QAbstractButton>
#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;
using Mode = MainWindow::Mode;

namespace {

constexpr int kNetworkRunMs = 120000 * kTimeFactor;
const QString kData = QStringLiteral("/usr/share/datasets/fashion-mnist/");

Json fashion(int images) {
    const auto file = [](const char* name) { return kData.toStdString() + name; };
    return {{"source", "idx"},
            {"images", file("train-images-idx3-ubyte.gz")},
            {"labels", file("train-labels-idx1-ubyte.gz")},
            {"test_images", file("t10k-images-idx3-ubyte.gz")},
            {"test_labels", file("t10k-labels-idx1-ubyte.gz")},
            {"training_limit", images},
            {"test_limit", images / 4},
            {"mean", 0.286},
            {"deviation", 0.353}};
}

} // namespace

class NetworkWindowTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() {
        qputenv("HETEROSCOPE_DATA", m_data.path().toUtf8());
        QSettings(Settings().filePath(), QSettings::IniFormat)
            .setValue("analyze/exportFolder", m_data.path());
        Theme::instance().apply(ColorScheme::Light);
        m_window = std::make_unique<MainWindow>();
        m_window->resize(1280, 800);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanupTestCase() { m_window.reset(); }

    /// Clicks alone: New Network, its layers away, those of the first study's network in.
    void modelZeroIsBuiltFromTheStartPage() {
        auto* start = m_window->findChild<QAbstractButton*>("newNetwork");
        QVERIFY(start && start->isVisible());
        QTest::mouseClick(start, Qt::LeftButton);
        QCOMPARE(m_window->mode(), Mode::Build);
        auto* canvas = m_window->findChild<NetworkCanvas*>("network-canvas");
        for (int layers = static_cast<int>(canvas->scene().graph.layers.size()); layers > 0; --layers) {
            const QPointF middle = canvas->scene().layout.rectOf(layers - 1).center();
            QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->toScreen(middle));
            QTest::mouseClick(m_window->findChild<QAbstractButton*>("network-remove"), Qt::LeftButton);
        }
        for (const char* type : {"conv2d", "maxpool2d", "conv2d", "maxpool2d", "dense", "dense"})
            clickLayerType(*m_window, QString::fromLatin1(type));
        QCOMPARE(canvas->scene().graph.layers.size(), std::size_t{6});
        set(canvas, 2, "filters", "32");
        set(canvas, 4, "units", "100");
        QVERIFY(m_window->document().canRun());
        QCOMPARE(canvas->scene().graph.layers[5].output->c, 10);
    }

    void aMistakeStandsOnItsNodeAndItsFixLetsItRun() {
        auto* canvas = m_window->findChild<NetworkCanvas*>("network-canvas");
        auto* run = m_window->findChild<QPushButton*>("runButton");
        set(canvas, 2, "groups", "3");
        QTRY_VERIFY(canvas->scene().graph.layers[2].isWrong());
        QTRY_VERIFY(!run->isEnabled());
        canvas->select(2);
        const QString fix = canvas->scene().fixes[2];
        QCOMPARE(fix, QString("Set groups to 1"));
        QTest::mouseClick(canvas, Qt::LeftButton, {},
                          canvas->toScreen(fixRect(canvas->scene().layout.rectOf(2), fix).center()));
        QTRY_VERIFY(!canvas->scene().graph.layers[2].isWrong());
        QTRY_VERIFY(run->isEnabled());
        QVERIFY(m_window->document().canRun());
    }

    void itIsTrainedForOneEpochOnRealImages() {
        if (!QFileInfo::exists(kData))
            QSKIP_WITHOUT("fashion-mnist", "dataset-fashion-mnist is not installed");
        Json document = m_window->document().json();
        document["data"] = fashion(2048);
        document["training"]["epochs"] = 1;
        document["targets"] = {"cpu/openmp"};
        document["sampling"] = {{"preset", "quick"}};
        m_window->document().replaceAll(document, "Fashion-MNIST");
        QVERIFY(m_window->document().canRun());
        QSignalSpy finished(&m_window->runController(), &RunController::runFinished);
        QTest::mouseClick(m_window->findChild<QPushButton*>("runButton"), Qt::LeftButton);
        QCOMPARE(m_window->mode(), Mode::Run);
        QVERIFY(finished.wait(kNetworkRunMs));
        const auto session = m_window->session();
        QVERIFY2(session->state() == StudySession::State::Done, qPrintable(session->message()));
        QCOMPARE(session->study().runs.size(), std::size_t{1});
        const auto& trained = session->study().runs.front();
        QCOMPARE(trained.timesMs().size(), std::size_t{1}); // an epoch each
        const Json accuracy = trained.metrics.value("test_accuracy", Json());
        QVERIFY2(accuracy.is_number() && accuracy.get<double>() > 0.2,
                 accuracy.dump().c_str()); // of ten classes
        QVERIFY(session->trace()->spanCount() > 10);
        m_window->setMode(Mode::Analyze);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled(), kNetworkRunMs);
        m_window->setMode(Mode::Build); // the network is still there, unchanged
        QVERIFY(m_window->document().json() == document);
    }

    /// Of the training above: what each layer took, as a figure and as numbers.
    void theChartOfItsLayersIsExported() {
        if (!QFileInfo::exists(kData))
            QSKIP_WITHOUT("fashion-mnist", "dataset-fashion-mnist is not installed");
        m_window->setMode(Mode::Analyze);
        auto* analyze = m_window->page(Mode::Analyze);
        auto* charts = analyze->findChild<QListWidget*>("chartList");
        QListWidgetItem* layers = nullptr;
        for (int row = 0; row < charts->count(); ++row)
            if (charts->item(row)->data(Qt::UserRole) == "layers")
                layers = charts->item(row);
        QVERIFY(layers != nullptr);
        charts->scrollToItem(layers);
        QTest::mouseClick(charts->viewport(), Qt::LeftButton, {}, charts->visualItemRect(layers).center());
        auto* write = analyze->findChild<QPushButton*>("exportButton");
        QTRY_VERIFY_WITH_TIMEOUT(m_window->isSettled() && write->isVisible() && write->isEnabled(),
                                 kNetworkRunMs);
        QTest::mouseClick(write, Qt::LeftButton);
        QTRY_COMPARE(exported("*layers*.pdf").size(), 1);
        analyze->findChild<QAction*>("export_csv")->trigger();
        QTRY_COMPARE(exported("*layers*.csv").size(), 1);
        QFile numbers(m_data.filePath(exported("*layers*.csv").first()));
        QVERIFY(numbers.open(QIODevice::ReadOnly));
        const QByteArray text = numbers.readAll();
        for (const char* layer : {"conv1", "pool2", "dense1"})
            QVERIFY2(text.contains(layer), text.constData());
    }

  private:
    QStringList exported(const char* pattern) const {
        return QDir(m_data.path()).entryList({QString::fromLatin1(pattern)});
    }

    /// The value of a layer's field, typed.
    void set(NetworkCanvas* canvas, int layer, const char* key, const QString& text) {
        const QPointF middle = canvas->scene().layout.rectOf(layer).center();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->toScreen(middle));
        auto* field =
            m_window->findChild<FormField*>(QStringLiteral("/network/layers/%1/%2").arg(layer).arg(key));
        QVERIFY(field != nullptr);
        auto* line = field->findChild<QLineEdit*>();
        line->setFocus();
        QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }

    QTemporaryDir m_data;
    std::unique_ptr<MainWindow> m_window;
};

HETEROSCOPE_UI_TEST(NetworkWindowTest)
#include "network_window_test.moc"
