// SPDX-License-Identifier: GPL-3.0-or-later
// Building experiments in the window: by mouse, by keyboard, with mistakes.
#include "tests/ui/build/build_fixture.h"
#include "tests/ui/program/ui_test.h"
#include "ui/build/axes_editor.h"
#include "ui/build/facts_panel.h"
#include "ui/build/image_pair.h"
#include "ui/build/playback_bar.h"
#include "ui/build/pooling_canvas.h"

#include <QCheckBox>
#include <QClipboard>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

/// The experiment that the mouse and the keyboard both build.
Json wanted() {
    Json document = compute::defaultPoolingDocument();
    document["pooling"]["kernel"] = 3;
    document["pooling"]["stride"] = 1;
    document["pooling"]["padding"] = 1;
    document["pooling"]["input"]["size"] = 64;
    document["targets"] = {"cpu/sequential"};
    document["axes"] = {{"/pooling/input/size", {8, 16, 32, 64}}};
    return document;
}

Json plain() {
    Json document = compute::defaultPoolingDocument();
    document["targets"] = {"cpu/sequential", "cpu/openmp"};
    document["axes"] = Json::object();
    return document;
}

void tabTo(QWidget* target) {
    for (int i = 0; i < 200 && QApplication::focusWidget() != target; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), target);
}

void typeOver(const QString& text) {
    QWidget* focused = QApplication::focusWidget();
    QTest::keyClick(focused, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(focused, text);
}

bool sameContent(const Json& a, const Json& b) {
    return nlohmann::json(a) == nlohmann::json(b);
}

} // namespace

class BuildViewTest : public QObject {
    Q_OBJECT
  private slots:
    void buildsByMouse() {
        BuildFixture f(plain());
        const Json start = f.document.json();
        f.clickAndType(f.spin("/pooling/kernel"), "3");
        f.clickAndType(f.spin("/pooling/stride"), "1");
        f.clickAndType(f.spin("/pooling/padding"), "1");
        f.clickAndType(f.spin("/pooling/input/size"), "64");
        QTest::mouseClick(f.find<QCheckBox>("target-cpu/openmp"), Qt::LeftButton, {}, QPoint(8, 10));
        QTest::mouseClick(f.find<QPushButton>("add-axis"), Qt::LeftButton);
        f.clickAndType(f.find<QLineEdit>("axis-values-0"), "8..64 *2");
        QVERIFY2(sameContent(f.document.json(), wanted()), f.document.json().dump().c_str());
        while (f.document.undoStack().canUndo())
            f.document.undoStack().undo();
        QVERIFY(f.document.json() == start);
        while (f.document.undoStack().canRedo())
            f.document.undoStack().redo();
        QVERIFY(sameContent(f.document.json(), wanted()));
    }

