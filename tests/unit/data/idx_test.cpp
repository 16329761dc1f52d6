// SPDX-License-Identifier: Apache-2.0
// IDX files, plain and compressed, good and damaged; datasets made of them.
#include "compute/data/dataset.h"
#include "compute/data/idx.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/idx_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace heteroscope::compute {
namespace {

class Idx : public testing::Test {
  protected:
    TemporaryIdx m_files;
    MemoryBudget m_budget{1 << 20};
};

TEST_F(Idx, ReadsPlainAndCompressedFilesAlike) {
    const std::vector<std::uint8_t> values{1, 2, 3, 4, 5, 255};
    for (const bool compressed : {false, true}) {
        const auto array = readIdx(m_files.write("a", {3, 2}, values, compressed), 100, m_budget);
        ASSERT_TRUE(array.ok()) << array.error().sentence();
        EXPECT_EQ(array->dims, (std::vector<std::int64_t>{3, 2}));
        EXPECT_EQ(array->values, values);
    }
}

TEST_F(Idx, DamageIsNamedWithFileAndByte) {
    const auto errorOf = [&](std::vector<std::uint8_t> bytes) {
        const auto array = readIdx(m_files.writeBytes("bad", bytes), 1000, m_budget);
        EXPECT_FALSE(array.ok());
        return array.ok() ? std::string() : array.error().sentence();
    };
    EXPECT_NE(errorOf({}).find("byte 0"), std::string::npos);
    EXPECT_NE(errorOf({1, 0, 8, 1}).find("no IDX file"), std::string::npos);
    EXPECT_NE(errorOf({0, 0, 13, 1}).find("unsigned bytes"), std::string::npos);
    EXPECT_NE(errorOf({0, 0, 8, 0}).find("dimensions"), std::string::npos);
    EXPECT_NE(errorOf({0, 0, 8, 9}).find("one to four"), std::string::npos);
    EXPECT_NE(errorOf({0, 0, 8, 1, 0, 0}).find("ends too early"), std::string::npos);
    EXPECT_NE(errorOf({0, 0, 8, 1, 0, 0, 0, 0}).find("is 0"), std::string::npos);
    EXPECT_NE(errorOf({0, 0, 8, 1, 0, 0, 0, 2, 7}).find("1 bytes are missing"), std::string::npos);
    EXPECT_NE(errorOf({0, 0, 8, 1, 0, 0, 0, 1, 7, 7}).find("more bytes"), std::string::npos);
    EXPECT_NE(errorOf({0, 0, 8, 1, 255, 255, 255, 255}).find("promises"), std::string::npos);
    EXPECT_NE(
        errorOf({0, 0, 8, 4, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255})
            .find("8 EiB"),
        std::string::npos);
    EXPECT_NE(
        errorOf({0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}).find("damaged"),
        std::string::npos);
    EXPECT_FALSE(readIdx("/nowhere/at/all", 1000, m_budget).ok());
}

TEST_F(Idx, CompressedFilesAreReadToTheirChecksum) {
    std::ifstream stream(m_files.write("good", {3}, {1, 2, 3}, true), std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(stream), {}};
    const auto said = [&](const std::string& bytes) {
        const auto array =
            readIdx(m_files.writeBytes("packed", {bytes.begin(), bytes.end()}), 1000, m_budget);
        return array.ok() ? "read " + std::to_string(array->values.size()) : array.error().sentence();
    };
    EXPECT_EQ(said(good), "read 3");
    std::string checksum = good, length = good;
    checksum[good.size() - 8] = static_cast<char>(checksum[good.size() - 8] ^ 1);
    length[good.size() - 4] = static_cast<char>(length[good.size() - 4] ^ 1);
    EXPECT_NE(said(checksum).find("packed, byte 11: the compressed data are damaged: incorrect data check"),
              std::string::npos)
        << said(checksum);
    EXPECT_NE(said(length).find("damaged: incorrect length check"), std::string::npos) << said(length);
    const std::string cut = good.substr(0, good.size() - 3);
    EXPECT_NE(said(cut).find("end before their checksum"), std::string::npos) << said(cut);
    EXPECT_NE(said(good + "more").find("something else follows the compressed data"), std::string::npos)
        << said(good + "more");
    EXPECT_NE(said(good + good).find("more bytes follow"), std::string::npos);
}

/// What fills the last block of a tape: gunzip takes it, too.
TEST_F(Idx, CompressedFilesMayEndInZeros) {
    const std::vector<std::uint8_t> bytes = {0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3};
    std::ifstream stream(m_files.writeBytes("good", bytes, true), std::ios::binary);
    const std::string good{std::istreambuf_iterator<char>(stream), {}};
    const auto said = [&](const std::string& trailing, std::uintmax_t size = 0) {
        const std::string packed = good + trailing;
        const std::string file = m_files.writeBytes("packed", {packed.begin(), packed.end()});
        if (size > 0)
            std::filesystem::resize_file(file, size); // with zeros that take no room
        const auto array = readIdx(file, 1000, m_budget);
        return array.ok() ? "read " + std::to_string(array->values.size()) : array.error().sentence();
    };
    EXPECT_EQ(said(std::string(1, '\0')), "read 3");
    EXPECT_EQ(said(std::string(600000, '\0')), "read 3");
    EXPECT_EQ(said({}, std::uintmax_t{16} << 20), "read 3");
    const std::string other = "something else follows the compressed data";
    EXPECT_NE(said(std::string(600000, '\0') + "x").find(other), std::string::npos);
    EXPECT_NE(said(std::string(512, '\0') + good).find(other), std::string::npos);
    EXPECT_NE(said({}, std::uintmax_t{1} << 40).find("more than 16.0 MiB of zeros follow"), std::string::npos)
        << said({}, std::uintmax_t{1} << 40);
}

TEST_F(Idx, CompressedFilesMayHaveSeveralMembers) {
    const auto packed = [&](const std::vector<std::uint8_t>& bytes) {
        std::ifstream stream(m_files.writeBytes("member", bytes, true), std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(stream), {}};
    };
    const std::string bytes = packed({0, 0, 8, 1, 0, 0}) + packed({0, 3, 1}) + packed({2, 3});
    const auto array = readIdx(m_files.writeBytes("all", {bytes.begin(), bytes.end()}), 1000, m_budget);
    ASSERT_TRUE(array.ok()) << array.error().sentence();
    EXPECT_EQ(array->values, (std::vector<std::uint8_t>{1, 2, 3}));
}

TEST_F(Idx, DatasetSplitsAndNormalises) {
    Json experiment = m_files.trainingExperiment(20, 6);
    experiment["data"]["validation_share"] = 0.25;
    experiment["data"]["mean"] = 0.5;
    experiment["data"]["deviation"] = 0.5;
    const auto spec = specFromJson(experiment);
    ASSERT_TRUE(spec.ok()) << spec.error().sentence();
    const auto dataset = loadDataset(spec->network, {});
    ASSERT_TRUE(dataset.ok()) << dataset.error().sentence();
    EXPECT_EQ(dataset->training.count, 15);
    EXPECT_EQ(dataset->validation.count, 5);
    EXPECT_EQ(dataset->test.count, 6);
    EXPECT_EQ(dataset->image, (Shape4{1, 1, 4, 4}));
    EXPECT_NEAR(*std::min_element(dataset->training.images.begin(), dataset->training.images.end()), -1.0,
                1e-6);
    EXPECT_LE(*std::max_element(dataset->training.images.begin(), dataset->training.images.end()), 1.0F);
}

TEST_F(Idx, DatasetsThatDoNotFitTheNetworkAreRefused) {
    const auto refusal = [&](const Json& experiment) {
        const auto spec = specFromJson(experiment);
        EXPECT_TRUE(spec.ok()) << spec.error().sentence();
        const auto dataset = loadDataset(spec->network, {});
        EXPECT_FALSE(dataset.ok());
        return dataset.ok() ? std::string() : dataset.error().sentence();
    };
    Json shape = m_files.trainingExperiment(20, 6);
    shape["network"]["input"]["shape"] = {1, 5, 5};
    EXPECT_NE(refusal(shape).find("/network/input/shape"), std::string::npos);
    Json classes = m_files.trainingExperiment(20, 6);
    classes["network"]["layers"].back()["units"] = 1;
    EXPECT_NE(refusal(classes).find("as many units as there are classes"), std::string::npos);
    Json batch = m_files.trainingExperiment(20, 6);
    batch["training"]["batch"] = 21;
    EXPECT_NE(refusal(batch).find("/training/batch"), std::string::npos);
    Json labels = m_files.trainingExperiment(20, 6);
    labels["data"]["labels"] = labels["data"]["test_labels"];
    EXPECT_NE(refusal(labels).find("one label an image"), std::string::npos);
}

TEST(ShuffledOrder, IsAPermutationOfSeedAndEpoch) {
    auto order = shuffledOrder(1000, 7, 3);
    EXPECT_EQ(order, shuffledOrder(1000, 7, 3));
    EXPECT_NE(order, shuffledOrder(1000, 7, 4));
    EXPECT_NE(order, shuffledOrder(1000, 8, 3));
    std::sort(order.begin(), order.end());
    std::vector<std::int64_t> all(1000);
    std::iota(all.begin(), all.end(), std::int64_t{0});
    EXPECT_EQ(order, all);
}

/// Each place is equally likely to get each number: a chi-squared test whose bound is passed by 1 of 10^6
/// good shuffles.
TEST(ShuffledOrder, IsFair) {
    constexpr std::int64_t kCount = 8;
    constexpr int kRounds = 8000;
    std::vector<int> seen(kCount * kCount);
    for (int epoch = 0; epoch < kRounds; ++epoch) {
        const auto order = shuffledOrder(kCount, 11, epoch);
        for (std::size_t i = 0; i < order.size(); ++i)
            ++seen[i * kCount + static_cast<std::size_t>(order[i])];
    }
    double chiSquared = 0;
    for (const int count : seen)
        chiSquared += (count - kRounds / 8.0) * (count - kRounds / 8.0) / (kRounds / 8.0);
    EXPECT_LT(chiSquared, 110.0); // 49 degrees of freedom
}

} // namespace
} // namespace heteroscope::compute
