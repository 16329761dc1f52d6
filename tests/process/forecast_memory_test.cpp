// SPDX-License-Identifier: Apache-2.0
// The forecast of memory against what networks take: not less than that, or a run is let in that the kernel
// kills; and not more, or one is refused that would have fitted.
#include "compute/data/npz.h"
#include "profiling/stream/stream_reader.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::process_test {
namespace {

using compute::NpyArray;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsOurs = false; ///< a sanitizer's shadow is memory, too
#else
constexpr bool kMemoryIsOurs = true;
#endif
constexpr int kCannotRun = 3;
/// Of the peak, either way.
constexpr double kTolerance = 0.05;

struct Taken {
    double peakMiB = 0, forecastMiB = 0;
    Finished done;
};

/// The largest forecast that the stream tells.
double forecastIn(const std::string& stream) {
    profiling::StreamReader reader("stdout");
    reader.feed({reinterpret_cast<const std::uint8_t*>(stream.data()), stream.size()});
    profiling::StudyBuilder builder;
    std::int64_t most = 0;
    for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
        (void)builder.apply(**frame);
        if (const auto& doing = builder.study().activity)
            most = std::max(most, doing->forecastBytes);
    }
    return static_cast<double>(most) / (1 << 20);
}

struct Case {
    const char* network;
    const char* target;
    const char* task;
    int batch, side;
};

void PrintTo(const Case& one, std::ostream* out) {
    *out << one.network << ' ' << one.target << ' ' << one.task << ' ' << one.batch << 'x' << one.side;
}

/// Two hidden layers of 4096 units: 128 MiB of weights, half of them in one tensor, on images of one channel.
std::string denseExperiment() {
    return R"({"heteroscope": 1, "kind": "network", "name": "dense", "targets": ["cpu/sequential"], "axes": {},
               "task": "infer", "data": {"source": "synthetic"}, "training": {"batch": 1},
               "network": {"input": {"shape": [1, 64, 64], "batch": 1},
                           "layers": [{"type": "flatten"},
                                      {"type": "dense", "units": 4096}, {"type": "relu"},
                                      {"type": "dense", "units": 4096}, {"type": "relu"},
                                      {"type": "dense", "units": 10}]}})";
}

class ForecastMemory : public testing::TestWithParam<Case> {
  protected:
    Taken run() const {
        const Case& one = GetParam();
        const bool dense = one.network == std::string("dense");
        const std::string side = std::to_string(one.side);
        const std::string batch =
            one.task == std::string("train") ? "/training/batch=" : "/network/input/batch=";
        Taken taken;
        if (dense)
            writeText(m_folder.file("dense.json"), denseExperiment());
        taken.done = runCli(
            {"run",
             dense ? m_folder.file("dense.json")
                   : examplePath(std::string("network_") + one.network + ".json"),
             "--target", one.target, "--samples", "1", "--preset", "quick", "--no-check", "--no-trace",
             "--stream", "--set", "/axes={}", "--set", std::string("/task=\"") + one.task + "\"", "--set",
             batch + std::to_string(one.batch), "--set",
             "/network/input/shape=[" + std::string(dense ? "1" : "3") + "," + side + "," + side + "]"});
        taken.peakMiB = static_cast<double>(taken.done.peakKiB) / 1024;
        taken.forecastMiB = forecastIn(taken.done.out);
        return taken;
    }

    TemporaryFolder m_folder;
};

/// The peak of a run beyond that of the program with its libraries.
void expectForeseen(const Taken& taken, const std::string& what) {
    ASSERT_EQ(taken.done.exitCode, 0) << taken.done.err;
    const Finished empty = runCli({"version"});
    const double peak = taken.peakMiB - static_cast<double>(empty.peakKiB) / 1024;
    testing::Test::RecordProperty("peak_mib", std::to_string(peak));
    testing::Test::RecordProperty("forecast_mib", std::to_string(taken.forecastMiB));
    std::printf("%s: peak %.1f MiB above %.1f MiB of the program, forecast %.1f MiB\n", what.c_str(), peak,
                static_cast<double>(empty.peakKiB) / 1024, taken.forecastMiB);
    EXPECT_GT(peak, 100) << "the run is large enough to say something";
    EXPECT_GE(taken.forecastMiB, (1 - kTolerance) * peak);
    EXPECT_LE(taken.forecastMiB, (1 + kTolerance) * peak);
}

