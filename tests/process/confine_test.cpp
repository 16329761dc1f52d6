// SPDX-License-Identifier: Apache-2.0
// --confine: every file that an experiment names lies in one folder, whatever its name looks like, in every
// verb that reads experiments and in the workers that they start.
#include "compute/base/json.h"
#include "compute/data/npz.h"
#include "compute/onnx/onnx_model.h"
#include "tests/process/child_process.h"
#include "tests/support/idx_files.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>

namespace heteroscope::process_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int kManyEpochs = 5000; ///< a second: no worker is done before the test has acted

/// A folder "in" with an experiment whose files lie in it, and a folder "out" beside it.
class Confine : public testing::Test {
  protected:
    Confine() {
        fs::create_directories(root() / "in" / "data");
        fs::create_directories(root() / "out");
        m_document = m_files.trainingExperiment(20, 10);
        for (const char* name : {"train_images", "train_labels", "test_images", "test_labels"}) {
            fs::copy_file(root() / name, root() / "in" / "data" / name);
            fs::rename(root() / name, root() / "out" / name);
        }
        for (const char* name : {"images", "labels"}) {
            m_document["data"][name] = std::string("data/train_") + name;
            m_document["data"][std::string("test_") + name] = std::string("data/test_") + name;
        }
        m_document["training"]["epochs"] = 1;
    }

    const fs::path& root() const { return m_files.folder(); }
    Finished verb(std::vector<std::string> words, const Json& document) const {
        const fs::path file = root() / "in" / "e.json";
        std::ofstream(file) << document.dump();
        words.insert(words.begin() + 1, file.string());
        words.insert(words.end(), {"--confine", (root() / "in").string()});
        return runCli(words);
    }
    void expectRefused(const Json& document, const std::string& pointer) const {
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"check"},
              {"run", "--no-trace"},
              {"export", "--npz", root() / "w.npz"},
              {"evaluate", "--tensors", root() / "t.npz", "--out", root() / "r.npz"}}) {
            const Finished done = verb(words, document);
            EXPECT_EQ(done.exitCode, 2) << words[0] << done.err;
            EXPECT_THAT(done.err, AllOf(HasSubstr(pointer), HasSubstr("--confine"))) << words[0];
        }
    }

    compute::TemporaryIdx m_files;
    Json m_document;
};

TEST_F(Confine, WhatLiesInTheFolderRuns) {
    EXPECT_EQ(verb({"check"}, m_document).exitCode, 0);
    const Finished done = verb({"run", "--no-trace"}, m_document);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    m_document["data"]["images"] = (root() / "in" / "." / "data" / ".." / "data" / "train_images").string();
    EXPECT_EQ(verb({"check"}, m_document).exitCode, 0);
}

TEST_F(Confine, AbsolutePathsAndDotsAndLinksAreFollowed) {
    m_document["data"]["images"] = (root() / "out" / "train_images").string();
    expectRefused(m_document, "/data/images");
    m_document["data"]["images"] = "data/../../out/train_images";
    expectRefused(m_document, "/data/images");
    fs::create_symlink(root() / "out" / "train_images", root() / "in" / "link");
    m_document["data"]["images"] = "link";
    expectRefused(m_document, "/data/images");
    fs::create_directory_symlink(root() / "out", root() / "in" / "sub");
    m_document["data"]["images"] = "sub/train_images";
    expectRefused(m_document, "/data/images");
    m_document["data"]["images"] = "data/train_images";
    m_document["data"]["test_labels"] = "sub/../train_labels"; // the system goes through the link
    expectRefused(m_document, "/data/test_labels");
}

TEST_F(Confine, AFolderThatOnlyBeginsAlikeIsAnother) {
    fs::create_directory(root() / "inside");
    fs::copy_file(root() / "out" / "train_images", root() / "inside" / "train_images");
    m_document["data"]["images"] = "../inside/train_images";
    expectRefused(m_document, "/data/images");
}

TEST_F(Confine, ALinkThatStaysInsideIsGood) {
    fs::create_symlink("data/train_images", root() / "in" / "link");
    m_document["data"]["images"] = "link";
    EXPECT_EQ(verb({"check"}, m_document).exitCode, 0);
}

TEST_F(Confine, ValuesOfAxesAndOfTheCommandLineCountToo) {
    Json document = m_document;
    document["axes"] = {{"/data/images", {"data/train_images", "../out/train_images"}}};
    expectRefused(document, "/data/images");
    const Finished done = verb({"check", "--set", "/data/images=../out/train_images"}, m_document);
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("/data/images"));
}

TEST_F(Confine, WeightsAndWhatAListOfCheckpointsNames) {
    ASSERT_TRUE(compute::writeNpz(root() / "out" / "run_0.1.npz", {{"a", {{1}, {1}}}}).ok());
    m_document["network"]["weights"] = "../out/run_0.1.npz";
    expectRefused(m_document, "/network/weights");
    std::ofstream(root() / "in" / "run_0.checkpoint.json")
        << R"({"heteroscope_checkpoint":1,"generation":1,"latest":{"epoch":1,"file":"run_0.1.npz"}})";
    fs::create_symlink(root() / "out" / "run_0.1.npz", root() / "in" / "run_0.1.npz");
    m_document["network"]["weights"] = "run_0.checkpoint.json";
    expectRefused(m_document, "/network/weights");
}

