// SPDX-License-Identifier: GPL-3.0-or-later
// How a network is shown and found: groups, places, several selected nodes, search, overview, menu, themes.
#include "compute/base/units.h"
#include "tests/ui/build/network/network_fixture.h"
#include "tests/ui/program/ui_test.h"
#include "ui/build/network/network_find_bar.h"
#include "ui/build/network/network_minimap.h"
#include "ui/common/paths.h"

#include <QCheckBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

QPoint middleOf(NetworkFixture& f, const char* name) {
    return f.canvas()->toScreen(f.canvas()->scene().layout.rectOf(f.node(name)).center());
}

void drag(NetworkCanvas* canvas, QPoint from, QPoint to, Qt::KeyboardModifiers keys = {}) {
    QTest::mousePress(canvas, Qt::LeftButton, keys, from);
    for (int step = 1; step <= 4; ++step) {
        const QPoint at = from + (to - from) * step / 4;
        QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, keys);
        QApplication::sendEvent(canvas, &move);
    }
    QTest::mouseRelease(canvas, Qt::LeftButton, keys, to);
}

/// Opens the menu of the canvas as its key does, chooses an entry and closes it.
void chooseInMenu(NetworkFixture& f, const QString& entry) {
    bool chosen = false;
    QTimer::singleShot(0, &f.view, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        for (QAction* action : menu ? menu->actions() : QList<QAction*>())
            if (action->text() == entry && action->isEnabled()) {
                action->trigger();
                chosen = true;
            }
        if (menu)
            menu->close();
    });
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(), f.canvas()->mapToGlobal(QPoint()));
    QApplication::sendEvent(f.canvas(), &event);
    QVERIFY2(chosen, qPrintable(entry));
}

Json exampleNamed(const QString& name) {
    QFile file(resourcesDirectory() + "/examples/" + name);
    return file.open(QIODevice::ReadOnly) ? Json::parse(file.readAll().toStdString()) : Json();
}

/// The widest line of each node against the room for it.
QStringList elidedFigures(const NetworkGraph& graph) {
    QFont font = QApplication::font();
    font.setPointSizeF(std::max(7.5, font.pointSizeF() - 1));
    const QFontMetricsF metrics(font);
    QStringList elided;
    for (const GraphNode& node : graph.layers) {
        const QString bytes = node.output ? fromStd(formatBytes(node.outputBytes)) : QString();
        for (const auto& [left, right] : {std::pair(node.output ? shapeText(*node.output) : QString(), bytes),
                                          std::pair(parametersText(node), multiplyAddsText(node))})
            if (metrics.horizontalAdvance(left) + metrics.horizontalAdvance(right) + 10 >
                NetworkLayout::kNodeWidth - 20)
                elided << left + " | " + right;
    }
    return elided;
}

} // namespace

class NetworkArrangeTest : public QObject {
    Q_OBJECT
  private slots:
    void aBandSelectsWhatItTouches() {
        NetworkFixture f(networkOf(modelZero()));
        const QRectF first = f.canvas()->scene().layout.rectOf(f.node("relu1"));
        const QRectF last = f.canvas()->scene().layout.rectOf(f.node("conv2"));
        drag(f.canvas(), f.canvas()->toScreen(first.topLeft() - QPointF(30, 10)),
             f.canvas()->toScreen(last.center()));
        QCOMPARE(f.canvas()->selectedLayers(), (std::vector<int>{1, 2, 3}));
        f.clickNode("pool1", Qt::ControlModifier);
        QCOMPARE(f.canvas()->selectedLayers(), (std::vector<int>{1, 3}));
        drag(f.canvas(), f.canvas()->toScreen(first.topLeft() - QPointF(30, 120)),
             f.canvas()->toScreen(first.center()), Qt::ControlModifier);
        QCOMPARE(f.canvas()->selectedLayers(), (std::vector<int>{0, 1, 3}));
        QVERIFY(f.document.json() == networkOf(modelZero()));
    }