TEST_P(ForecastMemory, isWhatTheRunTakesAndNotMuchMore) {
    if (!kMemoryIsOurs)
        SKIP_AS_MEANINGLESS("a sanitizer takes memory of its own");
    const std::string target = GetParam().target;
    const Taken taken = run();
    if (taken.done.exitCode == kCannotRun && taken.done.err.find("cannot be used") != std::string::npos)
        SKIP_WITHOUT(target.substr(4, target.find('?') - 4), taken.done.err);
    expectForeseen(taken, std::string(GetParam().target) + " " + GetParam().task + " batch " +
                              std::to_string(GetParam().batch));
}

INSTANTIATE_TEST_SUITE_P(Targets, ForecastMemory,
                         testing::Values(Case{"resnet18", "cpu/openmp?threads=2", "infer", 16, 128},
                                         Case{"resnet18", "cpu/onednn?threads=2", "infer", 16, 128},
                                         Case{"resnet18", "cpu/openmp?threads=2", "train", 4, 64},
                                         Case{"resnet18", "cpu/onednn?threads=2", "train", 4, 64},
                                         Case{"mobilenet_v2", "cpu/openmp?threads=2", "infer", 64, 128},
                                         Case{"mobilenet_v2", "cpu/onednn?threads=2", "infer", 64, 128},
                                         Case{"mobilenet_v2", "cpu/openmp?threads=2", "train", 8, 64},
                                         Case{"mobilenet_v2", "cpu/onednn?threads=2", "train", 8, 64},
                                         Case{"dense", "cpu/sequential", "infer", 16, 64},
                                         Case{"dense", "cpu/openmp?threads=2", "infer", 16, 64},
                                         Case{"dense", "cpu/onednn?threads=2", "infer", 16, 64},
                                         Case{"dense", "cpu/sequential", "train", 1, 64},
                                         Case{"dense", "cpu/openmp?threads=2", "train", 16, 64},
                                         Case{"dense", "cpu/onednn?threads=2", "train", 16, 64}),
                         [](const auto& one) {
                             const std::string target = one.param.target;
                             return std::string(one.param.network) + "_" +
                                    target.substr(4, target.find('?') - 4) + "_" + one.param.task;
                         });

/// Of single operations, compared with those of sequential or not (what is compared stays beside the run),
/// and of a network whose results are large.
struct OperationCase {
    const char* name;
    const char* target;
    bool isChecked;
    Json work; ///< kind, and its section
};

void PrintTo(const OperationCase& one, std::ostream* out) {
    *out << one.name << ' ' << one.target << (one.isChecked ? " checked" : "");
}

class ForecastOfOperation : public testing::TestWithParam<OperationCase> {};

TEST_P(ForecastOfOperation, isWhatTheRunTakes) {
    if (!kMemoryIsOurs)
        SKIP_AS_MEANINGLESS("a sanitizer takes memory of its own");
    const OperationCase& one = GetParam();
    Json document = {{"heteroscope", 1},
                     {"targets", {one.target}},
                     {"sampling", {{"preset", "quick"}, {"samples", 1}, {"warmup_limit_s", 0}}}};
    document.update(one.work);
    const TemporaryFolder folder;
    writeText(folder.file("e.json"), document.dump());
    std::vector<std::string> words{"run", folder.file("e.json"), "--no-trace", "--stream"};
    if (!one.isChecked)
        words.emplace_back("--no-check");
    Taken taken;
    taken.done = runCli(words);
    if (taken.done.exitCode == kCannotRun && taken.done.err.find("cannot be used") != std::string::npos)
        SKIP_WITHOUT("onednn", taken.done.err);
    taken.peakMiB = static_cast<double>(taken.done.peakKiB) / 1024;
    taken.forecastMiB = forecastIn(taken.done.out);
    if (one.isChecked) {
        const Finished checked = runCli({"check", folder.file("e.json"), "--json"});
        ASSERT_EQ(checked.exitCode, 0) << checked.err;
        const Json target = Json::parse(checked.out).at("targets").at(0);
        taken.forecastMiB +=
            static_cast<double>(target.at("comparison_bytes").get<std::int64_t>()) / (1 << 20);
    }
    expectForeseen(taken, std::string(one.name) + " " + one.target);
}

