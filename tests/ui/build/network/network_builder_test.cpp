// SPDX-License-Identifier: GPL-3.0-or-later
// Building networks on the canvas: by mouse alone, by keyboard alone, with mistakes and across documents.
#include "tests/ui/build/network/network_fixture.h"
#include "tests/ui/program/ui_test.h"

#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QWheelEvent>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

bool sameContent(const Json& a, const Json& b) {
    return nlohmann::json(a) == nlohmann::json(b);
}

/// Turns the wheel over a number field that was clicked: one notch a step.
void turn(SoftSpinBox* spin, int steps) {
    QTest::mouseClick(spin->findChild<QLineEdit*>(), Qt::LeftButton);
    const QPointF place = QRectF(spin->rect()).center();
    for (int i = 0; i < std::abs(steps); ++i) {
        QWheelEvent event(place, spin->mapToGlobal(place), {}, {0, steps > 0 ? 120 : -120}, Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(spin, &event);
    }
}

void type(const QString& text) {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), text);
}

void tabTo(QWidget* target) {
    for (int i = 0; i < 60 && QApplication::focusWidget() != target; ++i)
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    QCOMPARE(QApplication::focusWidget(), target);
}

} // namespace

class NetworkBuilderTest : public QObject {
    Q_OBJECT
  private slots:
    void byMouseAlone() {
        NetworkFixture f(networkOf(Json::array()));
        const Json start = f.document.json();
        f.clickType("conv2d");
        turn(f.spin("/network/layers/0/padding"), 1);
        for (const char* next : {"relu", "maxpool2d", "conv2d"})
            f.clickType(next);
        turn(f.spin("/network/layers/3/filters"), 16);
        turn(f.spin("/network/layers/3/padding"), 1);
        for (const char* next : {"relu", "maxpool2d", "flatten", "dense"})
            f.clickType(next);
        turn(f.spin("/network/layers/7/units"), 90);
        for (const char* next : {"relu", "dense"})
            f.clickType(next);
        QVERIFY2(sameContent(f.layers(), modelZero()), f.layers().dump(1).c_str());
        QVERIFY(f.document.canRun());
        f.undoAll();
        QVERIFY(f.document.json() == start);
        while (f.document.undoStack().canRedo())
            f.document.undoStack().redo();
        QVERIFY(sameContent(f.layers(), modelZero()));
    }

    void byKeyboardAlone() {
        NetworkFixture f(networkOf(Json::array()));
        const Json start = f.document.json();
        f.canvas()->setFocus(Qt::TabFocusReason);
        const auto add = [&](const QString& words) {
            f.key(Qt::Key_Insert);
            type(words);
            f.key(Qt::Key_Return);
            f.key(Qt::Key_Escape);
        };
        const auto setValue = [&](const char* pointer, const QString& value) {
            f.key(Qt::Key_Return); // the layer's first field
            tabTo(f.spin(pointer));
            type(value);
            f.canvas()->setFocus(Qt::BacktabFocusReason);
        };
        add("conv");
        setValue("/network/layers/0/padding", "1");
        for (const char* words : {"relu", "max", "conv"})
            add(words);
        setValue("/network/layers/3/filters", "32");
        setValue("/network/layers/3/padding", "1");
        for (const char* words : {"relu", "max", "flat", "dense"})
            add(words);
        setValue("/network/layers/7/units", "100");
        for (const char* words : {"relu", "dense"})
            add(words);
        QVERIFY2(sameContent(f.layers(), modelZero()), f.layers().dump(1).c_str());
        while (f.document.undoStack().canUndo())
            f.document.undoStack().undo();
        QVERIFY(f.document.json() == start);
    }

    void shapesFiguresAndErrorsAreRight() {
        NetworkFixture f(networkOf(modelZero()));
        const auto shape = [&](const char* name) { return shapeText(*f.layer(name).output); };
        QCOMPARE(shapeText(*f.canvas()->scene().graph.input), QString("32 × 3 × 32 × 32"));
        QCOMPARE(shape("conv1"), QString("32 × 16 × 32 × 32"));
        QCOMPARE(shape("pool1"), QString("32 × 16 × 16 × 16"));
        QCOMPARE(shape("conv2"), QString("32 × 32 × 16 × 16"));
        QCOMPARE(shape("pool2"), QString("32 × 32 × 8 × 8"));
        QCOMPARE(shape("flatten1"), QString("32 × 2\u00a0048"));
        QCOMPARE(shape("dense2"), QString("32 × 10"));
        QCOMPARE(f.layer("conv1").parameters, 16 * 3 * 9 + 16);
        QCOMPARE(f.layer("conv1").multiplyAdds, 32.0 * 16 * 27 * 32 * 32);
        QCOMPARE(f.layer("dense1").parameters, 2048 * 100 + 100);
        QCOMPARE(f.layer("conv1").summary, QString("16 filters 3×3 s1 p1"));
        QCOMPARE(f.layer("pool1").summary, QString("2×2 s2"));
        f.document.setValue("/network/layers/2/kernel", 64, "Kernel");
        (void)f.document.diagnostics();
        QTRY_VERIFY(f.layer("pool1").isWrong());
        QVERIFY(!f.layer("conv2").output && !f.layer("conv2").isWrong()); // only the culprit
    }

