// SPDX-License-Identifier: GPL-3.0-or-later
// Column titles stand over their cells to the pixel, and the sort arrow is there to be seen.
#include "tests/ui/program/ui_test.h"
#include "ui/common/table_header.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QStandardItemModel>
#include <QTableView>

using namespace heteroscope::ui;

namespace {

/// First and last column of pixels in `area` that differ from the ground.
std::pair<int, int> inked(const QImage& image, const QRect& area) {
    const QRgb ground = image.pixel(area.topLeft());
    int first = area.right() + 1, last = area.left() - 1;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x)
            if (image.pixel(x, y) != ground) {
                first = std::min(first, x);
                last = std::max(last, x);
            }
    return {first, last};
}

struct Table {
    QStandardItemModel model{1, 2};
    QTableView view;

    Table() {
        Theme::instance().apply(ColorScheme::Light);
        const Qt::Alignment sides[] = {Qt::AlignLeft | Qt::AlignVCenter, Qt::AlignRight | Qt::AlignVCenter};
        for (int column = 0; column < 2; ++column) {
            model.setHeaderData(column, Qt::Horizontal, QStringLiteral("HHH"));
            model.setHeaderData(column, Qt::Horizontal, int(sides[column]), Qt::TextAlignmentRole);
            auto* item = new QStandardItem(QStringLiteral("HHH"));
            item->setTextAlignment(sides[column]);
            model.setItem(0, column, item);
        }
        setRole(&view, "plain");
        view.setHorizontalHeader(new TableHeader(&view));
        view.setModel(&model);
        view.setShowGrid(false);
        view.verticalHeader()->hide();
        view.setColumnWidth(0, 150);
        view.setColumnWidth(1, 150);
        view.resize(360, 160);
        view.show();
    }

    QImage grab() { return view.grab().toImage(); }
    /// A title's part of the picture without its border.
    QRect title(int column) {
        const QWidget* header = view.horizontalHeader();
        const QPoint at = header->mapTo(&view, QPoint(view.columnViewportPosition(column), 0));
        return {at + QPoint(1, 1), QSize(view.columnWidth(column) - 2, header->height() - 4)};
    }
    QRect cell(int column) {
        const QRect inside = view.visualRect(model.index(0, column));
        return {view.viewport()->mapTo(&view, inside.topLeft()) + QPoint(1, 1), inside.size() - QSize(2, 2)};
    }
};

} // namespace

class TableHeaderTest : public QObject {
    Q_OBJECT
  private slots:
    void titlesStandOverTheirCells() {
        Table table;
        const QImage image = table.grab();
        const auto leftTitle = inked(image, table.title(0)), leftCell = inked(image, table.cell(0));
        const auto rightTitle = inked(image, table.title(1)), rightCell = inked(image, table.cell(1));
        QVERIFY(leftTitle.second > leftTitle.first && rightTitle.second > rightTitle.first);
        QVERIFY2(std::abs(leftTitle.first - leftCell.first) <= 1,
                 qPrintable(QStringLiteral("%1 and %2").arg(leftTitle.first).arg(leftCell.first)));
        QVERIFY2(std::abs(rightTitle.second - rightCell.second) <= 1,
                 qPrintable(QStringLiteral("%1 and %2").arg(rightTitle.second).arg(rightCell.second)));
    }

    /// The width of a title was rounded to whole pixels, and half of the titles ended in "…" then.
    void aColumnAsWideAsItsTitleAsksForShowsAllOfIt() {
        Table table;
        for (const char* text : {"Memoria anfitrión", "Del tiempo real", "Host memory", "Of wall time",
                                 "Direction", "Intervalo del 95 %", "Aceleración"}) {
            table.model.setHeaderData(0, Qt::Horizontal, QString::fromUtf8(text));
            const int asked = table.view.horizontalHeader()->sectionSizeHint(0);
            table.view.setColumnWidth(0, asked);
            const auto inAsked = inked(table.grab(), table.title(0));
            table.view.setColumnWidth(0, asked + 60);
            const auto inMore = inked(table.grab(), table.title(0));
            QVERIFY2(inAsked == inMore,
                     qPrintable(
                         QStringLiteral("%1: %2, and %3").arg(text).arg(inAsked.second).arg(inMore.second)));
        }
    }

    void theSortArrowTakesNoPlaceFromTheTitle() {
        Table table;
        const auto before = inked(table.grab(), table.title(1));
        table.view.setSortingEnabled(true);
        table.view.sortByColumn(1, Qt::DescendingOrder);
        const QImage image = table.grab();
        const auto after = inked(image, table.title(1));
        QCOMPARE(after.second, before.second);
        QVERIFY2(before.first - after.first >= 12, qPrintable(QString::number(before.first - after.first)));
        int accented = 0;
        const QRect area = table.title(1);
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                accented += image.pixelColor(x, y) == Theme::instance().colors().accent;
        QVERIFY2(accented >= 10, qPrintable(QString::number(accented)));
    }

    void aClickSorts() {
        Table table;
        table.view.setSortingEnabled(true);
        table.view.sortByColumn(0, Qt::AscendingOrder);
        auto* header = table.view.horizontalHeader();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {},
                          QPoint(header->sectionViewportPosition(1) + 40, header->height() / 2));
        QCOMPARE(header->sortIndicatorSection(), 1);
    }
};

HETEROSCOPE_UI_TEST(TableHeaderTest)
#include "table_header_test.moc"