std::vector<OperationCase> operationCases() {
    const auto pooling = [](bool backward) {
        return Json{{"kind", "pooling"},
                    {"pooling",
                     {{"mode", "max"},
                      {"backward", backward},
                      {"kernel", 3},
                      {"stride", 2},
                      {"padding", 1},
                      {"input", {{"source", "random"}, {"batch", 24}, {"channels", 64}, {"size", 112}}}}}};
    };
    const Json product = {{"kind", "matmul"}, {"matmul", {{"m", 4000}, {"n", 3000}, {"k", 2000}}}};
    // Results as large as the images, which are made and written before.
    const Json wide = Json::parse(R"({"kind": "network", "task": "infer", "network": {
        "input": {"shape": [37, 253, 251], "batch": 6},
        "layers": [{"type": "conv2d", "filters": 37, "groups": 37, "padding": 1}, {"type": "gelu"},
                   {"type": "conv2d", "filters": 37, "groups": 37, "padding": 1}]}})");
    // One thread copies a block of 16 channels for 20: the library asks for a third more than it writes.
    Json few = pooling(false);
    few["pooling"].update(
        {{"stride", 1}, {"input", {{"source", "random"}, {"channels", 20}, {"size", 512}}}});
    Json mean = few;
    mean["pooling"].update({{"mode", "average"}, {"backward", true}});
    Json windows = pooling(false); // few, so that what they take is little time
    windows["pooling"].update({{"strategy", "window"},
                               {"kernel", 16},
                               {"stride", 16},
                               {"padding", 0},
                               {"input", {{"source", "random"}, {"channels", 1}, {"size", 6000}}}});
    Json dense = windows; // as large a result as can be
    dense["pooling"].update({{"kernel", 2}, {"stride", 1}});
    dense["pooling"]["input"]["size"] = 3300;
    std::vector<OperationCase> cases{
        {"pooling", "cpu/sequential", false, pooling(false)},
        {"pooling", "cpu/sequential", true, pooling(false)}, // nothing is compared
        {"windows", "cpu/sequential", false, windows},
        {"dense_windows", "cpu/sequential", false, dense},
        {"dense_windows", "cpu/sequential", true, dense}};
    for (const char* target : {"cpu/openmp?threads=2", "cpu/onednn?threads=2"}) {
        cases.push_back({"wide", target, false, wide});
        for (const bool isChecked : {false, true}) {
            cases.push_back({"pooling", target, isChecked, pooling(false)});
            cases.push_back({"pooling_backward", target, isChecked, pooling(true)});
        }
        cases.push_back(
            {"product", target, false, product}); // sequential would take longer than one waits for it
    }
    cases.push_back({"few_channels", "cpu/onednn?threads=2", false, few});
    cases.push_back({"few_channels_backward", "cpu/onednn?threads=2", false, mean});
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Each, ForecastOfOperation, testing::ValuesIn(operationCases()), [](const auto& one) {
    const std::string target = one.param.target;
    return std::string(one.param.name) + "_" + target.substr(4, target.find('?') - 4) +
           (one.param.isChecked ? "_checked" : "");
});

/// Examples lie in files, and are read before anything is computed: 58.6 MiB.
struct DatasetCase {
    const char* name;
    const char* task;
    int hidden;                  ///< units of a layer
    Json more;                   ///< of the data
    int batch = 0, outputs = 10; ///< 0: an inference's own
};

void PrintTo(const DatasetCase& one, std::ostream* out) {
    *out << one.name;
}

