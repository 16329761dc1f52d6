// SPDX-License-Identifier: GPL-3.0-or-later
// The library: what it lists, search, tags and notes that outlive the index, delete and undo.
#include "tests/ui/library/run_files.h"
#include "tests/ui/program/ui_test.h"
#include "ui/common/message_bar.h"
#include "ui/common/paths.h"
#include "ui/library/library_entry.h"
#include "ui/library/library_model.h"
#include "ui/library/library_view.h"

#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

struct LibraryViewFixture {
    QTemporaryDir data;
    std::unique_ptr<LibraryView> view;
    QTableView* table = nullptr;

    LibraryViewFixture() { qputenv("HETEROSCOPE_DATA", data.path().toUtf8()); }
    QString run(const char* file) const { return QDir(LibraryView::runsDirectory()).filePath(file); }
    bool open() {
        view = std::make_unique<LibraryView>();
        table = view->findChild<QTableView*>("libraryTable");
        view->resize(1200, 600);
        view->show();
        return settle();
    }
    bool settle() const {
        return QTest::qWaitFor([this] { return !view->isBusy(); }, 10000);
    }
    QModelIndex cell(int row, int column) const { return table->model()->index(row, column); }
    int rows() const { return table->model()->rowCount(); }
    void select(int row) const { table->selectRow(row); }
    void click(const char* name) const {
        QTest::mouseClick(view->findChild<QPushButton*>(QString::fromLatin1(name)), Qt::LeftButton);
    }
};

} // namespace

class LibraryViewTest : public QObject {
    Q_OBJECT
  private slots:
    void listsRunsWithTheirBestSpeedup() {
        LibraryViewFixture f;
        writeRun(f.run("a.hscope"), "Sweep", 2.0);
        QVERIFY(f.open());
        QCOMPARE(f.rows(), 1);
        QCOMPARE(f.cell(0, LibraryModel::Name).data().toString(), QStringLiteral("Sweep"));
        QCOMPARE(f.cell(0, LibraryModel::Kind).data().toString(), QStringLiteral("Pooling"));
        const auto* table = f.view->findChild<QTableView*>();
        const int longest = table->fontMetrics().horizontalAdvance("Matrix multiplication") + 22; // margins
        QVERIFY2(table->columnWidth(LibraryModel::Kind) >= longest, "the longest kind is cut");
        QCOMPARE(f.cell(0, LibraryModel::Best).data().toString().left(4), QStringLiteral("3.99"));
    }

    void aWideTableCutsNoTextAndKeepsTheWidthsOfItsUser() {
        LibraryViewFixture f;
        const char* const name = "A sweep over sizes, kernels and strides on every processor";
        writeRun(f.run("a.hscope"), name, 2.0);
        QVERIFY(f.open());
        auto* table = f.view->findChild<QTableView*>();
        const int text = table->fontMetrics().horizontalAdvance(name);
        f.view->resize(900, 500);
        QTRY_VERIFY(table->columnWidth(LibraryModel::Name) < text);
        f.view->resize(2400, 500);
        QTRY_VERIFY(table->columnWidth(LibraryModel::Name) > text);
        table->setColumnWidth(LibraryModel::Name, 77);
        f.view->resize(1800, 500);
        f.view->resize(2400, 500);
        QCoreApplication::processEvents();
        QCOMPARE(table->columnWidth(LibraryModel::Name), 77);
    }

    void runsOfOneMinuteAndOneNameAreToldApart() {
        LibraryViewFixture f;
        writeRun(f.run("first.hscope"), "Sweep", 2.0, "done", "2026-11-21T02:36:05Z");
        writeRun(f.run("second.hscope"), "Sweep", 2.0, "done", "2026-11-21T02:36:45Z");
        QVERIFY(f.open());
        QCOMPARE(f.cell(0, LibraryModel::File).data().toString(), QStringLiteral("second.hscope"));
        QCOMPARE(f.cell(1, LibraryModel::File).data().toString(), QStringLiteral("first.hscope"));
        QVERIFY(f.cell(0, LibraryModel::File).data(Qt::ToolTipRole).toString().endsWith("/second.hscope"));
        QVERIFY(f.cell(0, LibraryModel::Started).data().toString().endsWith(":36:45"));
        QVERIFY(f.cell(1, LibraryModel::Started).data().toString().endsWith(":36:05"));
        QVERIFY(f.cell(1, LibraryModel::Started).data(Qt::ToolTipRole).toString().startsWith("2026-11-2"));
    }

