// SPDX-License-Identifier: Apache-2.0
#include "compute/base/npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <heteroscope_paths.h>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

const std::filesystem::path kGolden = HETEROSCOPE_SOURCE_DIR "/tests/golden/numpy";

/// 0 to 23 minus `shift`, as generate.py makes them.
std::vector<float> counting(float shift) {
    std::vector<float> values;
    for (int i = 0; i < 24; ++i)
        values.push_back(static_cast<float>(i) - shift);
    return values;
}

std::vector<std::byte> bytesOf(const std::string& text) {
    std::vector<std::byte> bytes(text.size());
    if (!text.empty())
        std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

std::string npyText(const std::string& dictionary, const std::string& data = {}) {
    std::string text("\x93NUMPY\x01\x00", 8);
    text += static_cast<char>(dictionary.size() & 0xff);
    text += static_cast<char>(dictionary.size() >> 8);
    return text + dictionary + data;
}

} // namespace

TEST(Npy, ReadsEveryTypeAndByteOrder) {
    for (const char* type :
         {"f4", "f4_big", "f8", "f8_big", "i1", "i2", "i2_big", "i4", "i4_big", "i8", "i8_big"}) {
        const auto array = readNpy(kGolden / (std::string("a_") + type + ".npy"));
        ASSERT_TRUE(array) << array.error().sentence();
        EXPECT_EQ(array->shape, (std::vector<std::int64_t>{2, 3, 4}));
        EXPECT_EQ(array->values, counting(5)) << type;
    }
    for (const char* type : {"u1", "u2", "u2_big", "u4", "u8"}) {
        const auto array = readNpy(kGolden / (std::string("a_") + type + ".npy"));
        ASSERT_TRUE(array) << array.error().sentence();
        EXPECT_EQ(array->values, counting(0)) << type;
    }
}

TEST(Npy, ReadsFortranOrderBooleansAndLaterVersions) {
    for (const char* name : {"fortran.npy", "version2.npy", "version3.npy"}) {
        const auto array = readNpy(kGolden / name);
        ASSERT_TRUE(array) << array.error().sentence();
        EXPECT_EQ(array->values, counting(5)) << name;
    }
    const auto booleans = readNpy(kGolden / "bool.npy");
    ASSERT_TRUE(booleans);
    for (std::size_t i = 0; i < 24; ++i)
        EXPECT_EQ(booleans->values[i], i % 2 == 0 ? 1.0f : 0.0f);
}

TEST(Npy, WritingGivesTheBytesThatNumpyWrites) {
    std::ifstream file(kGolden / "a_f4.npy", std::ios::binary);
    const std::string expected((std::istreambuf_iterator<char>(file)), {});
    const std::vector<std::int64_t> shape{2, 3, 4};
    EXPECT_EQ(writeNpy(shape, counting(5)), bytesOf(expected));
}

TEST(Npy, ScalarsAndVectorsSurviveARoundTrip) {
    for (const auto& shape : {std::vector<std::int64_t>{}, std::vector<std::int64_t>{1}}) {
        const std::vector<float> values{2.5f};
        const auto array = parseNpy(writeNpy(shape, values), "x.npy");
        ASSERT_TRUE(array) << array.error().sentence();
        EXPECT_EQ(array->shape, shape);
        EXPECT_EQ(array->values, values);
    }
}

struct BadNpy {
    const char* name;
    std::string text;
    const char* where;
    const char* message;
};

void PrintTo(const BadNpy& bad, std::ostream* out) {
    *out << bad.name;
}

class Malformed : public testing::TestWithParam<BadNpy> {};

TEST_P(Malformed, IsRefusedWithItsOffset) {
    const auto array = parseNpy(bytesOf(GetParam().text), "x.npy");
    ASSERT_FALSE(array);
    EXPECT_EQ(array.error().code, ErrorCode::BadInput);
    EXPECT_EQ(array.error().where, std::string("x.npy, byte ") + GetParam().where)
        << array.error().sentence();
    EXPECT_NE(array.error().message.find(GetParam().message), std::string::npos) << array.error().sentence();
}

