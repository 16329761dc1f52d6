// SPDX-License-Identifier: Apache-2.0
// Files of 1 GiB that are not what they seem: a sentence and an exit code, and no memory of their size.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

constexpr std::uintmax_t kGibibyte = std::uintmax_t{1} << 30;
constexpr long kMostFileKiB =
    (384 * 1024) *
    (kTimeFactor > 1 ? 2 : 1); ///< an importer looks at 64 MiB at a time and doubles its buffer

/// `start` and then zeros, up to 1 GiB; sparse, so that no disk is needed.
std::string hugeFile(const TemporaryFolder& folder, const std::string& name, const std::string& start) {
    writeText(folder.file(name), start);
    std::filesystem::resize_file(folder.file(name), kGibibyte);
    return folder.file(name);
}

Json experimentReading(const char* source, const std::string& path) {
    Json experiment = poolingExperiment(16, 1);
    experiment["pooling"]["input"] = {{"source", source}, {"path", path}};
    return experiment;
}

TEST(HugeFiles, behindAWholeRunFileAreNamedAndTheRunIsKept) {
    const TemporaryFolder folder;
    const std::string whole = folder.file("whole.hscope");
    ASSERT_EQ(runCli({"run", "-", "--out", whole}, poolingExperiment(16, 3).dump()).exitCode, 0);
    const std::string bytes = readText(whole);
    const std::string cut = hugeFile(folder, "cut.hscope", bytes.substr(0, bytes.size() - 20));
    const Finished done = runCli({"trace", "info", cut});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.out, HasSubstr("everything before was read"));
    EXPECT_THAT(done.out, HasSubstr(cut + ", byte "));
    EXPECT_LT(done.peakKiB, kMostFileKiB);
}

TEST(HugeFiles, asRunFileOrChromeTraceAreRefused) {
    const TemporaryFolder folder;
    const struct {
        std::vector<std::string> words;
        std::string path, sentence;
    } cases[] = {
        {{"trace", "info"}, hugeFile(folder, "zeros.hscope", ""), "expected a Heteroscope run file"},
        {{"trace", "import"}, hugeFile(folder, "list.json", "["), "byte 1: expected a value of at most"},
        {{"trace", "import"},
         hugeFile(folder, "text.json", "[{\"name\":\""),
         "byte 1: expected a value of at most"},
    };
    for (const auto& item : cases) {
        std::vector<std::string> words = item.words;
        words.push_back(item.path);
        if (words[1] == "import")
            words.push_back(folder.file("imported.hscope"));
        const Finished done = runCli(words);
        EXPECT_EQ(done.exitCode, 2) << item.path;
        EXPECT_THAT(done.err, HasSubstr(item.path));
        EXPECT_THAT(done.err, HasSubstr(item.sentence));
        EXPECT_LT(done.peakKiB, kMostFileKiB) << item.path;
    }
}

TEST(HugeFiles, asPictureOrTensorAreRefused) {
    const TemporaryFolder folder;
    const struct {
        const char* source;
        std::string path, sentence;
    } cases[] = {
        {"image", hugeFile(folder, "zeros.png", ""), "unknown image type"},
        {"image", hugeFile(folder, "wide.pgm", "P5\n32768 32700\n255\n"), "32768 x 32700 pixels; allowed"},
        {"image", hugeFile(folder, "parts.png", "\x89PNG\r\n\x1a\n"), "no part of a PNG file begins here"},
        {"npy", hugeFile(folder, "zeros.npy", ""), "not a .npy file"},
    };
    for (const auto& item : cases) {
        const Finished done = runCli({"run", "-"}, experimentReading(item.source, item.path).dump());
        EXPECT_EQ(done.exitCode, 2) << item.path;
        EXPECT_THAT(done.err, HasSubstr(item.path));
        EXPECT_THAT(done.err, HasSubstr(item.sentence));
        EXPECT_LT(done.peakKiB, kMostFileKiB) << item.path;
    }
}

TEST(HugeFiles, ofTerabytesAreNotReadAsPictures) {
    const TemporaryFolder folder;
    for (const char* start : {"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "P5 1 1 255 a", "BM"}) {
        writeText(folder.file("picture"), start);
        std::filesystem::resize_file(folder.file("picture"), kGibibyte << 10);
        const Finished done = runCli({"run", "-"}, experimentReading("image", folder.file("picture")).dump());
        EXPECT_EQ(done.exitCode, 2) << start;
        EXPECT_THAT(done.err, HasSubstr("picture): the file has 1.0 TiB; allowed: at most 2.0 GiB")) << start;
    }
}

} // namespace
} // namespace heteroscope::process_test