    void aGroupIsOneBoxAndOneUndoStep() {
        NetworkFixture f(networkOf(modelZero()));
        const Json start = f.document.json();
        f.clickNode("conv1");
        f.clickNode("pool1", Qt::ControlModifier);
        f.key(Qt::Key_G, Qt::ControlModifier);
        const NetworkScene& scene = f.canvas()->scene();
        QCOMPARE(scene.graph.groups.size(), std::size_t{1});
        QVERIFY(!scene.graph.isShown(0) && !scene.graph.isShown(1) && scene.graph.isShown(2));
        QVERIFY(scene.layout.nodes[0].isNull());
        QCOMPARE(scene.graph.shown(2).parameters, f.layer("conv1").parameters);
        QCOMPARE(f.canvas()->selectedLayers(), (std::vector<int>{0, 1, 2}));
        QVERIFY(f.document.canRun() && f.document.diagnostics().empty());
        QVERIFY(!scene.layout.nodes[2].intersects(scene.layout.nodes[3]));
        f.clickAndType(f.find<QLineEdit>("group-name"), "stem");
        QCOMPARE(f.canvas()->scene().graph.groups[0].name, std::string("stem"));
        f.canvas()->setFocus();
        f.key(Qt::Key_Down);
        QCOMPARE(f.canvas()->current(), f.node("conv2"));
        f.key(Qt::Key_Up);
        QCOMPARE(f.canvas()->selectedGroup(), 0);
        f.key(Qt::Key_Space);
        QVERIFY(f.canvas()->scene().graph.isShown(0));
        QVERIFY(f.canvas()->scene().layout.frames[0].contains(f.canvas()->scene().layout.rectOf(1)));
        f.undoAll();
        QVERIFY(f.document.json() == start);
        f.canvas()->grab();
    }

    void layersInsertedInAGroupBelongToIt() {
        Json document = networkOf(modelZero());
        document["network"]["view"] =
            Json::parse(R"({"groups": [{"name": "a", "first": "conv1", "last": "pool1"}]})");
        NetworkFixture f(document);
        QVERIFY(f.document.diagnostics().empty());
        f.clickNode("conv1");
        f.clickType("batchnorm");
        QCOMPARE(f.canvas()->scene().graph.groups[0].last, 3);
        f.clickNode("conv1");
        f.key(Qt::Key_Delete);
        QCOMPARE(f.canvas()->scene().graph.groups[0].first, 0);
        QVERIFY(f.at("/network/view/groups/0/first") == "norm1");
        f.clickNode("norm1");
        f.key(Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!f.at("/network").contains("view"));
        f.undoAll();
        QVERIFY(f.document.json() == document);
    }

    void removingABoxRemovesItsLayers() {
        NetworkFixture f(networkOf(modelZero()));
        f.canvas()->selectAll({3, 4, 5});
        f.canvas()->setFocus();
        f.key(Qt::Key_G, Qt::ControlModifier);
        f.key(Qt::Key_C, Qt::ControlModifier);
        f.key(Qt::Key_Delete);
        QCOMPARE(f.layers().size(), std::size_t{7});
        QVERIFY(!f.at("/network").contains("view"));
        f.clickNode("pool1");
        f.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(f.layers().size(), std::size_t{10});
        QVERIFY(f.document.canRun());
    }

    void aMistakeInsideABoxStandsOnIt() {
        NetworkFixture f(networkOf(modelZero()));
        f.canvas()->selectAll({3, 4, 5});
        f.canvas()->setFocus();
        f.key(Qt::Key_G, Qt::ControlModifier);
        f.document.setValue("/network/layers/3/groups", 3, "Groups");
        QTRY_VERIFY(f.canvas()->scene().graph.shown(5).isWrong());
        QVERIFY(findingSentence(f.canvas()->scene().graph.shown(5).findings).contains("onv2"));
        f.view.focusPointer("/network/layers/3/groups");
        QCOMPARE(QApplication::focusWidget(), f.spin("/network/layers/3/groups"));
    }