    void aLayerIsDroppedOnAnEdgeAndOnANode() {
        NetworkFixture f(networkOf(modelZero()));
        f.drop("batchnorm", f.edge("conv1", "relu1").label.center());
        QVERIFY(f.layers()[1]["type"] == "batchnorm");
        QVERIFY(!f.layers()[2].contains("inputs"));
        QCOMPARE(f.canvas()->scene().graph.sourcesOf(f.node("relu1")), std::vector<int>{1});
        f.drop("dropout", f.canvas()->scene().layout.rectOf(f.node("dense1")).center());
        QCOMPARE(f.canvas()->scene().graph.sourcesOf(f.node("relu3")), std::vector<int>{f.node("dropout1")});
        QVERIFY(f.document.canRun());
        f.undoAll();
        QVERIFY(f.layers() == modelZero());
    }

    void aBranchIsAddedAndLaidOutBesideTheChain() {
        NetworkFixture f(networkOf(modelZero()));
        f.document.setValue("/network/layers/3/filters", 16, "Filters"); // conv2 keeps pool1's shape
        f.clickNode("relu2");
        f.clickType("add");
        const GraphNode& add = f.layer("add1");
        QCOMPARE(add.inputs, (std::vector<std::string>{"relu2", "pool1"}));
        QVERIFY(add.output.has_value());
        const PlacedEdge& skip = f.edge("pool1", "add1");
        for (std::size_t i = 1; i + 1 < skip.points.size(); ++i)
            for (const QRectF& rect : f.canvas()->scene().layout.nodes)
                QVERIFY(!rect.contains(skip.points[i]));
        const auto& nodes = f.canvas()->scene().layout.nodes;
        for (std::size_t a = 0; a < nodes.size(); ++a)
            for (std::size_t b = 0; b < a; ++b)
                QVERIFY(!nodes[a].intersects(nodes[b]));
    }

    /// Squeeze and excitation by clicks: the gate finds what it scales, a layer normalisation its choice.
    void aGateMultipliesWhatWasSqueezed() {
        NetworkFixture f(networkOf(modelZero()));
        f.clickNode("relu1");
        f.clickType("global_avgpool2d");
        f.clickType("sigmoid");
        f.clickType("mul");
        const GraphNode& mul = f.layer("mul1");
        QCOMPARE(mul.inputs, (std::vector<std::string>{"sigmoid1", "relu1"}));
        QVERIFY(mul.output.has_value());
        QVERIFY(*mul.output == *f.layer("relu1").output);
        f.clickType("layernorm");
        QCOMPARE(f.layer("norm1").inputs, std::vector<std::string>{"mul1"});
        QVERIFY(f.document.canRun());
        const QString over = QStringLiteral("/network/layers/%1/over").arg(f.node("norm1"));
        f.document.setValue(over, "channels", "Over");
        QVERIFY(f.document.canRun());
        f.document.setValue(over, "batch", "Over");
        QVERIFY(!f.document.canRun());
    }

    void keysMoveRemoveDuplicateCutAndPaste() {
        NetworkFixture f(networkOf(modelZero()));
        f.clickNode("conv1");
        f.key(Qt::Key_Down);
        QCOMPARE(f.canvas()->current(), f.node("relu1"));
        f.key(Qt::Key_Delete);
        QCOMPARE(f.node("relu1"), -2);
        QCOMPARE(f.canvas()->scene().graph.sourcesOf(f.node("pool1")), std::vector<int>{f.node("conv1")});
        f.clickNode("conv1");
        f.key(Qt::Key_D, Qt::ControlModifier);
        QVERIFY(f.layers()[1]["name"] == "conv3");
        QVERIFY(f.layers()[1]["filters"] == 16);
        f.key(Qt::Key_X, Qt::ControlModifier);
        f.clickNode("dense1");
        f.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(f.canvas()->scene().graph.sourcesOf(f.node("conv3")), std::vector<int>{f.node("dense1")});
        f.undoAll();
        QVERIFY(f.layers() == modelZero());
    }

