// SPDX-License-Identifier: Apache-2.0
// Datasets of every source: good ones, split as asked, and what is wrong with bad ones.
#include "compute/base/npy.h"
#include "compute/data/cifar.h"
#include "compute/data/data_check.h"
#include "compute/data/dataset.h"
#include "compute/data/npz.h"
#include "compute/experiment/spec/spec_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

class Sources : public testing::Test {
  protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        m_folder = std::filesystem::temp_directory_path() /
                   ("heteroscope-data-" + std::to_string(::getpid()) + "-" + test->name());
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    void write(const std::string& name, const std::string& bytes) const {
        std::filesystem::create_directories((m_folder / name).parent_path());
        std::ofstream(m_folder / name, std::ios::binary) << bytes;
    }

    /// Inputs of the given shape, one dense layer of `units`.
    static Json experiment(const Json& shape, int units, const Json& data, bool regression = false) {
        Json document = defaultNetworkDocument();
        document["network"] = {{"input", {{"shape", shape}}},
                               {"layers", {{{"type", "flatten"}}, {{"type", "dense"}, {"units", units}}}}};
        document["training"] = {{"batch", 2},
                                {"loss", regression ? "mean_squared_error" : "softmax_cross_entropy"}};
        document["data"] = data;
        return document;
    }

    Result<Dataset> load(const Json& document) const {
        const auto spec = specFromJson(document);
        if (!spec)
            return spec.error();
        return loadDataset(spec->network, m_folder.string());
    }

    std::string refusal(const Json& document) const {
        const auto dataset = load(document);
        EXPECT_FALSE(dataset.ok());
        return dataset.ok() ? std::string() : dataset.error().sentence();
    }

    std::filesystem::path m_folder;
};

std::string cifarRecord(char label, char pixel, bool hundred = false) {
    return (hundred ? std::string(1, 7) : std::string()) + label + std::string(kCifarPixels, pixel);
}

std::string pgm(int width, int height, char value) {
    return "P5\n" + std::to_string(width) + " " + std::to_string(height) + "\n255\n" +
           std::string(static_cast<std::size_t>(width * height), value);
}

void expectContains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

} // namespace

TEST_F(Sources, CifarTen) {
    write("c/data_batch_1.bin", cifarRecord(3, 0) + cifarRecord(9, '\xff'));
    write("c/data_batch_2.bin", cifarRecord(1, 51));
    write("c/test_batch.bin", cifarRecord(0, 0));
    std::string names;
    for (int i = 0; i < 10; ++i)
        names += "class" + std::to_string(i) + "\n";
    write("c/batches.meta.txt", names);
    const auto dataset =
        load(experiment({3, 32, 32}, 10, {{"source", "cifar10"}, {"folder", "c"}, {"validation_share", 0}}));
    ASSERT_TRUE(dataset.ok()) << dataset.error().sentence();
    EXPECT_EQ(dataset->training.targets, (std::vector<float>{3, 9, 1}));
    EXPECT_EQ(dataset->training.images[kCifarPixels], 1.0F);
    EXPECT_FLOAT_EQ(dataset->training.images[2 * kCifarPixels], 0.2F);
    EXPECT_EQ(dataset->test.count, 1);
    EXPECT_EQ(dataset->className(9), "class9");
}

TEST_F(Sources, CifarHundredTakesTheFineLabel) {
    write("train.bin", cifarRecord(99, 0, true) + cifarRecord(4, 0, true));
    const auto dataset = load(
        experiment({3, 32, 32}, 100, {{"source", "cifar100"}, {"folder", "."}, {"validation_share", 0}}));
    ASSERT_TRUE(dataset.ok()) << dataset.error().sentence();
    EXPECT_EQ(dataset->training.targets, (std::vector<float>{99, 4}));
}

TEST_F(Sources, DamagedCifarNamesTheByte) {
    const Json document = experiment({3, 32, 32}, 10, {{"source", "cifar10"}, {"folder", "."}});
    expectContains(refusal(document), "data_batch_1.bin: the file does not exist");
    write("data_batch_1.bin", cifarRecord(1, 0) + "cut");
    expectContains(refusal(document), "byte 3076: the file ends inside record 2");
    write("data_batch_1.bin", cifarRecord(1, 0) + cifarRecord(10, 0));
    expectContains(refusal(document), "byte 3073: the label of record 2 is 10");
    write("data_batch_1.bin", "");
    expectContains(refusal(document), "record 1");
}