INSTANTIATE_TEST_SUITE_P(
    Npy, Malformed,
    testing::Values(
        BadNpy{"Empty", "", "0", "not a .npy file"}, BadNpy{"Text", "hello, world", "0", "not a .npy file"},
        BadNpy{"Cut", std::string("\x93NUMPY\x01\x00", 8), "8", "ends inside"},
        BadNpy{"Version", std::string("\x93NUMPY\x09\x00\x10\x00", 10), "6", "version 9"},
        BadNpy{"HeaderLength", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12), "8", "claims"},
        BadNpy{"Brace", npyText("[]"), "10", "expected '{'"},
        BadNpy{"Structured", npyText("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"),
               "20", "structured"},
        BadNpy{"Complex", npyText("{'descr': '<c8', 'fortran_order': False, 'shape': (1,)}"), "25", "'<c8'"},
        BadNpy{"Spaces", npyText("{'descr': '<4 ', 'fortran_order': False, 'shape': (1,)}"), "25", "'<4 '"},
        BadNpy{"Order", npyText("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}"), "44",
               "True or False"},
        BadNpy{"Negative", npyText("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), "61",
               "whole number"},
        BadNpy{"Huge", npyText("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999,9999999999)}"),
               "10", "larger than 8 EiB"},
        BadNpy{"Unknown", npyText("{'descr': '<f4', 'color': 1}"), "35", "unknown key"},
        BadNpy{"Twice", npyText("{'descr': '<f4', 'descr': '<f4'}"), "35", "given twice"},
        BadNpy{"Missing", npyText("{'descr': '<f4'}"), "26", "not all there"},
        BadNpy{"Short", npyText("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "1234567"), "72",
               "the file ends after"},
        BadNpy{"TooLarge",
               npyText("{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
                       std::string("\xff\xff\xff\xff\xff\xff\xef\x7f", 8)),
               "65", "too large for float32"}),
    [](const auto& each) { return each.param.name; });

namespace {

/// A file of its own that goes away with it.
class NpyFile : public testing::Test {
  protected:
    ~NpyFile() override { std::filesystem::remove(m_path); }
    void write(std::span<const std::byte> bytes) {
        std::ofstream(m_path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), std::ssize(bytes));
    }
    std::filesystem::path m_path =
        std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-npy_test.npy");
};

} // namespace

TEST_F(NpyFile, IsReadInPiecesAsInOne) {
    const std::vector<std::int64_t> shape{3, 1000, 1001}; // more than one piece, the last one not full
    std::vector<float> values(3 * 1000 * 1001);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % 8191);
    write(writeNpy(shape, values));
    const auto array = readNpy(m_path);
    ASSERT_TRUE(array) << array.error().sentence();
    EXPECT_EQ(array->shape, shape);
    EXPECT_TRUE(array->values == values);
}

TEST_F(NpyFile, DamageBehindTheHeaderIsNamedWithFileAndByte) {
    const std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}";
    write(bytesOf(npyText(header, std::string("\xff\xff\xff\xff\xff\xff\xef\x7f", 8))));
    EXPECT_EQ(readNpy(m_path).error().where, m_path.string() + ", byte 65");
    write(bytesOf(npyText(header, "1234567")));
    EXPECT_EQ(readNpy(m_path).error().where, m_path.string() + ", byte 72");
    EXPECT_EQ(readNpyHeader(m_path).error().where, m_path.string() + ", byte 72");
    EXPECT_NE(readNpy(m_path).error().message.find("ends after 7 B of elements, its header promises 8 B"),
              std::string::npos);
    std::filesystem::remove(m_path);
    EXPECT_NE(readNpy(m_path).error().message.find("does not exist"), std::string::npos);
    EXPECT_NE(readNpy(std::filesystem::temp_directory_path()).error().message.find("not a regular file"),
              std::string::npos);
}

TEST_F(NpyFile, MayEndWithItsHeaderWhenItHasNoElements) {
    write(bytesOf(npyText("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3)}")));
    const auto array = readNpy(m_path);
    ASSERT_TRUE(array) << array.error().sentence();
    EXPECT_EQ(array->shape, (std::vector<std::int64_t>{0, 3}));
    EXPECT_TRUE(array->values.empty());
    EXPECT_TRUE(parseNpy(bytesOf(npyText("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}")), "x"));
}

/// NumPy writes (), (5,) and (5, 6), and fills the header up to a multiple of 64 bytes.
TEST(Npy, HeadersAreThoseOfNumPy) {
    const auto headerOf = [](const std::vector<std::int64_t>& shape, std::size_t values) {
        const auto bytes = writeNpy(shape, std::vector<float>(values));
        EXPECT_EQ((bytes.size() - values * sizeof(float)) % 64, 0u);
        return std::string(reinterpret_cast<const char*>(bytes.data()) + 10, 60);
    };
    const std::string start = "{'descr': '<f4', 'fortran_order': False, 'shape': ";
    EXPECT_EQ(headerOf({}, 1).substr(0, start.size() + 5), start + "(), }");
    EXPECT_EQ(headerOf({5}, 5).substr(0, start.size() + 7), start + "(5,), }");
    EXPECT_EQ(headerOf({5, 6}, 30).substr(0, start.size() + 9), start + "(5, 6), }");
}

