// SPDX-License-Identifier: Apache-2.0
// Every verb with every kind of data that is cut or has a flipped byte: bad input with a sentence that names
// the file, or, where the damage changes nothing that is needed, an answer. Never a failure of the program.
#include "compute/base/npy.h"
#include "compute/data/npz.h"
#include "compute/onnx/onnx_model.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/hostile/hostile_files.h"
#include "tests/support/idx_files.h"
#include "tests/support/require/skip.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

/// A verb that reads `file`; `out` is what it writes, if anything.
struct Reading {
    std::string file;
    std::vector<std::string> words;
    bool partIsEnough = false; ///< what comes before the damage is an answer: run files and traces
};

class DamagedData : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return m_folder.file(name); }

    void expectRefusedOrAnswered(const Reading& reading, const std::string& bytes, bool mayAnswer,
                                 const std::string& damage) const {
        writeText(reading.file, bytes);
        const Finished done = runCli(reading.words);
        const std::string what = testing::PrintToString(reading.words) + ", " + damage + ": " + done.err;
        EXPECT_EQ(done.signal, 0) << what;
        EXPECT_TRUE(done.exitCode == 2 || (mayAnswer && done.exitCode == 0))
            << done.exitCode << " of " << what;
        if (done.exitCode != 2)
            return;
        const std::string name = std::filesystem::path(reading.file).filename().string();
        EXPECT_THAT(done.err, testing::AnyOf(HasSubstr(name), HasSubstr(": /")))
            << what << ": neither file nor pointer";
    }

    /// Cut at several places, and with each of some bytes flipped.
    void expectBadInput(const Reading& reading) const {
        const std::string whole = readText(reading.file);
        ASSERT_EQ(runCli(reading.words).exitCode, 0)
            << testing::PrintToString(reading.words) << ": the whole file is good";
        for (const std::size_t kept : {std::size_t{0}, std::size_t{5}, whole.size() / 3, whole.size() - 1})
            expectRefusedOrAnswered(reading, whole.substr(0, kept),
                                    (reading.partIsEnough && kept > 16) || kept + 1 == whole.size(),
                                    "cut to " + std::to_string(kept) + " bytes");
        std::mt19937 random(36);
        for (int flip = 0; flip < repetitions(8, 3); ++flip) { // fuzz targets flip more in that build
            const std::size_t at = flip == 0 ? 0 : random() % whole.size();
            std::string flipped = whole;
            flipped[at] = static_cast<char>(flipped[at] ^ (1 << random() % 8));
            expectRefusedOrAnswered(reading, flipped, true, "flipped byte " + std::to_string(at));
        }
        writeText(reading.file, whole);
    }

    TemporaryFolder m_folder;
};

TEST_F(DamagedData, ofRunFilesAndTracesIsBadInput) {
    const std::string run = file("r.hscope"), trace = file("t.json");
    ASSERT_EQ(runCli({"run", "-", "--out", run}, poolingExperiment(16, 2).dump()).exitCode, 0);
    std::filesystem::copy_file(run, file("good.hscope"));
    ASSERT_EQ(runCli({"trace", "export", run, trace}).exitCode, 0);
    for (const std::vector<std::string>& words : {std::vector<std::string>{"trace", "info", run},
                                                  {"trace", "stats", run, "--json"},
                                                  {"trace", "stats", run, "--layers"},
                                                  {"trace", "export", run, file("out.json")},
                                                  {"trace", "export", run, file("out.csv")},
                                                  {"compare", run, file("good.hscope")},
                                                  {"compare", file("good.hscope"), run, "--json"}})
        expectBadInput({run, words, true});
    expectBadInput({trace, {"trace", "import", trace, file("back.hscope")}, true});
}

TEST_F(DamagedData, ofExperimentsIsBadInput) {
    const std::string experiment = file("e.json");
    writeText(experiment, poolingExperiment(16, 1).dump());
    ASSERT_EQ(runCli({"run", experiment, "--save-output", file("x.npz")}).exitCode, 0);
    expectBadInput({experiment, {"check", experiment}});
    expectBadInput({experiment, {"run", experiment, "--samples", "1", "--no-trace"}});
}

