// SPDX-License-Identifier: GPL-3.0-or-later
// Scrolling the form never edits the experiment, not even over a box that was just used.
#include "tests/ui/build/network/network_fixture.h"
#include "tests/ui/program/ui_test.h"
#include "ui/build/axes_editor.h"

#include <QWheelEvent>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

/// Whether the box leaves the wheel to what scrolls it.
bool ignoresWheel(QComboBox* box, int turn) {
    const QPointF place = QRectF(box->rect()).center();
    QWheelEvent event(place, box->mapToGlobal(place), {}, {0, turn}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    event.accept();
    QCoreApplication::sendEvent(box, &event);
    return !event.isAccepted();
}

/// Scrolls over every box of the view, twice over those that can have the focus.
void scrollOverAll(BuildFixture& f, const QStringList& required) {
    const Json before = f.document.json();
    QStringList seen;
    for (const QPointer<QComboBox> box :
         f.find<QWidget>("form-scroll")->parentWidget()->findChildren<QComboBox*>()) {
        if (!box || !box->isVisible())
            continue;
        seen << box->objectName();
        for (const bool focused : {false, true})
            for (const int turn : {120, -120}) {
                if (focused)
                    box->setFocus();
                const QString what = box->objectName() + " " + box->currentText();
                QVERIFY2(ignoresWheel(box, turn), qPrintable(what));
                QVERIFY2(f.document.json() == before, qPrintable(what));
            }
    }
    for (const QString& name : required)
        QVERIFY2(seen.contains(name), qPrintable(name + " not in " + seen.join(", ")));
}

} // namespace

class WheelTest : public QObject {
    Q_OBJECT
  private slots:
    void aPoolingStudyStaysWhatItIs() {
        Json document = compute::defaultPoolingDocument();
        document["axes"] = {{"/pooling/input/size", {8, 16, 32, 64}}};
        BuildFixture f(document);
        scrollOverAll(f, {"kind", "axis-parameter-0"});
    }

    void aNetworkStaysWhatItIs() {
        NetworkFixture f(networkOf(modelZero()));
        f.clickType("relu");
        auto* input = f.find<QComboBox>("layer-input-0");
        const Json before = f.document.json();
        input->setFocus();
        QVERIFY(ignoresWheel(input, 120) && ignoresWheel(input, -120));
        QVERIFY(f.document.json() == before);
        scrollOverAll(f, {"kind", "shape-kind"});
    }
};

HETEROSCOPE_UI_TEST(WheelTest)
#include "wheel_test.moc"
