// SPDX-License-Identifier: Apache-2.0
#include "compute/data/npz.h"
#include "compute/data/npz_header.h"
#include "compute/data/zip_size.h"

#include <gtest/gtest.h>
#include <zip.h>

#include <cerrno>
#include <ctime>
#include <fstream>
#include <heteroscope_paths.h>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

const std::filesystem::path kGolden = HETEROSCOPE_SOURCE_DIR "/tests/golden/numpy";

std::filesystem::path temporary(const std::string& name) {
    return std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-" + name);
}

/// 0 to 23 minus `shift`, as generate.py makes them.
std::vector<float> counting(float shift) {
    std::vector<float> values;
    for (int i = 0; i < 24; ++i)
        values.push_back(static_cast<float>(i) - shift);
    return values;
}

} // namespace

TEST(Npz, ReadsWhatNumpyWrote) {
    for (const char* name : {"stored.npz", "compressed.npz"}) {
        const auto arrays = readNpz(kGolden / name);
        ASSERT_TRUE(arrays) << arrays.error().sentence();
        ASSERT_EQ(arrays->size(), 2u);
        EXPECT_EQ(arrays->at("first").values, counting(5));
        EXPECT_EQ(arrays->at("second").values, (std::vector<float>{1.5f, -2.0f}));
    }
}

TEST(Npz, OneArrayIsReadWithoutTheOthers) {
    constexpr std::int64_t kMost = 4096; // bytes, of which the table of contents takes most
    const auto file = temporary("one.npz");
    const NpyArray small{{2}, {1, 2}}, large{{100000}, std::vector<float>(100000, 3)};
    ASSERT_TRUE(writeNpz(file, {{"large", large}, {"small", small}}));
    MemoryBudget budget(kMost);
    const auto array = readNpzArray(file, "small", budget);
    ASSERT_TRUE(array) << array.error().sentence();
    EXPECT_EQ(array->values, small.values);
    EXPECT_EQ(budget.heldBytes(), 2 * static_cast<std::int64_t>(sizeof(float)));
    EXPECT_EQ(readNpzArray(file, "large", budget).error().code, ErrorCode::OutOfMemory);
    EXPECT_NE(readNpzArray(file, "none", budget).error().sentence().find("one of large, small"),
              std::string::npos);
    std::filesystem::remove(file);
}

TEST(Npz, RoundTripKeepsNamesShapesAndValues) {
    const auto file = temporary("round.npz");
    const NpzArrays arrays{{"input", {{2, 2}, {1, 2, 3, 4}}}, {"conv1.weight", {{3}, {-1, 0, 0.5f}}}};
    ASSERT_TRUE(writeNpz(file, arrays));
    const auto read = readNpz(file);
    std::filesystem::remove(file);
    ASSERT_TRUE(read) << read.error().sentence();
    ASSERT_EQ(read->size(), 2u);
    EXPECT_EQ(read->at("input").shape, (std::vector<std::int64_t>{2, 2}));
    EXPECT_EQ(read->at("conv1.weight").values, (std::vector<float>{-1, 0, 0.5f}));
}

namespace {

/// Counts pieces, and fails from the `failsFrom`-th on.
class CountingFiles final : public FileSystem {
  public:
    int pieces = 0, failsFrom = 0;
    ssize_t writeAt(int fd, const void* bytes, std::size_t count, off_t offset) override {
        if (++pieces >= failsFrom && failsFrom > 0) {
            errno = ENOSPC;
            return -1;
        }
        return FileSystem::writeAt(fd, bytes, count, offset);
    }
};

/// Many small arrays, and two of several blocks of the file, whose headers are written again behind them.
NpzArrays smallAndLarge() {
    NpzArrays arrays;
    for (int i = 0; i < 300; ++i)
        arrays["small" + std::to_string(i)] = {{3}, {static_cast<float>(i), 0.5f, -1}};
    for (const char* name : {"a", "z"}) {
        std::vector<float> values(70001);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i % 9973);
        arrays[name] = {{70001}, std::move(values)};
    }
    return arrays;
}

} // namespace