TEST_F(Sources, FoldersOfImagesAreResizedAndShuffled) {
    for (int i = 0; i < 10; ++i) {
        write("d/cat/" + std::to_string(i) + ".pgm", pgm(4 + i, 6, '\x33'));
        write("d/dog/" + std::to_string(i) + ".PGM", pgm(8, 8, '\xff'));
    }
    write("d/dog/notes.txt", "not an image");
    Json document = experiment({1, 4, 4}, 2,
                               {{"source", "image_folder"},
                                {"folder", "d"},
                                {"validation_share", 0.25},
                                {"test_share", 0.25},
                                {"transforms", {{{"type", "resize"}, {"size", 4}}, {{"type", "flip"}}}}});
    const auto dataset = load(document);
    ASSERT_TRUE(dataset.ok()) << dataset.error().sentence();
    EXPECT_EQ(dataset->training.count, 10);
    EXPECT_EQ(dataset->validation.count, 5);
    EXPECT_EQ(dataset->test.count, 5);
    EXPECT_EQ(dataset->classNames, (std::vector<std::string>{"cat", "dog"}));
    const auto& labels = dataset->training.targets;
    EXPECT_EQ(std::set<float>(labels.begin(), labels.end()).size(), 2u);
    for (std::size_t i = 0; i < labels.size(); ++i)
        EXPECT_NEAR(dataset->training.images[i * 16], labels[i] == 0 ? 0.2F : 1.0F, 1e-6);
    ASSERT_EQ(dataset->augmentations.size(), 1u);
    document["data"]["transforms"] = Json::array();
    expectContains(refusal(document), "images of one size, or a resize");
    document["data"]["folder"] = "d/cat";
    expectContains(refusal(document), "there are no folders in it");
    document["data"]["folder"] = "nowhere";
    expectContains(refusal(document), "the folder cannot be read");
}

TEST_F(Sources, FoldersForTestsHaveTheClassesOfTheTraining) {
    for (const char* name : {"d/a/1.pgm", "d/b/1.pgm", "t/b/1.pgm"})
        write(name, pgm(4, 4, 1));
    Json document = experiment(
        {1, 4, 4}, 2,
        {{"source", "image_folder"}, {"folder", "d"}, {"test_folder", "t"}, {"validation_share", 0}});
    const auto dataset = load(document);
    ASSERT_TRUE(dataset.ok()) << dataset.error().sentence();
    EXPECT_EQ(dataset->test.targets, std::vector<float>{1});
    write("t/c/1.pgm", pgm(4, 4, 1));
    expectContains(refusal(document), "no such class");
}

TEST_F(Sources, TablesForClassesAndNumbers) {
    write("t.csv", "a,b,y\n1,2,no\n3,4,yes\n5,6,no\n7,8,yes\n");
    const auto classes = load(experiment({2}, 2, {{"source", "csv"}, {"file", "t.csv"}}));
    ASSERT_TRUE(classes.ok()) << classes.error().sentence();
    EXPECT_EQ(classes->image, (Shape4{1, 2, 1, 1}));
    EXPECT_EQ(classes->training.targets, (std::vector<float>{0, 1, 0, 1}));
    Json numbers = experiment({1}, 1,
                              {{"source", "csv"},
                               {"file", "t.csv"},
                               {"features", "a"},
                               {"target", "b"},
                               {"targets", "numbers"},
                               {"validation_share", 0.25},
                               {"transforms", {{{"type", "normalize"}}}}},
                              true);
    const auto regression = load(numbers);
    ASSERT_TRUE(regression.ok()) << regression.error().sentence();
    EXPECT_EQ(regression->training.targets, (std::vector<float>{2, 4, 6}));
    const float deviation = std::sqrt(8.0F / 3); // of 1, 3, 5; the 7 of the validation is not measured
    EXPECT_NEAR(regression->training.images[0], -2 / deviation, 1e-6);
    EXPECT_NEAR(regression->validation.images[0], 4 / deviation, 1e-6);
    numbers["task"] = "infer"; // takes everything, by the figures of the training part
    const auto inference = load(numbers);
    ASSERT_TRUE(inference.ok()) << inference.error().sentence();
    EXPECT_EQ(inference->test.count, 4);
    EXPECT_NEAR(inference->test.images[3], 4 / deviation, 1e-6);
}

