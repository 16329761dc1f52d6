// SPDX-License-Identifier: GPL-3.0-or-later
// What computes each operation, asked of the real command line: rows, reasons, asking for another, mistakes.
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/skip.h"
#include "ui/common/language.h"
#include "ui/common/theme.h"
#include "ui/main_window/implementations_dialog.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTreeWidget>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

constexpr int kAnswerMs = 20000 * kTimeFactor;

struct DialogFixture {
    Document document;
    ImplementationsDialog* dialog = nullptr; ///< deletes itself when closed
    std::unique_ptr<QSignalSpy> settled;

    explicit DialogFixture(const Json& experiment) {
        Theme::instance().apply(ColorScheme::Light);
        document.newExperiment(experiment, QStringLiteral("test"));
        dialog = new ImplementationsDialog(document, [] { return QString(); });
        settled = std::make_unique<QSignalSpy>(dialog, &ImplementationsDialog::settled);
        dialog->show();
    }
    ~DialogFixture() { delete dialog; }
    DialogFixture(const DialogFixture&) = delete;
    DialogFixture& operator=(const DialogFixture&) = delete;

    bool answered() {
        const bool came = settled->count() > 0 || settled->wait(kAnswerMs);
        settled->clear();
        return came;
    }
    QTreeWidget* rows() const { return dialog->findChild<QTreeWidget*>("implementationRows"); }
    QTreeWidgetItem* candidate(int row, int column, const QString& name) const {
        QTreeWidgetItem* const item = rows()->topLevelItem(row);
        for (int i = 0; i < item->childCount(); ++i)
            if (item->child(i)->text(column).contains(name))
                return item->child(i);
        return nullptr;
    }
};

Json pooling() {
    Json document = compute::defaultPoolingDocument();
    document["pooling"]["kernel"] = 3;
    document["pooling"]["stride"] = 1;
    document["targets"] = {"cpu/openmp", "cpu/sequential"};
    return document;
}

} // namespace

class ImplementationsDialogTest : public QObject {
    Q_OBJECT
  private slots:
    void namesWhatComputesTheOperationAndWhyNotOthers() {
        DialogFixture f(pooling());
        QVERIFY(f.answered());
        QCOMPARE(f.rows()->topLevelItemCount(), 1);
        QCOMPARE(f.rows()->headerItem()->text(0), QString("Operation"));
        QCOMPARE(f.rows()->headerItem()->text(1), QString("cpu/openmp"));
        QVERIFY(f.rows()->topLevelItem(0)->text(1).startsWith("openmp:pool_3x3:"));
        QCOMPARE(f.rows()->topLevelItem(0)->text(2), QString("sequential:pool"));
        QVERIFY(f.candidate(0, 1, "pool_2x2")->text(1).contains("windows 2x2"));
        QVERIFY(f.candidate(0, 1, "pool_3x3")->text(1).startsWith(QString::fromUtf8("\u2713")));
        QVERIFY(f.dialog->text().contains("cpu/openmp\tcpu/sequential"));
    }

    void reasonsAreSaidInTheLanguage() {
        applyLanguage(QStringLiteral("es"));
        Json document = pooling();
        document["axes"] = {{"/pooling/input/size", {8, 64}}};
        document["targets"] = {"cpu/openmp", "cpu/onednn"};
        DialogFixture f(document);
        QVERIFY(f.answered());
        QCOMPARE(f.dialog->findChild<QComboBox*>("implementationPoints")->itemText(1),
                 QStringLiteral("tamaño = 64"));
        QVERIFY2(f.candidate(0, 1, "pool_2x2")->text(1).contains("solo calcula máximos de ventanas 2x2"),
                 qPrintable(f.candidate(0, 1, "pool_2x2")->text(1)));
        const QString all = f.dialog->text();
        for (const char* english : {"comes after", "computes", "windows", "rows have"})
            QVERIFY2(!all.contains(QLatin1String(english)), qPrintable(all));
        applyLanguage(QStringLiteral("en"));
    }

