// SPDX-License-Identifier: Apache-2.0
// check opens the data files that an experiment names: what is missing, cut or does not fit is said with the
// pointer of its name, before anything runs.
#include "compute/base/json.h"
#include "compute/data/npz.h"
#include "tests/process/child_process.h"
#include "tests/support/idx_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace heteroscope::process_test {
namespace {

using compute::NpyArray;
using testing::HasSubstr;

class CheckData : public testing::Test {
  protected:
    std::string path(const std::string& name) const { return m_files.folder() / name; }
    void write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
    }

    static Json experiment(const Json& shape, const Json& data) {
        return {
            {"heteroscope", 1},
            {"kind", "network"},
            {"name", "check data"},
            {"task", "train"},
            {"network", {{"input", {{"shape", shape}}}, {"layers", {{{"type", "dense"}, {"units", 10}}}}}},
            {"training", {{"batch", 2}, {"epochs", 1}}},
            {"data", data},
            {"targets", {"cpu/sequential"}},
            {"sampling", {{"preset", "quick"}}}};
    }

    /// The pointers of what is wrong; the text of all findings in m_said.
    std::vector<std::string> faults(const Json& document) {
        const Finished done =
            runCli({"check", "-", "--json", "--directory", m_files.folder()}, document.dump());
        const Json report = Json::parse(done.out, nullptr, false);
        EXPECT_TRUE(report.is_object()) << done.out << done.err;
        EXPECT_EQ(done.exitCode, report.value("ok", false) ? 0 : 2) << done.err;
        m_said = done.err;
        std::vector<std::string> pointers;
        if (report.is_object() && !report.value("ok", false))
            for (const Json& finding : report.at("diagnostics"))
                pointers.push_back(finding.at("pointer"));
        return pointers;
    }

    using Pointers = std::vector<std::string>;
    compute::TemporaryIdx m_files;
    std::string m_said;
};

TEST_F(CheckData, IdxFiles) {
    Json document = m_files.trainingExperiment(20, 10);
    EXPECT_EQ(faults(document), Pointers{}) << m_said;
    document["data"]["images"] = "nowhere";
    EXPECT_EQ(faults(document), Pointers{"/data/images"});
    EXPECT_THAT(m_said, HasSubstr("nowhere"));
    document = m_files.trainingExperiment(20, 10);
    std::filesystem::resize_file(path("train_labels"), 25);
    EXPECT_EQ(faults(document), Pointers{"/data/labels"});
    EXPECT_THAT(m_said, HasSubstr("train_labels"));
    document["data"]["labels"] = document["data"]["test_labels"]; // 10 labels for 20 images
    EXPECT_EQ(faults(document), Pointers{"/data/labels"});
    EXPECT_THAT(m_said, HasSubstr("10 targets for 20 examples"));
    document = m_files.trainingExperiment(20, 10);
    document["network"]["input"]["shape"] = {1, 5, 4};
    EXPECT_EQ(faults(document), Pointers{"/network/input/shape"});
    document = m_files.trainingExperiment(20, 10);
    document["training"]["batch"] = 19; // 18 are left for training
    EXPECT_EQ(faults(document), Pointers{"/training/batch"});
    document["axes"] = {{"/training/batch", {5, 18}}};
    EXPECT_EQ(faults(document), Pointers{}) << m_said;
    document["axes"] = {{"/training/batch", {5, 19}}};
    EXPECT_EQ(faults(document), Pointers{"/training/batch"});
}

TEST_F(CheckData, NumpyFiles) {
    const NpyArray images{{6, 3}, std::vector<float>(18)}, labels{{6}, std::vector<float>(6)};
    ASSERT_TRUE(compute::writeNpz(path("all.npz"), {{"x", images}, {"y", labels}}).ok());
    Json document =
        experiment({3, 1, 1}, {{"source", "npy"}, {"images", "all.npz:x"}, {"labels", "all.npz:y"}});
    EXPECT_EQ(faults(document), Pointers{}) << m_said;
    document["data"]["labels"] = "all.npz:z";
    EXPECT_EQ(faults(document), Pointers{"/data/labels"});
    EXPECT_THAT(m_said, HasSubstr("x, y"));
    const auto bytes = compute::writeNpy(images.shape, images.values);
    write("cut.npy", {reinterpret_cast<const char*>(bytes.data()), bytes.size() - 1});
    document["data"]["labels"] = "all.npz:y";
    document["data"]["images"] = "cut.npy";
    EXPECT_EQ(faults(document), Pointers{"/data/images"});
    document["data"]["images"] = "all.npz:y";
    EXPECT_EQ(faults(document), Pointers{"/data/images"});
    EXPECT_THAT(m_said, HasSubstr("1 dimensions"));
}