TEST_F(Sources, ATableSplitsAtItsEndOrShuffled) {
    std::string text = "x,y\n";
    for (int i = 0; i < 100; ++i)
        text += std::to_string(i) + "," + std::to_string(i) + "\n";
    write("t.csv", text);
    Json document = experiment({1}, 1,
                               {{"source", "csv"},
                                {"file", "t.csv"},
                                {"targets", "numbers"},
                                {"validation_share", 0.1},
                                {"test_share", 0.2}},
                               true);
    const auto end = load(document);
    ASSERT_TRUE(end.ok()) << end.error().sentence();
    EXPECT_EQ(end->training.targets.back(), 69);
    EXPECT_EQ(end->test.targets.front(), 70);
    EXPECT_EQ(end->validation.targets.back(), 99);
    document["data"]["split"] = "shuffled";
    const auto shuffled = load(document);
    ASSERT_TRUE(shuffled.ok());
    std::set<float> all(shuffled->training.targets.begin(), shuffled->training.targets.end());
    EXPECT_NE(*std::max_element(all.begin(), all.end()), 69);
    all.insert(shuffled->test.targets.begin(), shuffled->test.targets.end());
    all.insert(shuffled->validation.targets.begin(), shuffled->validation.targets.end());
    EXPECT_EQ(all.size(), 100u);
}

