// SPDX-License-Identifier: Apache-2.0
#include "compute/base/csv_cell.h"

#include <gtest/gtest.h>

namespace heteroscope {
namespace {

TEST(CsvCell, TextsThatBeginLikeFormulasAreNone) {
    EXPECT_EQ(csvCell("=1+1"), "'=1+1");
    EXPECT_EQ(csvCell("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
    EXPECT_EQ(csvCell("-2+3"), "'-2+3");
    EXPECT_EQ(csvCell("@SUM(A1)"), "'@SUM(A1)");
    EXPECT_EQ(csvCell("\t=1"), "\"'\t=1\"");
    EXPECT_EQ(csvCell("\r=1"), "\"'\r=1\"");
    EXPECT_EQ(csvCell("=HYPERLINK(\"http://x\",\"y\")"), "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    EXPECT_EQ(csvCell("a;=1"), "\"a;=1\""); // programs that split at semicolons keep it whole
}

TEST(CsvCell, NumbersAndOtherTextsStay) {
    for (const char* text : {"-1.5", "+3", "-0", "-1e-9", "1e300", "-1e999", "-inf", "",
                             "cpu/openmp?threads=4", "it's", "'", "''x"})
        EXPECT_EQ(csvCell(text), text);
    EXPECT_EQ(csvCell("-"), "'-");
    EXPECT_EQ(csvCell("--1"), "'--1");
    EXPECT_EQ(csvCell("+-1"), "'+-1"); // no number of any program
    EXPECT_EQ(csvCell("-1.5 A"), "'-1.5 A");
}

TEST(CsvCell, ReadingGivesEveryTextBack) {
    for (const char* text : {"=1", "'=1", "''=1", "'", "''", "it's", "'x", "-1", "'-1", "-x", "@", "\t",
                             "\r\n", "'\t", "", "+-1"}) {
        std::string cell = csvCell(text);
        if (cell.starts_with('"'))
            cell = cell.substr(1, cell.size() - 2); // none of these holds quotation marks
        EXPECT_EQ(csvText(cell), text);
    }
}

TEST(CsvCell, ControlCharactersBecomeEscapes) {
    EXPECT_EQ(csvCell(std::string_view("a\x1b[2J\0\x7f", 7)), "a\\u001b[2J\\u0000\\u007f");
    EXPECT_EQ(csvCell("a\tb\r\n"), "\"a\tb\r\n\""); // tables may hold these
    EXPECT_EQ(csvCell("\xe2\x80\xae"), "\xe2\x80\xae");
}

} // namespace
} // namespace heteroscope
