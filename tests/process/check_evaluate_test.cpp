// SPDX-License-Identifier: Apache-2.0
// check and evaluate, and every malformed experiment through the program.
#include "compute/base/json.h"
#include "compute/data/npz.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

TEST(Check, saysWhatAnExperimentNeeds) {
    const Finished done = runCli({"check", examplePath("pooling_size_sweep.json"), "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report.at("ok"), true);
    EXPECT_EQ(report.at("points").size(), 11u);
    EXPECT_EQ(report.at("run_count"), 11 * report.at("targets").size());
    const Json& last = report.at("points").back();
    EXPECT_EQ(last.at("output_shape"), Json({1, 1, 2048, 2048}));
    EXPECT_EQ(last.at("windows"), 2048 * 2048);
    EXPECT_EQ(last.at("input_bytes"), 4096 * 4096 * 4);
    EXPECT_EQ(last.at("output_formula").at("height"), "floor((4096 + 0 + 0 - 2) / 2) + 1 = 2048");
    EXPECT_EQ(report.at("targets").at(0).at("fits"), true);
    EXPECT_THAT(runCli({"check", examplePath("pooling_size_sweep.json")}).out, HasSubstr("1x1x2048x2048"));
}

/// Whether its examples come from files that are not beside it.
bool needsFetchedData(const std::filesystem::path& experiment) {
    const Json document = Json::parse(readText(experiment));
    const Json::json_pointer images("/data/images");
    return document.contains(images) &&
           !std::filesystem::exists(experiment.parent_path() / document[images].get<std::string>());
}

TEST(Check, everyExampleIsGood) {
    int seen = 0;
    for (const auto& entry : std::filesystem::directory_iterator(examplePath(""))) {
        if (entry.path().extension() != ".json")
            continue;
        ++seen;
        const Finished done = runCli({"check", entry.path().string()});
        if (needsFetchedData(
                entry.path())) { // what is wrong is that the files have not been fetched, and nothing else
            EXPECT_EQ(done.exitCode, 2) << entry.path() << done.err;
            EXPECT_THAT(done.err, HasSubstr("/data/images"));
            continue;
        }
        EXPECT_EQ(done.exitCode, 0) << entry.path() << done.err;
    }
    EXPECT_GE(seen, 5);
}

TEST(Check, namesEveryMistakeWithItsPointer) {
    Json experiment = poolingExperiment(16, 1);
    experiment["pooling"]["kernel"] = 0;
    experiment["pooling"]["krnel"] = 3;
    const Finished done = runCli({"check", "-", "--json"}, experiment.dump());
    EXPECT_EQ(done.exitCode, 2);
    const Json report = Json::parse(done.out);
    EXPECT_EQ(report.at("ok"), false);
    std::vector<std::string> pointers;
    for (const Json& finding : report.at("diagnostics"))
        pointers.push_back(finding.at("pointer"));
    EXPECT_THAT(pointers, testing::IsSupersetOf({"/pooling/kernel", "/pooling/krnel"}));
    EXPECT_THAT(done.err, HasSubstr("/pooling/krnel"));
}

TEST(Check, tellsWhatDoesNotFitAndWhatIsMissing) {
    const Finished done =
        runCli({"check", "-", "--json", "--target", "cpu/sequential", "--target", "cuda:99/cuda"},
               poolingExperiment(60000, 1).dump());
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json targets = Json::parse(done.out).at("targets");
    EXPECT_GT(targets.at(0).at("needed_bytes").get<std::int64_t>(), 60000ll * 60000 * 4);
    EXPECT_EQ(targets.at(0).at("fits").get<bool>(),
              targets.at(0).at("needed_bytes").get<std::int64_t>() <=
                  targets.at(0).at("allowed_bytes").get<std::int64_t>());
    EXPECT_LT(targets.at(0).at("allowed_bytes"), targets.at(0).at("free_bytes"));
    EXPECT_EQ(targets.at(1).at("available"), false);
    EXPECT_THAT(targets.at(1).at("reason").get<std::string>(), HasSubstr("cuda:99"));
}

TEST(Check, tellsWhatComparingANetworksResultsTakesBesideIt) {
    const Json network = {
        {"heteroscope", 1},
        {"kind", "network"},
        {"task", "infer"},
        {"network",
         {{"input", {{"shape", {3, 64, 64}}}},
          {"layers", {{{"name", "conv"}, {"type", "conv2d"}, {"filters", 32}, {"padding", 1}}}}}}};
    const auto bytes = [&](const std::vector<std::string>& targets) {
        std::vector<std::string> words{"check", "-", "--json"};
        for (const std::string& target : targets)
            words.insert(words.end(), {"--target", target});
        const Finished done = runCli(words, network.dump());
        EXPECT_EQ(done.exitCode, 0) << done.err;
        return Json::parse(done.out).at("targets").at(0).at("comparison_bytes").get<std::int64_t>();
    };
    EXPECT_GT(bytes({"cpu/openmp"}), 32 * 64 * 64 * 4);
    EXPECT_EQ(bytes({"cpu/openmp", "cpu/sequential"}), 0);
    EXPECT_THAT(runCli({"check", "-", "--target", "cpu/openmp"}, network.dump()).out,
                HasSubstr("comparing its results takes up to 1.1 MiB more of the host"));
}

TEST(Check, partsOfANetworksMemoryAddUp) {
    const Finished done = runCli({"check", examplePath("network_resnet18.json"), "--target", "cpu/sequential",
                                  "--json", "--set", "/axes={}", "--set", "/task=\"train\""});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json memory = Json::parse(done.out).at("network").at("memory");
    std::int64_t sum = 0;
    for (const auto& [part, bytes] : memory.items())
        sum += part == "total" ? 0 : bytes.get<std::int64_t>();
    EXPECT_EQ(sum, memory.at("total").get<std::int64_t>()) << memory.dump(1);
    EXPECT_GT(memory.at("states").get<std::int64_t>(), 0) << "of its normalisations";
}

TEST(Check, refusesOptionsThatAnImplementationDoesNotKnow) {
    const Finished done =
        runCli({"check", "-", "--target", "cpu/sequential", "--target", "cpu/openmp?colour=red"},
               poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("/targets/1"));
    EXPECT_THAT(done.err, HasSubstr("colour"));
}

TEST(Check, sameWordsForWhatIsNoObject) {
    for (const char* verb : {"check", "run"}) {
        const Finished done = runCli({verb, "-"}, "[1, 2]\n");
        EXPECT_EQ(done.exitCode, 2);
        EXPECT_THAT(done.err, HasSubstr("found a list"));
    }
}

class Evaluate : public testing::Test {
  protected:
    Finished evaluate(const std::string& model, const compute::NpzArrays& tensors,
                      const std::vector<std::string>& more = {}) {
        EXPECT_TRUE(compute::writeNpz(m_folder.file("in.npz"), tensors).ok());
        std::vector<std::string> words{"evaluate",  examplePath(model),
                                       "--tensors", m_folder.file("in.npz"),
                                       "--out",     m_folder.file("out.npz")};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words);
    }
    compute::NpzArrays results() {
        const auto read = compute::readNpz(m_folder.file("out.npz"));
        EXPECT_TRUE(read.ok());
        return read.ok() ? *read : compute::NpzArrays();
    }
    TemporaryFolder m_folder;
};

TEST_F(Evaluate, poolsForwardAndBackward) {
    const compute::NpzArrays tensors{{"input", {{4, 4}, {9, 5, 2, 7, 3, 1, 3, 4, 2, 6, 5, 9, 8, 3, 7, 4}}},
                                     {"output.grad", {{2, 2}, {1, 2, 3, 4}}}};
    for (const char* target : {"cpu/sequential", "cpu/openmp"}) {
        const Finished done = evaluate("pooling_4x4.json", tensors, {"--backward", "--target", target});
        ASSERT_EQ(done.exitCode, 0) << done.err;
        const auto arrays = results();
        EXPECT_EQ(arrays.at("output").shape, (std::vector<std::int64_t>{2, 2}));
        EXPECT_EQ(arrays.at("output").values, (std::vector<float>{9, 7, 8, 9}));
        EXPECT_EQ(arrays.at("input.grad").values,
                  (std::vector<float>{1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0}));
    }
}

TEST_F(Evaluate, multipliesForwardAndBackward) {
    const compute::NpzArrays tensors{{"input", {{2, 3}, {1, 2, 3, 4, 5, 6}}},
                                     {"right", {{3, 1}, {7, 8, 9}}},
                                     {"output.grad", {{2, 1}, {1, -1}}}};
    const Finished done = evaluate("matmul_size_sweep.json", tensors, {"--backward"});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto arrays = results();
    EXPECT_EQ(arrays.at("output").values, (std::vector<float>{50, 122}));
    EXPECT_EQ(arrays.at("input.grad").values, (std::vector<float>{7, 8, 9, -7, -8, -9}));
    EXPECT_EQ(arrays.at("right.grad").values, (std::vector<float>{-3, -3, -3}));
}

TEST_F(Evaluate, refusesWhatDoesNotMatch) {
    const compute::NpyArray square{{2, 2}, {1, 2, 3, 4}};
    const std::vector<std::tuple<std::string, compute::NpzArrays, std::vector<std::string>, int, std::string>>
        cases{
            {"pooling_4x4.json", {{"right", square}}, {}, 2, "no tensor 'input'"},
            {"pooling_4x4.json", {{"input", {{4}, {1, 2, 3, 4}}}}, {}, 2, "two to four dimensions"},
            {"pooling_4x4.json", {{"input", square}}, {"--backward"}, 2, "no tensor 'output.grad'"},
            {"pooling_4x4.json",
             {{"input", square}, {"output.grad", square}},
             {"--backward"},
             2,
             "allowed: 1x1"},
            {"pooling_4x4.json", {{"input", {{1, 1}, {1}}}}, {}, 2, "window"},
            {"pooling_4x4.json", {{"input", square}}, {"--target", "cuda:99/cuda"}, 3, "no device"},
            {"pooling_4x4.json", {{"input", square}}, {"--target", "nonsense"}, 2, "allowed"},
            {"matmul_size_sweep.json", {{"input", square}}, {}, 2, "no tensor 'right'"},
            {"matmul_size_sweep.json",
             {{"input", square}, {"right", {{1, 2}, {1, 2}}}},
             {},
             2,
             "m x k and k x n"},
        };
    for (const auto& [model, tensors, more, code, words] : cases) {
        const Finished done = evaluate(model, tensors, more);
        EXPECT_EQ(done.exitCode, code) << done.err;
        EXPECT_THAT(done.err, HasSubstr(words));
    }
    writeText(m_folder.file("in.npz"), "no archive");
    const Finished done = runCli({"evaluate", examplePath("pooling_4x4.json"), "--tensors",
                                  m_folder.file("in.npz"), "--out", m_folder.file("out.npz")});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("in.npz"));
}

} // namespace
} // namespace heteroscope::process_test