TEST(Npz, IsWrittenInBlocksAndComesBackWhole) {
    const auto file = temporary("blocks.npz");
    const NpzArrays arrays = smallAndLarge();
    CountingFiles files;
    ASSERT_TRUE(writeNpz(file, arrays, {}, files));
    const auto read = readNpz(file);
    const auto size = std::filesystem::file_size(file);
    std::filesystem::remove(file);
    ASSERT_TRUE(read) << read.error().sentence();
    ASSERT_EQ(read->size(), arrays.size());
    for (const auto& [name, array] : arrays)
        EXPECT_EQ(read->at(name).values, array.values) << name;
    constexpr int kBlock = 16384;
    EXPECT_LE(files.pieces, static_cast<int>(size / kBlock) + 8); // and not several for each of 300 arrays
}

TEST(Npz, ABlockThatCannotBeWrittenIsSaidAndLeavesNothing) {
    const auto folder = temporary("full-disk");
    std::filesystem::create_directory(folder);
    CountingFiles counted;
    ASSERT_TRUE(writeNpz(folder / "whole.npz", smallAndLarge(), {}, counted));
    std::filesystem::remove(folder / "whole.npz");
    for (int at = 1; at <= counted.pieces; ++at) {
        CountingFiles files;
        files.failsFrom = at;
        const Status status = writeNpz(folder / "w.npz", smallAndLarge(), {}, files);
        ASSERT_FALSE(status) << at;
        EXPECT_NE(status.error().sentence().find("No space left on device"), std::string::npos)
            << status.error().sentence();
        EXPECT_TRUE(std::filesystem::is_empty(folder)) << at;
    }
    std::filesystem::remove(folder);
}

TEST(Npz, TheSameArraysMakeTheSameBytesAtAnyTime) {
    const auto file = temporary("dated.npz");
    ASSERT_TRUE(writeNpz(file, {{"input", {{2}, {1, 2}}}, {"label", {{1}, {3}}}}));
    zip_t* const archive = zip_open(file.c_str(), ZIP_RDONLY, nullptr);
    ASSERT_NE(archive, nullptr);
    std::tm first{}; // 1980-01-01 00:00, the first that a zip file can name
    first.tm_year = 80;
    first.tm_mday = 1;
    first.tm_isdst = -1;
    const std::time_t expected = std::mktime(&first);
    for (zip_uint64_t index = 0; index < 2; ++index) {
        zip_stat_t about;
        ASSERT_EQ(zip_stat_index(archive, index, 0, &about), 0);
        EXPECT_EQ(about.mtime, expected) << about.name;
    }
    zip_discard(archive);
    std::filesystem::remove(file);
}

TEST(Npz, AnArchiveWithoutArraysIsRefused) {
    const auto file = temporary("empty.npz");
    const Status status = writeNpz(file, {});
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("no array"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Npz, DamagedAndMissingFilesAreRefused) {
    const auto file = temporary("bad.npz");
    std::ofstream(file) << "PK not a zip";
    EXPECT_EQ(readNpz(file).error().code, ErrorCode::BadInput);
    std::filesystem::remove(file);
    EXPECT_FALSE(readNpz(file));
    EXPECT_EQ(writeNpz("/nonexistent/folder/x.npz", {{"a", {{1}, {1}}}}).error().code, ErrorCode::Io);
}

TEST(Npz, ACutArchiveSaysWhatIsAllowedAndWhatToDo) {
    const auto file = temporary("cut.npz");
    for (const std::uintmax_t size : {1, 100, 300}) {
        std::filesystem::copy_file(kGolden / "stored.npz", file,
                                   std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(file, size);
        for (const auto& error : {readNpz(file).error(), readNpzHeader(file, "first").error()}) {
            EXPECT_EQ(error.code, ErrorCode::BadInput);
            EXPECT_NE(error.sentence().find("allowed: a whole archive"), std::string::npos)
                << error.sentence();
            EXPECT_NE(error.sentence().find("copy or write it again"), std::string::npos) << error.sentence();
        }
    }
    std::filesystem::remove(file);
}

/// Its array is as long as before, and only the checksum of the entry tells that a number is another one.
/// It was refused for the memory that a table of contents as long as the file would take.
TEST(Npz, OfAnArchiveWithoutItsEndNothingIsRead) {
    const auto file = temporary("end.npz");
    ASSERT_TRUE(writeNpz(file, {{"a", {{3}, {1, 2, 3}}}}));
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file));
    const std::int64_t contents = zipContentsBytes(file);
    EXPECT_TRUE(contents > 46 && contents < size / 2) << contents;
    std::ofstream(file, std::ios::binary | std::ios::app) << "PK\5\6, as a comment may begin ........";
    EXPECT_EQ(zipContentsBytes(file), size + 37) << "the larger, and no more than there is";
    std::filesystem::resize_file(file, static_cast<std::uintmax_t>(size - 1));
    EXPECT_EQ(zipContentsBytes(file), 0);
    std::filesystem::resize_file(file, std::uintmax_t{1} << 40);
    EXPECT_EQ(zipContentsBytes(file), 0);
    const auto arrays = readNpz(file);
    ASSERT_FALSE(arrays.ok());
    EXPECT_EQ(arrays.error().code, ErrorCode::BadInput) << arrays.error().sentence();
    std::filesystem::remove(file);
    EXPECT_EQ(zipContentsBytes(file), 0);
}