TEST(NpyHeader, LimitsAreWhereTheySayTheyAre) {
    const auto header = [](const std::string& shape, const std::string& padding = {}) {
        return bytesOf(
            npyText("{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + ")}" + padding));
    };
    std::string ones = "1";
    for (int dimension = 1; dimension < 32; ++dimension)
        ones += ",1";
    EXPECT_EQ(parseNpyHeader(header(ones), "x")->shape.size(), 32u);
    EXPECT_NE(parseNpyHeader(header(ones + ",1"), "x").error().message.find("more than 32"),
              std::string::npos);
    EXPECT_EQ(parseNpyHeader(header("1", std::string(700, ' ')), "x")->dataOffset, 10u + 54 + 700);
    EXPECT_EQ(parseNpyHeader(header("1152921504606846975"), "x")->elements, 1152921504606846975);
    EXPECT_FALSE(parseNpyHeader(header("1152921504606846976"), "x")) << "2^63 bytes of float64";
    EXPECT_EQ(parseNpyHeader(header("0, 1152921504606846975"), "x")->elements, 0);
}

TEST(NpyHeader, EachKeyIsNeeded) {
    for (const char* text : {"{'fortran_order': False, 'shape': (1,)}", "{'descr': '<f4', 'shape': (1,)}",
                             "{'descr': '<f4', 'fortran_order': False}"})
        EXPECT_NE(parseNpyHeader(bytesOf(npyText(text)), "x").error().message.find("not all there"),
                  std::string::npos)
            << text;
}

TEST(NpyHeader, TypesHaveAnOrderAndASize) {
    for (const char* type : {"f4", "<f", "<f44", "4f4", "<f3", "", "<f2"})
        EXPECT_FALSE(parseNpyHeader(
            bytesOf(npyText(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': ()}")),
            "x"))
            << type;
    for (const char* type : {"<f4", ">f8", "|u1", "=i2"})
        EXPECT_TRUE(parseNpyHeader(
            bytesOf(npyText(std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': ()}")),
            "x"))
            << type;
}

TEST(NpyHeader, IsCutOrOfAVersionThatIsNotKnown) {
    const auto errorOf = [](const std::string& text) { return parseNpyHeader(bytesOf(text), "x").error(); };
    const std::string magic = "\x93NUMPY";
    EXPECT_EQ(errorOf(magic + std::string("\x01\x00\x10", 3)).where, "x, byte 9");
    EXPECT_EQ(errorOf(magic + std::string("\x02\x00\x10\x00\x00", 5)).where, "x, byte 11");
    EXPECT_EQ(errorOf(magic + std::string("\x04\x00\x10\x00\x00\x00", 6)).where, "x, byte 6");
    EXPECT_EQ(errorOf(magic + std::string("\x00\x00\x10\x00\x00\x00", 6)).where, "x, byte 6");
    EXPECT_EQ(errorOf(magic + std::string("\x02\x00\xff\xff\xff\x00", 6)).allowed, "at most 65524");
    EXPECT_NE(errorOf(magic + std::string("\x02\x00\x01\x02\x03\x00", 6)).message.find("197121 bytes"),
              std::string::npos);
}

TEST(Npy, NothingMayFollowTheArray) {
    const std::string text = npyText("{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}", "ab");
    EXPECT_TRUE(parseNpy(bytesOf(text), "x"));
    const auto more = parseNpy(bytesOf(text + "c"), "x");
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().where, "x, byte " + std::to_string(text.size()));
    EXPECT_EQ(more.error().message, "more bytes follow than the header says");
}

/// One of more than 255 bytes, which both bytes of its length take part in.
TEST(Npy, LongHeadersSurviveARoundTrip) {
    const std::vector<std::int64_t> shape(32, 1234567890123);
    const auto bytes = writeNpy(shape, {});
    const auto length = static_cast<std::size_t>(bytes[8]) + 256 * static_cast<std::size_t>(bytes[9]);
    EXPECT_GT(length, 512u);
    EXPECT_EQ(length + 10, bytes.size());
}

} // namespace heteroscope::compute
