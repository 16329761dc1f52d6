// SPDX-License-Identifier: Apache-2.0
// Tables as text: separators, lines, and cells that are texts in a spreadsheet whatever they hold.
#include "compute/base/cell_table.h"
#include "compute/base/csv_cell.h"
#include "tests/support/formula_cells.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace heteroscope {
namespace {

using Form = CellTable::Form;
using spreadsheet::cellsOf;
using spreadsheet::formulasIn;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CellTable, PutsCellsAndLinesTogether) {
    CellTable table;
    table.line({"name", "a,b", ""});
    table.cell(std::int64_t{-3}).cell(7u).cells({"x", "-1.5"});
    table.endLine();
    EXPECT_EQ(table.text(), "name,\"a,b\",\n-3,7,x,-1.5\n");
    CellTable begun;
    begun.cell(1).cell("=A1");
    CellTable more;
    more.cellsOf(begun).cell(2).endLine();
    more.cellsOf(begun).cell(3).endLine();
    EXPECT_EQ(more.text(), "1,'=A1,2\n1,'=A1,3\n");
}

TEST(CellTable, NoTextBecomesAFormulaInEitherForm) {
    for (const Form form : {Form::Csv, Form::Tsv}) {
        const char separator = form == Form::Csv ? ',' : '\t';
        CellTable table(form);
        for (const char* text : {"=1+1", "+1+1", "-1+1", "@A1", "\t=1", "\r=1", "\n=1", "'=1", "\"=1\"",
                                 "a\t=1", "a\n=1", "a,=1", "=\"x\""})
            table.cell(text);
        table.endLine();
        EXPECT_THAT(formulasIn(table.text(), separator), IsEmpty()) << table.text();
    }
}

TEST(CellTable, TabsAndLineEndsInATsvCellAreSpaces) {
    EXPECT_EQ(tsvCell("a\tb\r\nc"), "a b  c");
    EXPECT_EQ(tsvCell("\t=1"), "' =1");
    EXPECT_EQ(tsvCell("=SUM(A1)"), "'=SUM(A1)");
    EXPECT_EQ(tsvCell("-1.5"), "-1.5");
    EXPECT_EQ(tsvCell("a,b"), "a,b");
    EXPECT_EQ(tsvCell("say \"x\""), "\"say \"\"x\"\"\"");
    CellTable table(Form::Tsv);
    table.line({"x\ty", "z"});
    EXPECT_THAT(cellsOf(table.text(), '\t'), ElementsAre("x y", "z", ""));
}

TEST(FormulaCells, FindsWhatASpreadsheetWouldCompute) {
    EXPECT_THAT(formulasIn("a,=1+1\n-2,+3,-x\n"), ElementsAre("=1+1", "-x"));
    EXPECT_THAT(formulasIn("\"=1\",\"a,=1\"\n"), ElementsAre("=1"));
    EXPECT_THAT(formulasIn("a\t@b\n", '\t'), ElementsAre("@b"));
    EXPECT_THAT(formulasIn("'=1,1e-9\n"), IsEmpty());
}

} // namespace
} // namespace heteroscope
