// SPDX-License-Identifier: Apache-2.0
// Single examples of a part are those that the whole dataset has at their places, with the values of the
// files.
#include "compute/data/dataset.h"
#include "compute/data/part_examples.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/idx_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>

namespace heteroscope::compute {
namespace {

constexpr std::pair<DataPart, Examples Dataset::*> kParts[] = {{DataPart::Training, &Dataset::training},
                                                               {DataPart::Validation, &Dataset::validation},
                                                               {DataPart::Test, &Dataset::test}};

/// Shape of the network's input, /data, and the folder of its files.
struct Case {
    Json shape, data;
    std::filesystem::path folder;
    int classes = 2;

    ExperimentSpec spec() const {
        Json document = defaultNetworkDocument();
        document["network"] = {{"input", {{"shape", shape}}},
                               {"layers", {{{"type", "flatten"}}, {{"type", "dense"}, {"units", classes}}}}};
        document["training"] = {{"batch", 1}};
        document["data"] = data;
        return specFromJson(document).value();
    }
    Result<ExampleSet> load(DataPart part, const std::vector<std::int64_t>& places) const {
        const ExperimentSpec asked = spec();
        const Shape4 input{1, shape[0], shape[1], shape[2]};
        return loadPartExamples(asked.network.data, input, folder.string(), part, places);
    }
};

/// Two examples of each part, the last one first, against those of loadDataset.
void expectSameExamples(const Case& asked) {
    const auto whole = loadDataset(asked.spec().network, asked.folder.string());
    ASSERT_TRUE(whole) << whole.error().sentence();
    const auto size = static_cast<std::size_t>(*whole->image.elements());
    for (const auto& [part, member] : kParts) {
        const Examples& all = (*whole).*member;
        ASSERT_GE(all.count, 2);
        const std::vector<std::int64_t> places{all.count - 1, 0};
        const auto some = asked.load(part, places);
        ASSERT_TRUE(some) << some.error().sentence();
        EXPECT_EQ(some->image, whole->image);
        EXPECT_EQ(some->classNames, whole->classNames);
        ASSERT_EQ(some->examples.images.size(), 2 * size);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto at = static_cast<std::size_t>(places[i]);
            EXPECT_EQ(some->examples.targets[i], all.targets[at]);
            EXPECT_TRUE(std::equal(all.images.begin() + static_cast<std::ptrdiff_t>(at * size),
                                   all.images.begin() + static_cast<std::ptrdiff_t>((at + 1) * size),
                                   some->examples.images.begin() + static_cast<std::ptrdiff_t>(i * size)));
        }
    }
}

class PartExamples : public testing::Test {
  protected:
    std::string write(const std::string& name, const std::string& bytes) const {
        std::filesystem::create_directories((m_files.folder() / name).parent_path());
        std::ofstream(m_files.folder() / name, std::ios::binary) << bytes;
        return name;
    }
    Case idx(int training, int test) {
        return {{1, 4, 4}, m_files.trainingExperiment(training, test)["data"], m_files.folder()};
    }

    TemporaryIdx m_files;
};

} // namespace

TEST_F(PartExamples, OfIdxFilesWithAndWithoutATestFile) {
    Case asked = idx(40, 12);
    expectSameExamples(asked);
    for (const char* key : {"test_images", "test_labels"})
        asked.data.erase(key);
    asked.data["test_share"] = 0.2;
    asked.data["split"] = "shuffled";
    asked.data["training_limit"] = 30;
    expectSameExamples(asked);
}

TEST_F(PartExamples, OfCifarBatches) {
    const auto batch = [](int first) {
        std::string bytes;
        for (int i = 0; i < 5; ++i)
            bytes += static_cast<char>((first + i) % 10) + std::string(3072, static_cast<char>(first + i));
        return bytes;
    };
    write("c/data_batch_1.bin", batch(0));
    write("c/data_batch_2.bin", batch(50));
    write("c/test_batch.bin", batch(100));
    expectSameExamples({{3, 32, 32},
                        {{"source", "cifar10"}, {"folder", "c"}, {"validation_share", 0.4}},
                        m_files.folder(),
                        10});
}

TEST_F(PartExamples, OfFoldersOfImages) {
    for (const std::string part : {"train", "test"})
        for (int i = 0; i < 10; ++i)
            write(part + (i % 2 == 0 ? "/cat/" : "/dog/") + std::to_string(i) + ".pgm",
                  "P5\n4 4\n255\n" + std::string(16, static_cast<char>(20 * i + (part == "test" ? 1 : 0))));
    write("test/dog/x.pgm", "P5\n4 4\n255\n" + std::string(16, '\x05'));
    Case asked{{1, 8, 8},
               {{"source", "image_folder"},
                {"folder", "train"},
                {"test_folder", "test"},
                {"validation_share", 0.4},
                {"transforms", {{{"type", "resize"}, {"size", 8}}, {{"type", "flip"}}}}},
               m_files.folder()};
    expectSameExamples(asked);
    std::filesystem::remove_all(m_files.folder() / "test/cat"); // dogs keep their number
    const auto dogs = asked.load(DataPart::Test, {0});
    ASSERT_TRUE(dogs) << dogs.error().sentence();
    EXPECT_EQ(dogs->examples.targets[0], 1.0F);
}

TEST_F(PartExamples, OfSetsThatAreDrawn) {
    expectSameExamples(
        {{1, 16, 16}, {{"source", "shapes"}, {"count", 40}, {"test_count", 8}, {"classes", 4}}, {}, 4});
}

TEST_F(PartExamples, HaveTheValuesOfTheFiles) {
    Case asked = idx(40, 12);
    const auto plain = asked.load(DataPart::Validation, {1, 3});
    asked.data["mean"] = 0.3;
    asked.data["deviation"] = 0.2;
    asked.data["transforms"] = {{{"type", "normalize"}}, {{"type", "rotate"}}};
    const auto normalized = asked.load(DataPart::Validation, {1, 3});
    ASSERT_TRUE(plain && normalized);
    EXPECT_EQ(plain->examples.images, normalized->examples.images);
    const auto [low, high] =
        std::minmax_element(plain->examples.images.begin(), plain->examples.images.end());
    EXPECT_GE(*low, 0.0F);
    EXPECT_LE(*high, 1.0F);
}

TEST_F(PartExamples, SayWhatIsMissing) {
    Case asked = idx(40, 12);
    EXPECT_FALSE(asked.load(DataPart::Validation, {4}));
    EXPECT_FALSE(asked.load(DataPart::Test, {-1}));
    std::filesystem::remove(m_files.folder() / "train_images");
    const auto gone = asked.load(DataPart::Validation, {0});
    ASSERT_FALSE(gone);
    EXPECT_NE(gone.error().sentence().find("train_images"), std::string::npos) << gone.error().sentence();
    EXPECT_TRUE(asked.load(DataPart::Test, {0}));
}

} // namespace heteroscope::compute