TEST_F(DamagedData, WeightsOfAnotherNetworkAreBadInputBeforeAnythingRuns) {
    const Json dense = Json::parse(
        R"({"heteroscope": 1, "kind": "network", "name": "n", "task": "infer", "targets": ["cpu/sequential"],
        "network": {"input": {"shape": [4], "batch": 1}, "weights": "w.npz", "layers": [{"type": "dense", "name": "d", "units": 2}]}})");
    writeText(file("e.json"), dense.dump());
    ASSERT_TRUE(compute::writeNpz(file("w.npz"), {{"d.weight", {{4, 2}, std::vector<float>(8)}}}));
    for (const char* verb : {"check", "run"}) {
        const Finished done = runCli({verb, file("e.json")});
        EXPECT_EQ(done.exitCode, 2) << verb << ": " << done.err;
        EXPECT_THAT(done.err, testing::AllOf(HasSubstr("/network/weights: w.npz"), HasSubstr("d.weight"),
                                             HasSubstr("4x2"), HasSubstr("2x4")));
    }
}

TEST_F(DamagedData, ofTensorsIsBadInput) {
    const std::string tensors = file("in.npz");
    writeText(file("e.json"), poolingExperiment(16, 1).dump());
    ASSERT_TRUE(compute::writeNpz(tensors, {{"input", {{1, 1, 16, 16}, std::vector<float>(256, 2.0F)}}}));
    expectBadInput({tensors, {"evaluate", file("e.json"), "--tensors", tensors, "--out", file("out.npz")}});
}

/// Images and labels as NumPy arrays, as a table and as IDX files.
TEST_F(DamagedData, ofDatasetsIsBadInput) {
    compute::TemporaryIdx idx;
    Json experiment = idx.trainingExperiment(20, 5);
    experiment["training"]["epochs"] = 1;
    const auto reads = [&](const Json& document, const std::string& data, const std::string& preset) {
        writeText(file("train.json"), document.dump());
        expectBadInput({data, {"run", file("train.json"), "--no-trace", "--preset", preset}});
    };
    for (const char* part : {"images", "labels", "test_images"})
        reads(experiment, experiment.at("data").at(part).get<std::string>(), "quick");
    experiment["data"] = {{"source", "npy"}, {"images", "d.npz:x"}, {"labels", "d.npz:y"}};
    std::vector<float> pixels(20 * 16), labels(20);
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = static_cast<float>(i % 2);
    ASSERT_TRUE(compute::writeNpz(file("d.npz"), {{"x", {{20, 1, 4, 4}, pixels}}, {"y", {{20}, labels}}}));
    reads(experiment, file("d.npz"), "quick");
    experiment["data"] = {{"source", "csv"}, {"file", "d.csv"}};
    std::string table = "a,b,k\n";
    for (int i = 0; i < 20; ++i)
        table += std::to_string(i) + ",1.5," + (i % 2 == 0 ? "x" : "y") + "\n";
    experiment["network"] = {{"input", {{"shape", {2}}}}, {"layers", {{{"type", "dense"}, {"units", 2}}}}};
    writeText(file("d.csv"), table);
    reads(experiment, file("d.csv"), "quick");
}