    void draggedNodesStayAndAreArrangedAgain() {
        NetworkFixture f(networkOf(modelZero()));
        const Json start = f.document.json();
        const QRectF before = f.canvas()->scene().layout.rectOf(f.node("relu1"));
        drag(f.canvas(), middleOf(f, "relu1"), middleOf(f, "relu1") + QPoint(420, 10));
        const QRectF after = f.canvas()->scene().layout.rectOf(f.node("relu1"));
        QVERIFY(after.left() > before.right());
        QVERIFY(f.at("/network/view/places").contains("relu1"));
        QVERIFY(f.document.diagnostics().empty());
        f.clickNode("conv1");
        f.key(Qt::Key_L);
        QVERIFY(f.document.json() == start);
        f.document.undoStack().undo();
        QCOMPARE(f.canvas()->scene().layout.rectOf(f.node("relu1")), after);
        f.undoAll();
        QVERIFY(f.document.json() == start);
        QCOMPARE(f.canvas()->scene().layout.rectOf(f.node("relu1")), before);
    }

    void aLayerIsDraggedOntoAnEdge() {
        NetworkFixture f(networkOf(modelZero()));
        drag(f.canvas(), middleOf(f, "relu1"), f.canvas()->toScreen(f.edge("conv2", "relu2").label.center()));
        QVERIFY(f.layers()[2]["name"] == "conv2");
        QVERIFY(f.layers()[3]["name"] == "relu1");
        QVERIFY(!f.layers()[3].contains("inputs"));
        QCOMPARE(f.canvas()->scene().graph.sourcesOf(f.node("pool1")), std::vector<int>{f.node("conv1")});
        QVERIFY(f.document.canRun());
        f.undoAll();
        QVERIFY(f.layers() == modelZero());
    }