/// As the run does: it reads them all before anything is computed.
TEST_F(CheckData, ExamplesThatReadingMayNotHold) {
    constexpr std::int64_t kCount = 65536, kFeatures = 16;
    const NpyArray images{{kCount, kFeatures}, std::vector<float>(kCount * kFeatures)},
        labels{{kCount}, std::vector<float>(kCount)};
    ASSERT_TRUE(compute::writeNpz(path("all.npz"), {{"x", images}, {"y", labels}}).ok());
    const std::string document =
        experiment({kFeatures, 1, 1}, {{"source", "npy"}, {"images", "all.npz:x"}, {"labels", "all.npz:y"}})
            .dump();
    const auto within = [&](const char* verb, const char* limit) {
        return runCli({verb, "-", "--memory-limit", limit, "--directory", m_files.folder()}, document);
    };
    EXPECT_EQ(within("check", "64MiB").exitCode, 0);
    for (const char* limit : {"3MiB", "6MiB"}) { // less than is read, and less than its parts beside that
        EXPECT_EQ(within("run", limit).exitCode, 1);
        const Finished checked = within("check", limit);
        EXPECT_EQ(checked.exitCode, 1) << checked.err;
        EXPECT_THAT(checked.err, HasSubstr("/data: 65536 examples as numbers would take at least"));
        EXPECT_THAT(checked.err, HasSubstr("give --memory-limit"));
    }
}

TEST_F(CheckData, Tables) {
    std::string table = "a,b,kind\n";
    for (int i = 0; i < 6; ++i)
        table += "1,2," + std::string(i % 2 == 0 ? "x" : "y") + "\n";
    write("t.csv", table);
    Json document = experiment({2, 1, 1}, {{"source", "csv"}, {"file", "t.csv"}});
    EXPECT_EQ(faults(document), Pointers{}) << m_said;
    document["data"]["target"] = "colour";
    EXPECT_EQ(faults(document), Pointers{"/data/target"});
    document["data"].erase("target");
    document["network"]["input"]["shape"] = {3, 1, 1};
    EXPECT_EQ(faults(document), Pointers{"/network/input/shape"});
    write("test.csv", "a,b,kind\n1,2,z\n");
    document["network"]["input"]["shape"] = {2, 1, 1};
    document["data"]["test_file"] = "test.csv";
    EXPECT_EQ(faults(document), Pointers{"/data/test_file"});
    EXPECT_THAT(m_said, HasSubstr("no class \"z\""));
}

TEST_F(CheckData, LongTablesAreReadUpToAWholeLine) {
    std::string table = "a,note,kind\n";
    while (table.size() < (3u << 20))
        table += "1,\"2\",\"two\nlines\"\n";
    write("long.csv", table);
    const Json document =
        experiment({2, 1, 1}, {{"source", "csv"}, {"file", "long.csv"}, {"features", "a, note"}});
    EXPECT_EQ(faults(document), Pointers{}) << m_said;
    write("long.csv", std::string(2u << 20, '1'));
    EXPECT_EQ(faults(document), Pointers{"/data/file"});
}

TEST_F(CheckData, FoldersOfImages) {
    Json document = experiment({1, 2, 2}, {{"source", "image_folder"}, {"folder", "images"}});
    EXPECT_EQ(faults(document), Pointers{"/data/folder"});
    for (const char* name : {"cat", "dog"}) {
        std::filesystem::create_directories(path("images") + "/" + name);
        for (const char* file : {"1", "2", "3"})
            write(std::string("images/") + name + "/" + file + ".pgm", std::string("P5\n2 2\n255\nabcd"));
    }
    EXPECT_EQ(faults(document), Pointers{}) << m_said;
    std::filesystem::create_directory(path("images") + "/empty");
    EXPECT_EQ(faults(document), Pointers{"/data/folder"});
    EXPECT_THAT(m_said, HasSubstr("empty"));
    document["data"] = {{"source", "cifar10"}, {"folder", "images"}};
    EXPECT_EQ(faults(document), Pointers{"/data/folder"});
    EXPECT_THAT(m_said, HasSubstr("data_batch_1.bin"));
    write("images/data_batch_1.bin", std::string(3073 * 3 - 1, 'a'));
    document["network"]["input"]["shape"] = {3, 32, 32};
    EXPECT_EQ(faults(document), Pointers{"/data/folder"});
    write("images/data_batch_1.bin", std::string(3073 * 3, 'a'));
    EXPECT_EQ(faults(document), Pointers{}) << m_said;
}

TEST_F(CheckData, PooledFiles) {
    const Json input = {{"source", "npy"}, {"path", "in.npy"}};
    Json document = {{"heteroscope", 1},
                     {"kind", "pooling"},
                     {"name", "pooled"},
                     {"pooling", {{"mode", "max"}, {"kernel", 2}, {"stride", 2}, {"input", input}}},
                     {"targets", {"cpu/sequential"}},
                     {"sampling", {{"preset", "quick"}}}};
    EXPECT_EQ(faults(document), Pointers{"/pooling/input/path"});
    const auto bytes = compute::writeNpy(std::vector<std::int64_t>{4, 4}, std::vector<float>(16));
    write("in.npy", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    EXPECT_EQ(faults(document), Pointers{}) << m_said;
    std::filesystem::resize_file(path("in.npy"), bytes.size() - 1);
    EXPECT_EQ(faults(document), Pointers{"/pooling/input/path"});
    EXPECT_THAT(m_said, HasSubstr("in.npy"));
    document["pooling"]["input"] = {{"source", "image"}, {"path", "in.npy"}};
    EXPECT_EQ(faults(document), Pointers{"/pooling/input/path"});
}

} // namespace
} // namespace heteroscope::process_test