/// What a pooling reads from files: a picture, and an array in either container.
TEST_F(DamagedData, ofPoolingInputsIsBadInput) {
    const auto reads = [&](const char* source, const std::string& path, const std::string& data) {
        Json experiment = poolingExperiment(16, 1);
        experiment["pooling"]["input"] = {{"source", source}, {"path", path}};
        writeText(file("pool.json"), experiment.dump());
        expectBadInput({data, {"run", file("pool.json"), "--no-trace"}});
        expectBadInput({data, {"check", file("pool.json")}, true});
    };
    hostile::writePicture(file("in.png"), 16, 16);
    reads("image", file("in.png"), file("in.png"));
    std::string pixels = "P5\n16 16\n255\n";
    for (int i = 0; i < 256; ++i)
        pixels += static_cast<char>(i);
    writeText(file("in.pgm"), pixels);
    reads("image", file("in.pgm"), file("in.pgm"));
    const std::vector<std::int64_t> shape{1, 1, 16, 16};
    const auto bytes = compute::writeNpy(shape, std::vector<float>(256, 2.0F));
    writeText(file("in.npy"), std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    reads("npy", file("in.npy"), file("in.npy"));
}

Json training(const Json& shape, const Json& data) {
    return {{"heteroscope", 1},
            {"kind", "network"},
            {"name", "damaged"},
            {"task", "train"},
            {"network",
             {{"input", {{"shape", shape}}},
              {"layers", {{{"type", "flatten"}}, {{"type", "dense"}, {"units", 10}}}}}},
            {"training", {{"batch", 5}, {"epochs", 1}}},
            {"data", data},
            {"targets", {"cpu/openmp?threads=1"}}};
}

TEST_F(DamagedData, ofCifarFilesIsBadInput) {
    std::filesystem::create_directories(file("cifar"));
    std::string examples;
    for (int i = 0; i < 10; ++i)
        examples += static_cast<char>(i) + std::string(3072, static_cast<char>(20 * i));
    for (int i = 1; i <= 5; ++i)
        writeText(file("cifar/data_batch_" + std::to_string(i) + ".bin"), examples);
    writeText(file("cifar/test_batch.bin"), examples);
    writeText(file("train.json"),
              training({3, 32, 32}, {{"source", "cifar10"}, {"folder", file("cifar")}}).dump());
    for (const char* name : {"data_batch_1.bin", "data_batch_5.bin", "test_batch.bin"})
        expectBadInput({file("cifar/" + std::string(name)),
                        {"run", file("train.json"), "--no-trace", "--no-check", "--preset", "quick"}});
}

TEST_F(DamagedData, ofPicturesInAFolderIsBadInput) {
    for (const char* name : {"set/a/0.png", "set/a/1.png", "set/b/0.png", "set/b/1.png"}) {
        std::filesystem::create_directories(std::filesystem::path(file(name)).parent_path());
        hostile::writePicture(file(name), 8, 8);
    }
    Json experiment = training({1, 8, 8}, {{"source", "image_folder"}, {"folder", file("set")}});
    experiment["training"]["batch"] = 2;
    writeText(file("train.json"), experiment.dump());
    expectBadInput(
        {file("set/b/1.png"), {"run", file("train.json"), "--no-trace", "--no-check", "--preset", "quick"}});
}

TEST_F(DamagedData, ofCompressedTracesIsBadInput) {
    const std::string run = file("r.hscope"), trace = file("t.json"), packed = file("t.json.gz");
    ASSERT_EQ(runCli({"run", "-", "--out", run}, poolingExperiment(16, 2).dump()).exitCode, 0);
    ASSERT_EQ(runCli({"trace", "export", run, trace}).exitCode, 0);
    const std::string text = readText(trace);
    hostile::writeGzip(packed, [&](const auto& put) { put(text); });
    expectBadInput({packed, {"trace", "import", packed, file("back.hscope")}, true});
}

/// The list of a training's states, and the state that it names: a training that goes on reads both.
TEST_F(DamagedData, ofKeptStatesIsBadInput) {
    compute::TemporaryIdx idx;
    Json experiment = idx.trainingExperiment(20, 5);
    experiment["training"]["epochs"] = 1;
    writeText(file("train.json"), experiment.dump());
    std::filesystem::create_directories(file("states"));
    const std::vector<std::string> words{"run",        file("train.json"), "--no-trace",
                                         "--no-check", "--checkpoints",    file("states")};
    ASSERT_EQ(runCli(words).exitCode, 0);
    std::filesystem::copy(file("states"), file("good"));
    std::vector<std::string> resumed = words;
    resumed.emplace_back("--resume");
    for (const char* name : {"run_0.checkpoint.json", "run_0.1.npz"})
        expectBadInput({file("states/" + std::string(name)), resumed});
    for (const char* name : {"run_0.checkpoint.json", "run_0.1.npz"})
        EXPECT_EQ(readText(file("states/" + std::string(name))), readText(file("good/" + std::string(name))))
            << "a training that was refused changed what it could not read";
}

TEST_F(DamagedData, ofWeightsAndModelsIsBadInput) {
    if (const std::string reason = compute::onnxUnavailableReason(); !reason.empty())
        SKIP_WITHOUT("onnx", reason);
    compute::TemporaryIdx idx;
    writeText(file("net.json"), idx.trainingExperiment(20, 5).dump());
    const std::string model = file("m.onnx"), weights = file("w.npz");
    ASSERT_EQ(runCli({"export", file("net.json"), "--onnx", model, "--npz", weights}).exitCode, 0);
    expectBadInput({weights, {"export", file("net.json"), "--weights", weights, "--onnx", file("out.onnx")}});
    expectBadInput({model, {"check", model}});
    expectBadInput({model, {"export", model, "--experiment", file("out.json"), "--npz", file("out.npz")}});
    expectBadInput({model, {"run", model, "--target", "cpu/openmp", "--samples", "1", "--no-trace"}});
}

} // namespace
} // namespace heteroscope::process_test