    void searchGoesFromHitToHit() {
        NetworkFixture f(networkOf(modelZero()));
        f.canvas()->setFocus();
        f.key(Qt::Key_F, Qt::ControlModifier);
        auto* text = f.find<QLineEdit>("network-find-text");
        QTRY_COMPARE(QApplication::focusWidget(), text);
        QTest::keyClicks(text, "relu");
        QCOMPARE(f.canvas()->scene().hits.size(), std::size_t{3});
        QCOMPARE(f.find<QLabel>("network-find-count")->text(), QString("1 of 3"));
        QCOMPARE(f.canvas()->current(), f.node("relu1"));
        f.key(Qt::Key_Return);
        QCOMPARE(f.canvas()->current(), f.node("relu2"));
        f.key(Qt::Key_Return);
        f.key(Qt::Key_Return);
        QCOMPARE(f.canvas()->current(), f.node("relu1"));
        f.key(Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(f.canvas()->current(), f.node("relu3"));
        QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(text, "100 dense");
        QCOMPARE(f.canvas()->current(), f.node("dense1"));
        QTest::keyClicks(text, "x");
        QCOMPARE(f.find<QLabel>("network-find-count")->text(), QString("No hits"));
        f.key(Qt::Key_Escape);
        QCOMPARE(QApplication::focusWidget(), f.canvas());
        QVERIFY(f.canvas()->scene().hits.empty());
    }

    void theOverviewShowsAndMovesWhatIsVisible() {
        NetworkFixture f(exampleNamed("network_resnet18.json"));
        auto* map = f.find<NetworkMinimap>("network-minimap");
        QVERIFY(map->isVisible());
        const double top = f.canvas()->visibleScene().top();
        QTest::mouseClick(map, Qt::LeftButton, {}, QPoint(map->width() / 2, map->height() - 8));
        QVERIFY(f.canvas()->visibleScene().top() > top + 1000);
        NetworkFixture small(networkOf(Json::array({{{"name", "d"}, {"type", "flatten"}}})));
        QVERIFY(!small.find<NetworkMinimap>("network-minimap")->isVisible());
    }

    void theWheelScrollsAndZooms() {
        NetworkFixture f(exampleNamed("network_resnet18.json"));
        const QPointF at = QRectF(f.canvas()->rect()).center();
        const auto turn = [&](Qt::KeyboardModifiers keys) {
            QWheelEvent event(at, f.canvas()->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, keys,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(f.canvas(), &event);
        };
        const double zoom = f.canvas()->zoom(), top = f.canvas()->visibleScene().top();
        turn({});
        QCOMPARE(f.canvas()->zoom(), zoom);
        QVERIFY(f.canvas()->visibleScene().top() > top);
        turn(Qt::ControlModifier);
        QVERIFY(f.canvas()->zoom() < zoom);
    }

    void theMenuKeyReachesEveryCommand() {
        NetworkFixture f(networkOf(modelZero()));
        f.canvas()->selectAll({3, 4, 5});
        f.canvas()->setFocus();
        chooseInMenu(f, "Group");
        QCOMPARE(f.canvas()->scene().graph.groups.size(), std::size_t{1});
        chooseInMenu(f, "Open group");
        QVERIFY(!f.canvas()->scene().graph.groups[0].collapsed);
        chooseInMenu(f, "Take group apart");
        QVERIFY(f.canvas()->scene().graph.groups.empty());
        f.canvas()->select(0);
        chooseInMenu(f, "Duplicate");
        QCOMPARE(f.layers().size(), std::size_t{11});
        chooseInMenu(f, "Edit values");
        QCOMPARE(f.view.focusWidget(), f.spin("/network/layers/1/filters"));
    }

    void chainsAreStraightAndNothingOverlaps() {
        for (const char* name : {"network_resnet18.json", "network_mobilenet_v2.json"}) {
            NetworkFixture f(exampleNamed(name));
            const NetworkLayout& layout = f.canvas()->scene().layout;
            QVERIFY(layout.nodes.size() > 50);
            for (std::size_t a = 0; a < layout.nodes.size(); ++a)
                for (std::size_t b = 0; b < a; ++b)
                    QVERIFY(!layout.nodes[a].intersects(layout.nodes[b]));
            QCOMPARE(layout.nodes.back().center().x(), layout.input.center().x());
        }
    }

    void figuresAreNotCut() {
        for (const QString& name :
             QDir(resourcesDirectory() + "/examples").entryList({"network_*.json"}, QDir::Files)) {
            const Json document = exampleNamed(name);
            const QStringList cut = elidedFigures(readGraph(document, {}));
            QVERIFY2(cut.isEmpty(), qPrintable(name + ": " + cut.join("; ")));
        }
    }

    void sizesOfFourDigitsFitTheirFields() {
        NetworkFixture f(exampleNamed("network_resnet18.json"));
        f.view.resize(1000, 700); // as narrow as the form gets
        f.document.setValue("/network/input/shape", {1024, 1024, 1024}, "Shape");
        QTest::qWait(0);
        for (int i = 0; i < 3; ++i) {
            auto* line = f.spin("/network/input/shape", i)->findChild<QLineEdit*>();
            const int needed = line->fontMetrics().horizontalAdvance("1024") + 4;
            QVERIFY2(line->width() >= needed, qPrintable(QString::number(line->width())));
        }
    }

    void headingsOfThePaletteFollowTheTheme() {
        NetworkFixture f(networkOf(modelZero()));
        const auto* tree = f.find<QTreeWidget>("layer-palette");
        Theme::instance().apply(ColorScheme::Light);
        QCOMPARE(tree->topLevelItem(0)->foreground(0).color(), Theme::colorsFor(false).mutedText);
        Theme::instance().apply(ColorScheme::Dark);
        QCOMPARE(tree->topLevelItem(0)->foreground(0).color(), Theme::colorsFor(true).mutedText);
    }
};

HETEROSCOPE_UI_TEST(NetworkArrangeTest)
#include "network_arrange_test.moc"