TEST_F(Sources, NumPyArraysAndArchives) {
    const std::vector<std::int64_t> images{3, 2, 2}, labels{3};
    NpzArrays arrays;
    arrays["x"] = {images, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
    arrays["y"] = {labels, {2, 0, 1}};
    ASSERT_TRUE(writeNpz(m_folder / "d.npz", arrays).ok());
    const auto bytes = writeNpy(images, arrays["x"].values);
    write("x.npy", std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    Json document = experiment({1, 2, 2}, 3,
                               {{"source", "npy"},
                                {"images", "x.npy"},
                                {"labels", "d.npz:y"},
                                {"validation_share", 0},
                                {"mean", 1},
                                {"deviation", 2}});
    const auto dataset = load(document);
    ASSERT_TRUE(dataset.ok()) << dataset.error().sentence();
    EXPECT_EQ(dataset->training.targets, (std::vector<float>{2, 0, 1}));
    EXPECT_EQ(dataset->training.images[3], 1.0F);
    document["data"]["labels"] = "d.npz:z";
    expectContains(refusal(document), "no array \"z\"");
    document["data"]["labels"] = "d.npz:x";
    expectContains(refusal(document), "one number or one row an example");
    document["data"]["labels"] = "d.npz:y";
    document["network"]["layers"].back()["units"] = 2;
    expectContains(refusal(document), "as many units as there are classes");
}

TEST_F(Sources, DrawnSetsAreFunctionsOfTheSeed) {
    for (const char* source : {"shapes", "brain_slices", "irradiance_maps", "irradiance_table"}) {
        const bool regression = std::string(source).starts_with("irradiance");
        const Json shape = source == std::string("irradiance_table") ? Json{50} : Json{1, 16, 16};
        Json data = {{"source", source}, {"count", 40}, {"test_count", 8}, {"validation_share", 0.25}};
        const Json document = experiment(shape, regression ? 1 : 4, data, regression);
        const auto one = load(document), same = load(document);
        ASSERT_TRUE(one.ok()) << one.error().sentence();
        EXPECT_EQ(one->training.count, 30);
        EXPECT_EQ(one->test.count, 8);
        EXPECT_EQ(one->training.images, same->training.images);
        Json other = document;
        other["data"]["seed"] = 2;
        EXPECT_NE(load(other)->training.images, one->training.images) << source;
        const std::size_t size = one->test.images.size() / 8;
        const auto first = one->training.images.begin();
        EXPECT_FALSE(std::equal(one->test.images.begin(),
                                one->test.images.begin() + static_cast<std::ptrdiff_t>(size), first));
        const auto [low, high] =
            std::minmax_element(one->training.targets.begin(), one->training.targets.end());
        EXPECT_GE(*low, 0.0F) << source;
        EXPECT_GT(*high, *low + (regression ? 0.1F : 1.5F)) << source;
    }
}

/// The irradiance later is what one place upwind has now, but for the sensors' noise.
TEST_F(Sources, TheMapTellsTheIrradianceLater) {
    const auto dataset = load(
        experiment({1, 50, 50}, 1, {{"source", "irradiance_maps"}, {"count", 50}, {"test_count", 0}}, true));
    ASSERT_TRUE(dataset.ok()) << dataset.error().sentence();
    for (std::size_t i = 0; i < 45; ++i) // 0.5 - 0.06 of 50 rows, 0.5 - 0.15 of 50 columns
        EXPECT_NEAR(dataset->training.images[i * 2500 + 21 * 50 + 17], dataset->training.targets[i], 0.08);
}

TEST_F(Sources, TargetsAndLossHaveToAgree) {
    const auto check = [](const Json& document) {
        const auto findings = checkExperiment(document);
        return findings.empty() ? std::string() : findings.front().pointer;
    };
    EXPECT_EQ(check(experiment({50}, 1, {{"source", "irradiance_table"}}, false)), "/training/loss");
    EXPECT_EQ(check(experiment({1, 16, 16}, 4, {{"source", "shapes"}}, true)), "/training/loss");
    EXPECT_EQ(check(experiment({1, 16, 16}, 4, {{"source", "image_folder"}})), "/data/folder");
    EXPECT_EQ(check(experiment({1, 16, 16}, 4, {{"source", "shapes"}})), "");
}

TEST_F(Sources, TransformsAreChecked) {
    const auto check = [](const Json& transforms) {
        const auto findings =
            checkExperiment(experiment({1, 16, 16}, 4, {{"source", "shapes"}, {"transforms", transforms}}));
        return findings.empty() ? std::string() : findings.front().pointer + " " + findings.front().message;
    };
    EXPECT_EQ(check({{{"type", "resize"}, {"size", {16, 16}}}, {{"type", "rotate"}, {"degrees", 5}}}), "");
    EXPECT_EQ(check({{{"type", "normalize"}, {"mean", {1, 2, 3}}, {"deviation", 2}}}), "");
    expectContains(check({{{"type", "turn"}}}), "/data/transforms/0/type");
    expectContains(check({{{"type", "flip"}, {"probability", 2}}}), "/data/transforms/0/probability");
    expectContains(check({{{"type", "flip"}, {"degrees", 2}}}), "/data/transforms/0/degrees");
    expectContains(check({{{"type", "flip"}}, {{"type", "resize"}}}), "/data/transforms/1 ");
    expectContains(check({1}), "/data/transforms/0");
}

TEST_F(Sources, ATableIsCheckedAsItIsReadHoweverLongItsFirstLinesAre) {
    const std::string cell(900'000, 'a'), number = std::string(400'000, '0') + "1,";
    const std::string longRow = number + number + number;
    write("long.csv", cell + cell);
    const Json data = {{"source", "csv"}, {"file", "t.csv"}, {"validation_share", 0}};
    auto spec = specFromJson(experiment({3}, 2, data));
    ASSERT_TRUE(spec.ok()) << spec.error().sentence();
    spec->directory = m_folder.string();
    const std::string rows = "1,2,3,no\n2,3,4,yes\n3,4,5,no\n";
    for (const std::string& text : {cell + "1," + cell + "2," + cell + "3,y\n" + rows,
                                    "a,b,c,y\n" + longRow + "no\n" + longRow + "yes\n" + longRow + "no\n",
                                    std::string(std::size_t{2} << 20, '\n') + "a,b,c,y\n" + rows}) {
        write("t.csv", text);
        const auto set = loadDataset(spec->network, spec->directory);
        ASSERT_TRUE(set.ok()) << set.error().sentence();
        EXPECT_EQ(set->training.count, 3);
        const auto found = checkDataFiles(*spec);
        EXPECT_TRUE(found.empty()) << found.front().message;
    }

    spec->network.data.file = "long.csv";
    const auto tooLong = loadDataset(spec->network, spec->directory);
    ASSERT_FALSE(tooLong.ok());
    const auto refused = checkDataFiles(*spec);
    ASSERT_EQ(refused.size(), 1u);
    EXPECT_EQ(refused.front().pointer, "/data/file");
    expectContains(refused.front().message, tooLong.error().message);
}

TEST_F(Sources, TheDocumentSurvivesReadingAndWriting) {
    Json document = experiment(
        {50}, 1,
        {{"source", "csv"},
         {"file", "t.csv"},
         {"separator", "tab"},
         {"targets", "numbers"},
         {"transforms", {{{"type", "normalize"}, {"mean", {1, 2}}}, {{"type", "crop"}, {"padding", 3}}}}},
        true);
    const auto spec = specFromJson(document);
    ASSERT_TRUE(spec.ok()) << spec.error().sentence();
    const Json written = specToJson(*spec);
    EXPECT_EQ(written["data"]["transforms"], document["data"]["transforms"]);
    EXPECT_FALSE(written["data"].contains("images"));
    const auto again = specFromJson(written);
    ASSERT_TRUE(again.ok()) << again.error().sentence();
    EXPECT_EQ(specToJson(*again), written);
}

} // namespace heteroscope::compute