    void layersArePastedIntoAnotherDocument() {
        NetworkFixture from(networkOf(modelZero()));
        from.clickNode("conv2");
        from.clickNode("relu2", Qt::ControlModifier);
        QCOMPARE(from.canvas()->selectedLayers().size(), std::size_t{2});
        from.key(Qt::Key_C, Qt::ControlModifier);
        NetworkFixture to(networkOf(modelZero()));
        to.clickNode("relu1");
        to.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(to.layers().size(), std::size_t{12});
        QVERIFY(to.layers()[2]["name"] == "conv3");
        QVERIFY(to.layers()[2]["filters"] == 32);
        QVERIFY(to.layers()[3]["name"] == "relu4");
        QCOMPARE(to.canvas()->scene().graph.sourcesOf(to.node("pool1")), std::vector<int>{3});
        QVERIFY(to.document.canRun());
        QApplication::clipboard()->setText("no layers");
        to.key(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(to.layers().size(), std::size_t{12});
    }

    void aMistakeStandsOnItsNodeAndIsCured() {
        NetworkFixture f(networkOf(modelZero()));
        f.document.setValue("/network/layers/3/groups", 3, "Groups");
        QTRY_VERIFY(f.layer("conv2").isWrong());
        const int at = f.node("conv2");
        QCOMPARE(f.canvas()->scene().fixes[static_cast<std::size_t>(at)], QString("Set groups to 1"));
        const QRectF button = fixRect(f.canvas()->scene().layout.rectOf(at),
                                      f.canvas()->scene().fixes[static_cast<std::size_t>(at)]);
        QTest::mouseClick(f.canvas(), Qt::LeftButton, {}, f.canvas()->toScreen(button.center()));
        QVERIFY(f.at("/network/layers/3/groups") == 1);
        QVERIFY(f.document.canRun());
        QTRY_VERIFY(!f.layer("conv2").isWrong());
        f.undoAll();
        QVERIFY(f.layers() == modelZero());
    }

    void aFindingLeadsToItsLayersField() {
        NetworkFixture f(networkOf(modelZero()));
        f.view.focusPointer("/network/layers/7/units");
        QCOMPARE(f.canvas()->current(), 7);
        QCOMPARE(QApplication::focusWidget(), f.spin("/network/layers/7/units"));
    }

    void aRenamedLayerIsReadByItsNewName() {
        Json layers = modelZero();
        layers.push_back({{"name", "sum"}, {"type", "add"}, {"inputs", {"dense2", "dense2"}}});
        NetworkFixture f(networkOf(layers));
        f.clickNode("dense2");
        f.clickAndType(f.find<QLineEdit>("layer-name"), "scores");
        f.key(Qt::Key_Return);
        QVERIFY(f.layers()[9]["name"] == "scores");
        QVERIFY(f.layers()[10]["inputs"] == Json::array({"scores", "scores"}));
        QCOMPARE(f.canvas()->current(), 9);
    }

    void sweepsFollowTheirLayers() {
        Json document = networkOf(modelZero());
        document["axes"] = {{"/network/layers/3/filters", {16, 32}}, {"/training/batch", {8, 16}}};
        NetworkFixture f(document);
        f.clickNode("conv1");
        f.clickType("batchnorm");
        QVERIFY(f.at("/axes").contains("/network/layers/4/filters"));
        f.clickNode("conv2");
        f.key(Qt::Key_Delete);
        QVERIFY(sameContent(f.at("/axes"), {{"/training/batch", {8, 16}}}));
        f.undoAll();
        QVERIFY(f.document.json() == document);
    }

    void brokenDocumentsAreShownNotRefused() {
        for (const char* layers :
             {R"([{"type": "nonsense"}, {"type": "relu", "inputs": 5}, 7, {"name": "x", "type": "conv2d"}])",
              R"({"not": "a list"})", R"([{"name": "a", "type": "add", "inputs": ["b"]}])"}) {
            NetworkFixture f(networkOf(Json::parse(layers)));
            QVERIFY(!f.document.canRun());
            f.canvas()->grab();
            f.clickType("relu");
            f.canvas()->grab();
        }
        Json document = compute::defaultNetworkDocument();
        document["network"] = 5;
        NetworkFixture f(document);
        f.clickType("conv2d");
        QVERIFY(f.layers().size() == 1);
    }
};

HETEROSCOPE_UI_TEST(NetworkBuilderTest)
#include "network_builder_test.moc"