TEST(Npz, AChangedByteOfAnArrayIsRefused) {
    const auto file = temporary("changed.npz");
    ASSERT_TRUE(writeNpz(file, {{"conv1.weight", {{3}, {1, 2, 3}}}}));
    std::ifstream stream(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t number = bytes.find(std::string("\0\0\x40\x40", 4)); // 3 as float32
    ASSERT_NE(number, std::string::npos);
    bytes[number] = '\x01';
    std::ofstream(file, std::ios::binary) << bytes;
    const auto read = readNpz(file);
    std::filesystem::remove(file);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::BadInput);
    EXPECT_NE(read.error().sentence().find("changed.npz, conv1.weight.npy, byte"), std::string::npos)
        << read.error().sentence();
    EXPECT_NE(read.error().sentence().find("the archive is damaged: CRC error"), std::string::npos)
        << read.error().sentence();
}

/// The entry of `file` called "a.npy" holds `bytes`, packed.
void writePackedEntry(const std::filesystem::path& file, const std::string& bytes) {
    zip_t* const archive = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    ASSERT_NE(archive, nullptr);
    zip_source_t* const source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    ASSERT_GE(zip_file_add(archive, "a.npy", source, 0), 0);
    ASSERT_EQ(zip_close(archive), 0);
}

/// Some KiB that unpack to 256 MiB, of an array of one number: no memory for more than its beginning.
TEST(Npz, WhatFollowsAnArrayInItsEntryIsNotUnpacked) {
    const auto file = temporary("longer.npz");
    const std::vector<float> one{1};
    const std::vector<std::int64_t> shape{1};
    const auto array = writeNpy(shape, one);
    std::string bytes(reinterpret_cast<const char*>(array.data()), array.size());
    const std::string at = "byte " + std::to_string(bytes.size());
    bytes.resize(std::size_t{256} << 20);
    writePackedEntry(file, bytes);
    MemoryBudget budget;
    for (const auto& error : {readNpz(file, budget).error(), readNpzHeader(file, "a").error()}) {
        EXPECT_EQ(error.code, ErrorCode::BadInput);
        EXPECT_NE(error.sentence().find("a.npy, " + at + ": more bytes follow than the header says"),
                  std::string::npos)
            << error.sentence();
    }
    std::filesystem::remove(file);
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// "weights1" and "weights1.npy" would be one array; the later of them stood for both.
TEST(Npz, TwoEntriesOfOneArrayAreRefused) {
    const auto file = temporary("twice.npz");
    ASSERT_TRUE(writeNpz(file, {{"abcd", {{1}, {1}}}, {"abcdefgh", {{1}, {2}}}}));
    std::ifstream stream(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    replaceAll(bytes, "abcd.npy", "weights1");
    replaceAll(bytes, "abcdefgh.npy", "weights1.npy");
    std::ofstream(file, std::ios::binary) << bytes;
    const auto read = readNpz(file);
    std::filesystem::remove(file);
    ASSERT_FALSE(read);
    EXPECT_NE(read.error().sentence().find("the archive has an array \"weights1\" already"),
              std::string::npos)
        << read.error().sentence();
}

} // namespace heteroscope::compute
