// SPDX-License-Identifier: Apache-2.0
// Tables as text: columns, quoting, classes, and each mistake at its line and column.
#include "compute/base/csv_cell.h"
#include "compute/data/csv.h"

#include <gtest/gtest.h>

namespace heteroscope::compute {
namespace {

std::string failure(const std::string& text, const CsvOptions& options = {}) {
    const auto table = parseCsv(text, options, "t.csv");
    EXPECT_FALSE(table.ok());
    return table.ok() ? std::string() : table.error().sentence();
}

} // namespace

TEST(Csv, ReadsClassesInTheOrderOfTheirNames) {
    const auto table = parseCsv("a,b,kind\n1,2,pear\r\n3.5,-4e1,apple\n\n5,6,pear\n", {}, "t.csv");
    ASSERT_TRUE(table.ok()) << table.error().sentence();
    EXPECT_EQ(table->rows, 3);
    EXPECT_EQ(table->features, 2);
    EXPECT_EQ(table->values, (std::vector<float>{1, 2, 3.5F, -40, 5, 6}));
    EXPECT_EQ(table->classNames, (std::vector<std::string>{"apple", "pear"}));
    EXPECT_EQ(table->targets, (std::vector<float>{1, 0, 1}));
}

TEST(Csv, ClassesThatAreNumbersAreSortedAsNumbers) {
    const auto table = parseCsv("a,k\n1,10\n2,9\n3,2\n", {}, "t.csv");
    ASSERT_TRUE(table.ok());
    EXPECT_EQ(table->classNames, (std::vector<std::string>{"2", "9", "10"}));
    EXPECT_EQ(table->targets, (std::vector<float>{2, 1, 0}));
}

TEST(Csv, TextsThatWeWroteComeBackAsTheyWere) {
    const std::vector<std::string> texts{"=1+1",  "'=1+1", "''@x",      "-2+3", "+", "\t=1", "a\r\nb",
                                         " lead", "a;b",   "say \"x\"", "it's", "'", "-5 V"};
    std::string file = csvCell("=SUM(A1)") + ",kind\n";
    for (const std::string& text : texts)
        file += "-1.5," + csvCell(text) + "\n";
    const auto table = parseCsv(file, {}, "t.csv");
    ASSERT_TRUE(table.ok()) << table.error().sentence();
    EXPECT_EQ(table->values, std::vector<float>(texts.size(), -1.5F));
    for (std::size_t i = 0; i < texts.size(); ++i)
        EXPECT_EQ(table->classNames[static_cast<std::size_t>(table->targets[i])], texts[i]);
    CsvOptions byName;
    byName.features = "=SUM(A1)";
    EXPECT_TRUE(parseCsv(file, byName, "t.csv").ok());
}

TEST(Csv, ChoosesColumnsByNameNumberAndRange) {
    CsvOptions options;
    options.classes = false;
    options.features = "3-4, a";
    options.target = "b";
    const auto table = parseCsv("a,b,c,d\n1,2,3,4\n", options, "t.csv");
    ASSERT_TRUE(table.ok()) << table.error().sentence();
    EXPECT_EQ(table->values, (std::vector<float>{3, 4, 1}));
    EXPECT_EQ(table->targets, (std::vector<float>{2}));
    options.target = "5";
    EXPECT_NE(failure("a,b,c,d\n1,2,3,4\n", options).find("/data/target"), std::string::npos);
    options.target = "b";
    options.features = "a, 1";
    EXPECT_NE(failure("a,b,c,d\n1,2,3,4\n", options).find("twice"), std::string::npos);
}

TEST(Csv, CompressedTablesAreNamed) {
    const std::string said = failure("\x1f\x8b\x08 a,b\n1,2\n", {});
    EXPECT_NE(said.find("compressed with gzip"), std::string::npos) << said;
    EXPECT_NE(said.find("gunzip"), std::string::npos) << said;
}

TEST(Csv, OtherSeparatorsQuotesAndNoHeader) {
    CsvOptions options;
    options.header = false;
    options.separator = ';';
    const auto quoted = parseCsv("\xEF\xBB\xBF\"1\" ; 2; \"say \"\"x;y\"\"\"\n3;4;b", options, "t.csv");
    ASSERT_TRUE(quoted.ok()) << quoted.error().sentence();
    EXPECT_EQ(quoted->values, (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(quoted->classNames, (std::vector<std::string>{"b", "say \"x;y\""}));
    options.separator = ' ';
    options.classes = false;
    const auto spaces = parseCsv("  1   2 3  \n4 5    6\n", options, "t.csv");
    ASSERT_TRUE(spaces.ok()) << spaces.error().sentence();
    EXPECT_EQ(spaces->values, (std::vector<float>{1, 2, 4, 5}));
    EXPECT_EQ(spaces->targets, (std::vector<float>{3, 6}));
}

TEST(Csv, MistakesNameLineAndColumn) {
    EXPECT_NE(failure("a,b,k\n1,,x\n").find("t.csv, line 2, column 2: the cell of \"b\" is empty"),
              std::string::npos);
    EXPECT_NE(failure("a,b,k\n1,2,x\n1,two,x\n").find("line 3, column 2"), std::string::npos);
    EXPECT_NE(failure("a,b,k\n1,1e99,x\n").find("line 2, column 2"), std::string::npos);
    EXPECT_NE(failure("a,b,k\n1,nan,x\n").find("line 2, column 2"), std::string::npos);
    EXPECT_NE(failure("a,b,k\n1,2\n").find("line 2, column 3: the line has 2 cells"), std::string::npos);
    EXPECT_NE(failure("a,b,k\n1,2,x,4\n").find("line 2, column 4"), std::string::npos);
    EXPECT_NE(failure("a,b,k\n1,2,\n").find("line 2, column 3: the class is missing"), std::string::npos);
    EXPECT_NE(failure("a,k\n\"1,x\n").find("never closed"), std::string::npos);
    EXPECT_NE(failure("a,k\n\"1\"2,x\n").find("closing quotation mark"), std::string::npos);
    EXPECT_NE(failure("").find("empty"), std::string::npos);
    EXPECT_NE(failure("a,k\n").find("no lines"), std::string::npos);
    EXPECT_NE(failure("a;b;k\n1;2;x\n").find("/data/separator"), std::string::npos);
    CsvOptions known;
    known.knownClasses = {"x"};
    EXPECT_NE(failure("a,k\n1,y\n", known).find("no class \"y\""), std::string::npos);
}

/// A damaged cell became one more class.
TEST(Csv, ClassesAreReadableText) {
    const char* const why = "line 3, column 2: the class";
    EXPECT_NE(failure(std::string("a,k\n1,x\n2,\0x\n", 13)).find(why), std::string::npos);
    EXPECT_NE(failure("a,k\n1,x\n2,\xff\n").find(why), std::string::npos);
    EXPECT_NE(failure("a,k\n1,x\n2,\xff\n").find("is no UTF-8"), std::string::npos);
    EXPECT_TRUE(parseCsv("a,k\n1,x\n2,\xc3\xa9t\xc3\xa9\n", {}, "t.csv").ok());
}

TEST(Csv, TheTargetIsNoFeature) {
    CsvOptions options;
    options.target = "y";
    options.features = "2-3";
    EXPECT_EQ(failure("a,b,y\n1,2,x\n", options),
              "/data/features: column 3, in line 1 \"y\", is the target as well; allowed: columns beside the "
              "target; leave it out, or name another column in /data/target");
}

TEST(Csv, ANameOfTwoColumnsNamesNone) {
    CsvOptions options;
    options.target = "y";
    const std::string twice =
        ": line 1 calls both column 2 and column 3 \"y\"; allowed: a name of one column";
    EXPECT_NE(failure("a,y,y\n1,2,x\n", options).find("/data/target" + twice), std::string::npos);
    options.target = "a";
    options.features = "y";
    EXPECT_NE(failure("a,y,y\n1,2,3\n", options).find("/data/features" + twice), std::string::npos);
    options.target = "3";
    options.features = "1,2";
    EXPECT_TRUE(parseCsv("a,y,y\n1,2,3\n", options, "t.csv").ok()); // numbers name one column each
}

TEST(Csv, NumbersThatAreTooSmallAreZero) {
    CsvOptions options;
    options.classes = false;
    const std::string zeros(400, '0');
    const auto table = parseCsv(
        "a,b,c,d,e,k\n1e-400,-1e-400,0." + zeros + "1,0e999,1" + zeros + "e-401,1e-50\n", options, "t.csv");
    ASSERT_TRUE(table.ok()) << table.error().sentence();
    EXPECT_EQ(table->values, (std::vector<float>{0, 0, 0, 0, 0.1F}));
    EXPECT_EQ(table->targets, (std::vector<float>{0}));
    for (const std::string& large :
         {std::string("1e400"), "1" + zeros, std::string("0.01e999"), std::string("1e39")})
        EXPECT_NE(failure("a,k\n" + large + ",x\n").find("is too large; allowed: a number of at most 3.4e38"),
                  std::string::npos)
            << failure("a,k\n" + large + ",x\n");
}

} // namespace heteroscope::compute