    void buildsByKeyboard() {
        BuildFixture f(plain());
        f.find<QComboBox>("kind")->setFocus();
        tabTo(f.spin("/pooling/input/size"));
        typeOver("64");
        tabTo(f.spin("/pooling/kernel"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
        tabTo(f.spin("/pooling/stride"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
        tabTo(f.spin("/pooling/padding"));
        typeOver("1");
        tabTo(f.find<QCheckBox>("target-cpu/openmp"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        tabTo(f.find<QPushButton>("add-axis"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(QApplication::focusWidget()->objectName(), QString("axis-values-0"));
        typeOver("8..64 *2");
        QVERIFY2(sameContent(f.document.json(), wanted()), f.document.json().dump().c_str());
    }

    void undoKeysInAFieldUndoInTheDocument() {
        BuildFixture f(plain());
        const Json start = f.document.json();
        auto* spin = f.spin("/pooling/kernel");
        f.clickAndType(spin, "5");
        QVERIFY(f.at("/pooling/kernel") == 5);
        QCOMPARE(f.document.undoStack().undoText(), QString("Set Kernel to 5"));
        QTest::keyClick(spin, Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(f.document.json() == start);
        QCOMPARE(spin->value(), 2.0);
        QTest::keyClick(spin, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(f.at("/pooling/kernel") == 5);
        QCOMPARE(spin->value(), 5.0);
    }

    void everyEditorUndoesAndRedoesToTheSameJson() {
        BuildFixture f;
        const auto check = [&](const char* what) {
            const Json after = f.document.json();
            QVERIFY2(f.document.undoStack().count() == 1, what);
            f.document.undoStack().undo();
            QVERIFY2(f.document.json() == compute::defaultPoolingDocument(), what);
            f.document.undoStack().redo();
            QVERIFY2(f.document.json() == after, what);
            f.document.newExperiment(compute::defaultPoolingDocument(), "test");
        };
        for (FormField* field : f.view.findChildren<FormField*>()) {
            const auto& parameter = field->parameter();
            if (!field->isActive() || parameter.type == compute::ParameterType::Text)
                continue;
            if (auto* combo = qobject_cast<QComboBox*>(field->editor()->focusTarget())) {
                combo->setCurrentIndex((combo->currentIndex() + 1) % combo->count());
            } else if (auto* spin = qobject_cast<SoftSpinBox*>(field->editor()->focusTarget())) {
                spin->stepBy(1);
            } else if (auto* box = qobject_cast<QCheckBox*>(field->editor()->focusTarget())) {
                box->toggle();
            }
            check(parameter.key.c_str());
            if (QTest::currentTestFailed())
                return;
        }
    }

    void kernelPerAxisAndPaddingPerSide() {
        BuildFixture f;
        auto* kernelLink = f.field("/pooling/kernel")->findChild<QComboBox*>();
        kernelLink->setFocus();
        QTest::keyClick(kernelLink, Qt::Key_Down);
        QVERIFY(f.at("/pooling/kernel") == Json::array({2, 2}));
        f.spin("/pooling/kernel", 1)->setValue(3);
        QVERIFY(f.at("/pooling/kernel") == Json::array({2, 3}));
        auto* paddingLink = f.field("/pooling/padding")->findChild<QComboBox*>();
        paddingLink->setFocus();
        QTest::keyClick(paddingLink, Qt::Key_End);
        f.spin("/pooling/padding", 3)->setValue(1);
        QVERIFY(f.at("/pooling/padding") == Json::array({0, 0, 0, 1}));
        QVERIFY(f.document.canRun());
    }

    void typedMatrixPoolsByHandAndIsEditable() {
        BuildFixture f;
        QTest::mouseClick(f.find<QPushButton>("source-manual"), Qt::LeftButton);
        auto* canvas = f.find<PoolingCanvas>("pooling-canvas");
        const double expected[4] = {9, 7, 8, 9};
        QCOMPARE(canvas->stepCount(), 4);
        for (int step = 0; step < 4; ++step) {
            const auto [row, column] = canvas->outputOfStep(step);
            QCOMPARE(canvas->preview().window(row, column)->result, expected[step]);
        }
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Right);
        QTest::keyClick(canvas, Qt::Key_1);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_2);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QVERIFY(f.at("/pooling/input/values/0/1") == 12);
        QCOMPARE(canvas->preview().window(0, 0)->result, 12.0);
        QCOMPARE(f.document.undoStack().undoText(), QString("Set cell 1, 2 to 12"));
        f.document.undoStack().undo();
        QCOMPARE(canvas->preview().window(0, 0)->result, 9.0);
        QCOMPARE(QApplication::focusWidget(), canvas);
    }

    void pastesABlockAndChangesRowsAndColumns() {
        BuildFixture f;
        QTest::mouseClick(f.find<QPushButton>("source-manual"), Qt::LeftButton);
        const Json before = f.at("/pooling/input/values");
        auto* canvas = f.find<PoolingCanvas>("pooling-canvas");
        QGuiApplication::clipboard()->setText("1\t2\n3 4");
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_V, Qt::ControlModifier);
        QVERIFY(f.at("/pooling/input/values/1") == Json::array({3, 4, 3, 4}));
        f.document.undoStack().undo();
        QVERIFY(f.at("/pooling/input/values") == before);
        QTest::mouseClick(f.find<QPushButton>("add-row"), Qt::LeftButton);
        QTest::mouseClick(f.find<QPushButton>("remove-column"), Qt::LeftButton);
        QVERIFY(f.at("/pooling/input/values").size() == 5 && f.at("/pooling/input/values/0").size() == 3);
        QGuiApplication::clipboard()->setText("no numbers");
        QTest::mouseClick(f.find<QPushButton>("paste-block"), Qt::LeftButton);
        QVERIFY(f.find<QLabel>("picture-problem")->isVisible());
        QVERIFY(f.at("/pooling/input/values").size() == 5);
    }

    void theMessageOfABadPasteGoesWithAGoodEdit() {
        BuildFixture f;
        QTest::mouseClick(f.find<QPushButton>("source-manual"), Qt::LeftButton);
        auto* problem = f.find<QLabel>("picture-problem");
        const auto pasteWords = [&] {
            QGuiApplication::clipboard()->setText("no numbers");
            QTest::mouseClick(f.find<QPushButton>("paste-block"), Qt::LeftButton);
        };
        pasteWords();
        QVERIFY(problem->isVisible());
        f.document.setValue("/name", "another name", "Rename");
        QVERIFY(!problem->isVisible());
        pasteWords();
        QVERIFY(problem->isVisible());
        QGuiApplication::clipboard()->setText("9"); // what stands there already
        QTest::mouseClick(f.find<QPushButton>("paste-block"), Qt::LeftButton);
        QVERIFY(!problem->isVisible());
    }

    void withoutAPictureThereIsNoPlayer() {
        BuildFixture f;
        f.document.newExperiment(Json::parse(R"({"heteroscope": 1, "kind": "pooling",
            "pooling": {"input": {"source": "image", "path": ""}}, "targets": ["cpu/sequential"]})"),
                                 "test");
        BuildView fresh(f.document);
        fresh.resize(1180, 700);
        fresh.show();
        QVERIFY(fresh.findChild<QWidget*>("no-picture")->isVisible());
        QVERIFY(!fresh.findChild<PlaybackBar*>()->isVisible());
        QVERIFY(!fresh.findChild<FactsPanel*>("size-facts")->isVisible());
        QTest::mouseClick(fresh.findChild<QPushButton*>("source-random"), Qt::LeftButton);
        QVERIFY(!fresh.findChild<QWidget*>("no-picture")->isVisible());
        QVERIFY(fresh.findChild<PlaybackBar*>()->isVisible());
        f.document.setValue("/pooling/input/size", 2, "one window");
        QVERIFY(!fresh.findChild<PlaybackBar*>()->isVisible());
        QVERIFY(fresh.findChild<FactsPanel*>("size-facts")->isVisible());
    }

    void aLargeImageIsPooledOffTheGuiThreadAndTheNewestWins() {
        QTemporaryDir folder;
        QImage image(1600, 1200, QImage::Format_RGB32);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                image.setPixel(x, y, qRgb(x % 251, y % 241, (x * y) % 239));
        QVERIFY(image.save(folder.filePath("large.png")));
        BuildFixture f;
        Json input = {
            {"source", "image"}, {"color", "rgb"}, {"path", folder.filePath("large.png").toStdString()}};
        f.document.setValue("/pooling/input", input, "image");
        auto* pair = f.view.findChild<ImagePair*>();
        QVERIFY(pair->isVisible());
        QVERIFY(pair->pooled().isNull()); // asked for, not there yet
        f.document.setValue("/pooling/kernel", 5, "kernel");
        f.document.setValue("/pooling/stride", 5, "stride");
        QVERIFY(pair->pooled().isNull());
        QTRY_VERIFY(!pair->pooled().isNull());
        QCOMPARE(pair->pooled().size(), QSize(320, 240));
        compute::PoolParams params;
        params.kernel = params.stride = {5, 5};
        const QImage expected = pooledImage(image, params, {1, 3, 240, 320});
        QCOMPARE(pair->pooled(), expected);
    }

    void mistakesShowAtTheFieldAndBlockRun() {
        BuildFixture f;
        auto* run = f.find<QPushButton>("run");
        QVERIFY(run->isEnabled());
        f.clickAndType(f.spin("/pooling/kernel"), "0");
        QTRY_VERIFY(!f.field("/pooling/kernel")->message().isEmpty());
        QVERIFY(!run->isEnabled());
        QVERIFY(f.find<QLabel>("picture-problem")->isVisible());
        QSignalSpy asked(&f.view, &BuildView::runRequested);
        QTest::mouseClick(run, Qt::LeftButton);
        QCOMPARE(asked.count(), 0);
        QTest::mouseClick(f.find<QPushButton>("first-problem"), Qt::LeftButton);
        QCOMPARE(QApplication::focusWidget(), f.spin("/pooling/kernel"));
        for (auto* button : f.field("/pooling/kernel")->findChildren<QPushButton*>())
            if (button->isVisible())
                QTest::mouseClick(button, Qt::LeftButton); // "Use 1"
        QVERIFY(f.at("/pooling/kernel") == 1);
        QTRY_VERIFY(run->isEnabled());
        QVERIFY(f.field("/pooling/kernel")->message().isEmpty());
        QTest::mouseClick(run, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
    }

    void paddingOffersWhatIsAllowed() {
        BuildFixture f;
        f.clickAndType(f.spin("/pooling/padding"), "7");
        auto* field = f.field("/pooling/padding");
        QTRY_VERIFY(!field->message().isEmpty());
        for (auto* button : field->findChildren<QPushButton*>())
            if (button->isVisible())
                QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(f.at("/pooling/padding") == 1);
        QVERIFY(f.document.canRun());
    }

    void unreadableSweepBlocksRunUntilItIsRead() {
        BuildFixture f(plain());
        QTest::mouseClick(f.find<QPushButton>("add-axis"), Qt::LeftButton);
        auto* values = f.find<QLineEdit>("axis-values-0");
        f.clickAndType(values, "8..");
        QCOMPARE(values->text(), QString("8.."));
        QVERIFY(!f.document.canRun());
        f.clickAndType(values, "");
        QTest::keyClick(values, Qt::Key_Delete);
        QVERIFY(!f.document.canRun());
        f.clickAndType(values, "8..64 *2");
        QVERIFY(f.document.canRun());
        QCOMPARE(f.find<QLabel>("run-count")->text(), QString("4 values of Size × 2 targets = 8 runs"));
        QTRY_COMPARE(f.find<QPushButton>("run")->text(), QString("&Run all 8 runs"));
    }

    void targetsAreGreyedWithTheirReasonAndHaveOptions() {
        BuildFixture f(plain());
        auto* cuda = f.find<QCheckBox>("target-cuda:0/cuda");
        QVERIFY(!cuda->isEnabled());
        QCOMPARE(cuda->toolTip(), QString("CUDA driver not found"));
        auto* threads = f.find<SoftSpinBox>("threads-1");
        QVERIFY(threads->isAutomatic());
        f.clickAndType(threads, "2");
        QVERIFY(f.at("/targets/1") == "cpu/openmp?threads=2");
        QTest::mouseClick(f.find<QToolButton>("add-variant-1"), Qt::LeftButton);
        QVERIFY(f.at("/targets/2") == "cpu/openmp?threads=4");
        f.document.undoStack().undo();
        QVERIFY(f.at("/targets").size() == 2);
        QTest::mouseClick(f.find<QCheckBox>("target-cpu/openmp"), Qt::LeftButton, {}, QPoint(8, 10));
        QVERIFY(f.at("/targets") == Json::array({"cpu/sequential"}));
    }

    void aMalformedTargetCanBeRemoved() {
        Json document = plain();
        document["targets"] = Json::array({"cpu/sequential", "cpu", 7, "cpu/openmp"});
        BuildFixture f(document);
        QTRY_VERIFY(!f.find<QPushButton>("run")->isEnabled());
        // An edit of another target loses nothing silently.
        QTest::mouseClick(f.find<QCheckBox>("target-cpu/onednn"), Qt::LeftButton, {}, QPoint(8, 10));
        QVERIFY(f.at("/targets") == Json::array({"cpu/sequential", "cpu/openmp", "cpu/onednn", "cpu", 7}));
        f.view.focusPointer("/targets/3");
        QCOMPARE(QApplication::focusWidget(), f.find<QPushButton>("remove-malformed-3"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QVERIFY(f.at("/targets") == Json::array({"cpu/sequential", "cpu/openmp", "cpu/onednn", 7}));
        QTest::mouseClick(f.find<QPushButton>("remove-malformed-3"), Qt::LeftButton);
        QTRY_VERIFY(f.find<QPushButton>("run")->isEnabled());
        f.document.undoStack().undo();
        QVERIFY(!f.view.findChildren<QPushButton*>(QRegularExpression("^remove-malformed-")).isEmpty());
    }

    void thePictureStepsByKeyAndByPlayer() {
        BuildFixture f;
        auto* canvas = f.find<PoolingCanvas>("pooling-canvas");
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Right);
        QCOMPARE(canvas->step(), 1);
        QTest::mouseClick(f.find<QToolButton>("next-window"), Qt::LeftButton);
        QCOMPARE(canvas->step(), 2);
        QVERIFY(f.find<QLabel>("window-line")->text().contains("maximum"));
        QTest::keyClick(canvas, Qt::Key_Space);
        auto* player = f.view.findChild<PlaybackBar*>();
        QVERIFY(player->isPlaying());
        QTRY_COMPARE(canvas->step(), 3);
        QTest::keyClick(canvas, Qt::Key_Space);
        QVERIFY(!player->isPlaying());
    }

    void formulaAndMemoryHaveTheNumbersPutIn() {
        BuildFixture f;
        auto* size = f.find<FactsPanel>("size-facts");
        auto* memory = f.find<FactsPanel>("memory-facts");
        QCOMPARE(size->valueOf("Height"), QString("floor((1024 + 0 + 0 − 2) / 2) + 1 = 512"));
        QVERIFY(size->valueOf("Windows").contains("262"));
        QCOMPARE(memory->valueOf("Input"), QString("4.0 MiB"));
        QCOMPARE(memory->valueOf("Output"), QString("1.0 MiB"));
    }

    void switchingTheKindShowsTheOtherFormsAndComesBack() {
        BuildFixture f;
        auto* kind = f.find<QComboBox>("kind");
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Down);
        QVERIFY(f.at("/kind") == "matmul");
        f.clickAndType(f.spin("/matmul/m"), "64");
        QVERIFY(f.at("/matmul/m") == 64);
        f.document.undoStack().undo();
        f.document.undoStack().undo();
        QVERIFY(f.document.json() == compute::defaultPoolingDocument());
        QCOMPARE(kind->currentIndex(), 0);
        QVERIFY(f.field("/pooling/kernel")->isVisibleTo(&f.view));
    }

    void dropsAnImageAsInput() {
        QTemporaryDir folder;
        QImage image(6, 4, QImage::Format_RGB32);
        image.fill(Qt::white);
        image.save(folder.filePath("photo.png"));
        BuildFixture f;
        auto* target = f.view.findChild<QPushButton*>("source-image")->parentWidget();
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder.filePath("photo.png"))});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &drop);
        QVERIFY(f.at("/pooling/input/source") == "image");
        auto* canvas = f.find<PoolingCanvas>("pooling-canvas");
        QCOMPARE(canvas->preview().src().w, 6);
        QCOMPARE(canvas->preview().window(0, 0)->result, 255.0);
        f.document.undoStack().undo();
        QVERIFY(f.document.json() == compute::defaultPoolingDocument());
    }

    void everythingHasAName() {
        BuildFixture f;
        for (QWidget* widget : f.view.findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible() ||
                qobject_cast<QScrollArea*>(widget) || widget->objectName() == "qt_spinbox_lineedit")
                continue;
            const QString text = widget->accessibleName() + widget->property("text").toString();
            QVERIFY2(!text.isEmpty(),
                     qPrintable(widget->metaObject()->className() + QString(" ") + widget->objectName()));
        }
    }

    void theHintExplainsTheFocusedField() {
        BuildFixture f;
        f.view.focusPointer("/pooling/stride");
        QCOMPARE(QApplication::focusWidget(), f.spin("/pooling/stride"));
        bool found = false;
        for (QLabel* label : f.view.findChildren<QLabel*>())
            found = found || (label->isVisible() && label->text().contains("Step from one window"));
        QVERIFY(found);
    }
};

HETEROSCOPE_UI_TEST(BuildViewTest)
#include "build_view_test.moc"