    void anUnreadableFileIsListedAsSuch() {
        LibraryViewFixture f;
        QFile file(f.run("broken.hscope"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("nothing of use");
        file.close();
        QVERIFY(f.open());
        QCOMPARE(f.rows(), 1);
        QVERIFY(f.cell(0, LibraryModel::Name).data(Qt::AccessibleTextRole).toString().contains("unreadable"));
    }

    void searchNeedsAllWords() {
        LibraryViewFixture f;
        writeRun(f.run("a.hscope"), "Size sweep", 2.0);
        writeRun(f.run("b.hscope"), "Matrix product", 2.0);
        QVERIFY(f.open());
        QCOMPARE(f.rows(), 2);
        QTest::keyClicks(f.view->findChild<QLineEdit*>("librarySearch"), "sweep openmp");
        QCOMPARE(f.rows(), 1);
        QTest::keyClicks(f.view->findChild<QLineEdit*>("librarySearch"), " nowhere");
        QCOMPARE(f.rows(), 0);
    }

    void tagsAndNotesOutliveTheIndex() {
        LibraryViewFixture f;
        writeRun(f.run("a.hscope"), "Sweep", 2.0);
        QVERIFY(f.open());
        QVERIFY(f.table->model()->setData(f.cell(0, LibraryModel::Tags), "thesis, chapter 3, thesis"));
        QVERIFY(f.table->model()->setData(f.cell(0, LibraryModel::Notes), "with the lid closed"));
        f.view.reset();
        QVERIFY(QFile::remove(dataDirectory() + "/library-index.sqlite"));
        QVERIFY(f.open());
        QCOMPARE(f.cell(0, LibraryModel::Tags).data().toString(), QStringLiteral("thesis, chapter 3"));
        QCOMPARE(f.cell(0, LibraryModel::Notes).data().toString(), QStringLiteral("with the lid closed"));
    }

    void deleteMovesToTheTrashAndUndoBringsBack() {
        LibraryViewFixture f;
        writeRun(f.run("a.hscope"), "Sweep", 2.0);
        QVERIFY(f.open());
        QVERIFY(f.table->model()->setData(f.cell(0, LibraryModel::Notes), "keep me"));
        f.select(0);
        f.click("libraryDelete");
        QVERIFY(!QFile::exists(f.run("a.hscope")));
        QVERIFY(QFile::exists(f.run("trash/a.hscope")));
        QCOMPARE(f.rows(), 0);
        auto* bar = f.view->findChild<MessageBar*>();
        QVERIFY(bar->isVisible());
        QTest::mouseClick(bar->findChild<QPushButton*>(), Qt::LeftButton);
        QVERIFY(f.settle());
        QCOMPARE(f.rows(), 1);
        QVERIFY(QFile::exists(f.run("a.hscope")));
        QCOMPARE(f.cell(0, LibraryModel::Notes).data().toString(), QStringLiteral("keep me"));
    }

    void buttonsFollowTheSelectionAndAskForWhatTheySay() {
        LibraryViewFixture f;
        writeRun(f.run("a.hscope"), "One", 2.0);
        writeRun(f.run("b.hscope"), "Two", 4.0);
        QVERIFY(f.open());
        auto* compare = f.view->findChild<QPushButton*>("libraryCompare");
        QVERIFY(!compare->isEnabled());
        QSignalSpy opened(f.view.get(), &LibraryView::openRequested);
        QSignalSpy compared(f.view.get(), &LibraryView::compareRequested);
        QSignalSpy edited(f.view.get(), &LibraryView::experimentRequested);
        f.select(0);
        QVERIFY(!compare->isEnabled());
        f.click("libraryOpen");
        f.click("libraryEdit");
        QCOMPARE(opened.size(), 1);
        QCOMPARE(edited.size(), 1);
        f.table->selectAll();
        QVERIFY(compare->isEnabled());
        f.click("libraryCompare");
        QCOMPARE(compared.size(), 1);
        QCOMPARE(compared[0][0].toStringList().size(), 2);
        f.select(1);
        f.table->setFocus();
        QTest::keyClick(f.table, Qt::Key_Return);
        QCOMPARE(opened.size(), 2);
    }

    void comparesTwoRunsOrThreePairsAndMore() {
        LibraryViewFixture f;
        for (const char* name : {"a", "b", "c", "d", "e", "f"})
            writeRun(f.run((std::string(name) + ".hscope").c_str()), name, 2.0);
        QVERIFY(f.open());
        QSignalSpy compared(f.view.get(), &LibraryView::compareRequested);
        const auto selectFirst = [&](int count) {
            f.table->clearSelection();
            for (int row = 0; row < count; ++row)
                f.table->selectionModel()->select(f.cell(row, 0),
                                                  QItemSelectionModel::Select | QItemSelectionModel::Rows);
            f.click("libraryCompare");
        };
        const auto* bar = f.view->findChild<MessageBar*>();
        for (const int count : {3, 4, 5}) {
            selectFirst(count);
            QCOMPARE(compared.size(), 0);
            QVERIFY2(bar->text().contains(
                         QStringLiteral("%1 selected runs are neither two nor whole pairs").arg(count)),
                     qPrintable(bar->text()));
        }
        selectFirst(6);
        QCOMPARE(compared.size(), 1);
        QCOMPARE(compared[0][0].toStringList().size(), 6);
    }
};

HETEROSCOPE_UI_TEST(LibraryViewTest)
#include "library_view_test.moc"