TEST_F(Confine, FilesInFoldersAreLookedAtOneByOne) {
    fs::create_directories(root() / "in" / "images" / "cat");
    std::ofstream(root() / "in" / "images" / "cat" / "1.pgm") << "P5\n4 4\n255\n0123456789abcdef";
    std::ofstream(root() / "out" / "secret.pgm") << "P5\n4 4\n255\n0123456789abcdef";
    m_document["data"] = {{"source", "image_folder"}, {"folder", "images"}};
    m_document["training"]["batch"] = 1;
    EXPECT_EQ(verb({"check"}, m_document).exitCode, 0);
    fs::create_symlink(root() / "out" / "secret.pgm", root() / "in" / "images" / "cat" / "2.pgm");
    expectRefused(m_document, "/data/folder");
    fs::remove(root() / "in" / "images" / "cat" / "2.pgm");
    fs::create_directory_symlink(root() / "out", root() / "in" / "images" / "dog");
    expectRefused(m_document, "/data/folder");
}

TEST_F(Confine, PooledFiles) {
    std::ofstream(root() / "out" / "p.pgm") << "P5\n4 4\n255\n0123456789abcdef";
    const Json input = {{"source", "image"}, {"path", "../out/p.pgm"}};
    const Json document = {{"heteroscope", 1},
                           {"kind", "pooling"},
                           {"name", "pooled"},
                           {"pooling", {{"mode", "max"}, {"kernel", 2}, {"stride", 2}, {"input", input}}},
                           {"targets", {"cpu/sequential"}},
                           {"sampling", {{"preset", "quick"}}}};
    for (const char* name : {"check", "run"}) {
        const Finished done = verb({name}, document);
        EXPECT_EQ(done.exitCode, 2) << done.err;
        EXPECT_THAT(done.err, AllOf(HasSubstr("/pooling/input/path"), HasSubstr("--confine")));
    }
}

TEST_F(Confine, WorkersAreToldToo) {
    m_document["sampling"] = {{"preset", "thesis"}};
    const fs::path file = root() / "in" / "e.json";
    // What a worker gets: the document on its standard input, the folder and the confinement as words.
    m_document["data"]["images"] = "../out/train_images";
    const Finished worker = runCli({"run", "-", "--stream", "--process-index", "0", "--directory",
                                    (root() / "in").string(), "--confine", (root() / "in").string()},
                                   m_document.dump() + "\n");
    EXPECT_EQ(worker.exitCode, 2) << worker.err;
    EXPECT_THAT(worker.err, HasSubstr("/data/images"));
    m_document["data"]["images"] = "data/train_images";
    const Finished done = verb({"run", "--no-trace"}, m_document);
    EXPECT_EQ(done.exitCode, 0) << done.err;
}

/// The parent refuses what leads out when it looks. What is put there afterwards the workers have to refuse.
TEST_F(Confine, WorkersRefuseWhatLeadsOutAfterTheirParentHasLooked) {
    const fs::path link = root() / "in" / "link", file = root() / "in" / "e.json";
    fs::create_symlink("data/train_images", link);
    fs::create_symlink(root() / "out" / "train_images", root() / "in" / "next");
    m_document["data"]["images"] = "link";
    m_document["sampling"] = {{"preset", "thesis"}};
    m_document["training"]["epochs"] = kManyEpochs;
    std::ofstream(file) << m_document.dump();
    ChildProcess parent(
        {"run", file.string(), "--no-trace", "--stream", "--confine", (root() / "in").string()});
    ASSERT_TRUE(parent.waitForOutput(1, Milliseconds(20000 * kTimeFactor))) << parent.err();
    fs::rename(root() / "in" / "next", link);
    const Finished done = parent.finish();
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, AllOf(HasSubstr("/data/images"), HasSubstr("--confine"), HasSubstr("process ")));
}

TEST_F(Confine, OnnxFiles) {
    if (const std::string reason = compute::onnxUnavailableReason(); !reason.empty())
        SKIP_WITHOUT("onnx", reason);
    fs::path model;
    for (const auto& entry : fs::directory_iterator(HETEROSCOPE_SOURCE_DIR "/tests/golden/onnx"))
        if (entry.path().extension() == ".onnx" && (model.empty() || entry.path() < model))
            model = entry.path();
    fs::copy_file(model, root() / "out" / "m.onnx");
    const Json document = {{"heteroscope", 1},
                           {"kind", "network"},
                           {"name", "onnx"},
                           {"task", "infer"},
                           {"network", {{"onnx", "../out/m.onnx"}}},
                           {"targets", {"cpu/sequential"}},
                           {"sampling", {{"preset", "quick"}}}};
    expectRefused(document, "/network/onnx");
    fs::create_symlink(root() / "out" / "m.onnx", root() / "in" / "m.onnx");
    Json linked = document;
    linked["network"]["onnx"] = "m.onnx";
    expectRefused(linked, "/network/onnx");
    fs::remove(root() / "in" / "m.onnx");
    fs::copy_file(model, root() / "in" / "m.onnx");
    const Finished good = verb({"check"}, linked);
    EXPECT_EQ(good.exitCode, 0) << good.err;
}

TEST_F(Confine, TheFolderHasToBeThere) {
    const fs::path file = root() / "in" / "e.json";
    std::ofstream(file) << m_document.dump();
    const Finished done = runCli({"check", file.string(), "--confine", (root() / "nowhere").string()});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, AllOf(HasSubstr("--confine"), HasSubstr("nowhere")));
}

} // namespace
} // namespace heteroscope::process_test