    void askingForAnotherChangesTheTargetAndIsUndone() {
        DialogFixture f(pooling());
        QVERIFY(f.answered());
        f.rows()->topLevelItem(0)->setExpanded(true);
        emit f.rows()->itemDoubleClicked(f.candidate(0, 1, "pool_rows"), 1);
        QCOMPARE(f.document.json()["targets"][0].get<std::string>(),
                 std::string("cpu/openmp?impl=pool_rows"));
        QVERIFY(f.answered());
        QVERIFY(f.rows()->topLevelItem(0)->text(1).startsWith("openmp:pool_rows:"));
        QVERIFY(f.rows()->topLevelItem(0)->isExpanded());
        f.document.undoStack().undo();
        QCOMPARE(f.document.json()["targets"][0].get<std::string>(), std::string("cpu/openmp"));
        f.document.undoStack().redo();
        emit f.rows()->itemDoubleClicked(f.candidate(0, 1, "pool_rows"), 1);
        QCOMPARE(f.document.json()["targets"][0].get<std::string>(), std::string("cpu/openmp"));
        emit f.rows()->itemDoubleClicked(f.candidate(0, 1, "pool_2x2"), 1); // refuses the operation
        QCOMPARE(f.document.json()["targets"][0].get<std::string>(), std::string("cpu/openmp"));
    }

    void operationsThatAreComputedAsOneStandInOneRow() {
        Json document = compute::defaultNetworkDocument();
        document["targets"] = {"cpu/openmp", "cuda:99/cuda"};
        DialogFixture f(document);
        QVERIFY(f.answered());
        QVERIFY(f.rows()->topLevelItemCount() > 2);
        QCOMPARE(f.rows()->headerItem()->text(0), QString("Layer"));
        QCOMPARE(f.rows()->topLevelItem(0)->text(4), QString("not available"));
        QVERIFY(f.dialog->findChildren<QLabel*>().size() > 1);
        QCOMPARE(f.rows()->topLevelItem(0)->text(1), QString("forward"));
    }

    void phasesAndShapesAreSaidInTheLanguage() {
        applyLanguage(QStringLiteral("es"));
        Json document = compute::defaultNetworkDocument();
        document["targets"] = {"cpu/openmp"};
        document["axes"] = {{"/network/input/shape", {{1, 28, 28}, {1, 32, 32}}}};
        DialogFixture f(document);
        QVERIFY(f.answered());
        QCOMPARE(f.rows()->topLevelItem(0)->text(1), QStringLiteral("hacia adelante"));
        QCOMPARE(f.dialog->findChild<QComboBox*>("implementationPoints")->itemText(1),
                 QStringLiteral("forma = [1,32,32]"));
        applyLanguage(QStringLiteral("en"));
    }

    /// They follow from what computes the operations: nobody asks for one.
    void copiesBetweenLayoutsCannotBeAskedFor() {
        Json document = compute::defaultNetworkDocument();
        document["targets"] = {"cpu/onednn", "cpu/openmp"};
        DialogFixture f(document);
        QVERIFY(f.answered());
        if (f.rows()->topLevelItem(0)->text(3) == "not available")
            QSKIP_WITHOUT("onednn", "this build has no oneDNN");
        int copies = 0;
        for (int i = 0; i < f.rows()->topLevelItemCount(); ++i) {
            QTreeWidgetItem* const row = f.rows()->topLevelItem(i);
            if (row->text(2) != "reorder")
                continue;
            ++copies;
            QCOMPARE(row->text(4), QString("no copy"));
            QVERIFY(row->childCount() > 0);
            emit f.rows()->itemDoubleClicked(row->child(0), 3);
            QCOMPARE(f.document.json()["targets"][0].get<std::string>(), std::string("cpu/onednn"));
        }
        QVERIFY(copies > 0);
    }

    void mistakesAreSaid() {
        Json document = pooling();
        document["pooling"]["kernel"] = 0;
        DialogFixture f(document);
        QVERIFY(f.answered());
        QStringList said;
        for (const QLabel* label : f.dialog->findChildren<QLabel*>())
            said << label->text();
        QVERIFY2(said.join('\n').contains("/pooling/kernel"), qPrintable(said.join('\n')));
        f.document.setValue("/pooling/kernel", 2, "mend");
        QVERIFY(f.answered());
        QCOMPARE(f.rows()->topLevelItemCount(), 1);
    }

    void pointsOfASweepAreChosen() {
        Json document = pooling();
        document["axes"] = {{"/pooling/input/size", {8, 64}}};
        DialogFixture f(document);
        QVERIFY(f.answered());
        auto* points = f.dialog->findChild<QComboBox*>("implementationPoints");
        QVERIFY(points->isVisible());
        QCOMPARE(points->itemText(1), QString("size = 64"));
        const QString small = f.rows()->topLevelItem(0)->text(1);
        points->setCurrentIndex(1);
        emit points->activated(1);
        QVERIFY(f.rows()->topLevelItem(0)->text(1) != small); // longer rows, wider vectors
    }
};

HETEROSCOPE_UI_TEST(ImplementationsDialogTest)
#include "implementations_dialog_test.moc"