class ForecastOfDataset : public testing::TestWithParam<DatasetCase> {
  protected:
    static constexpr std::int64_t kCount = 10000, kRows = 32, kColumns = 48;

    Json document() const {
        const NpyArray images{{kCount, 1, kRows, kColumns}, std::vector<float>(kCount * kRows * kColumns)},
            labels{{kCount}, std::vector<float>(kCount)};
        EXPECT_TRUE(compute::writeNpz(m_folder.file("a.npz"), {{"x", images}, {"y", labels}}).ok());
        Json data = {{"source", "npy"}, {"images", "a.npz:x"}, {"labels", "a.npz:y"}};
        data.update(GetParam().more);
        Json shape = {1, kRows, kColumns};
        if (data.contains("transforms"))
            shape = {1, data["transforms"][0]["size"][0], data["transforms"][0]["size"][1]};
        Json document = {{"heteroscope", 1},
                         {"kind", "network"},
                         {"name", "forecast"},
                         {"task", GetParam().task},
                         {"network",
                          {{"input", {{"shape", shape}}},
                           {"layers",
                            {{{"type", "flatten"}},
                             {{"type", "dense"}, {"units", GetParam().hidden}},
                             {{"type", "dense"}, {"units", 10}}}}}},
                         {"data", data},
                         {"targets", {"cpu/openmp?threads=1"}},
                         {"sampling", {{"preset", "quick"}, {"samples", 1}, {"warmup_limit_s", 0}}}};
        if (GetParam().task == std::string("train"))
            document["training"] = {{"batch", 1000}, {"epochs", 1}};
        else if (GetParam().batch > 0)
            document["network"]["input"]["batch"] = GetParam().batch;
        if (GetParam().outputs > 10)
            document["network"]["layers"].back()["units"] = GetParam().outputs;
        return document;
    }

    TemporaryFolder m_folder;
};

TEST_P(ForecastOfDataset, isWhatReadingAndTheRunTake) {
    if (!kMemoryIsOurs)
        SKIP_AS_MEANINGLESS("a sanitizer takes memory of its own");
    const std::string file = m_folder.file("e.json");
    writeText(file, document().dump());
    Taken taken;
    taken.done = runCli({"run", file, "--no-check", "--no-trace", "--stream"});
    taken.peakMiB = static_cast<double>(taken.done.peakKiB) / 1024;
    taken.forecastMiB = forecastIn(taken.done.out);
    expectForeseen(taken, GetParam().name);
    const Finished checked = runCli({"check", file, "--json"});
    ASSERT_EQ(checked.exitCode, 0) << checked.err;
    const Json point = Json::parse(checked.out).at("points").at(0);
    EXPECT_GT(point.at("dataset_bytes").get<std::int64_t>(), 0);
    EXPECT_GE(point.at("reading_bytes").get<std::int64_t>(), point.at("dataset_bytes").get<std::int64_t>());
}

INSTANTIATE_TEST_SUITE_P(
    Each, ForecastOfDataset,
    testing::Values(
        DatasetCase{"reading", "train", 10, Json::object()},
        DatasetCase{"network", "train", 12000, {{"training_limit", 2000}}},
        DatasetCase{"inference", "infer", 10, Json::object()},
        DatasetCase{"results", "infer", 10, Json::object(), 300, 5000}, // of all examples, and a batch of 100
        DatasetCase{"whole_batches", "infer", 6000, Json::object(), 5000},
        DatasetCase{"tests", "train", 10, {{"test_images", "a.npz:x"}, {"test_labels", "a.npz:y"}}},
        DatasetCase{"part", "train", 10, {{"training_limit", 5000}}},
        DatasetCase{"smaller", "train", 10, {{"transforms", {{{"type", "resize"}, {"size", {16, 24}}}}}}},
        DatasetCase{"larger", "train", 10, {{"transforms", {{{"type", "resize"}, {"size", {56, 80}}}}}}}),
    [](const auto& one) { return std::string(one.param.name); });

} // namespace
} // namespace heteroscope::process_test
