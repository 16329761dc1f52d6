// SPDX-License-Identifier: Apache-2.0
// One forecast of memory: what check says a study needs is exactly what run lets through, and the size that a
// refusal names fits.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

/// An experiment with the pointer of the size that a refusal names, and the words before it.
struct SizedExperiment {
    const char* name;
    Json experiment;
    std::string pointer, words;
};

Json productExperiment() {
    return {{"heteroscope", 1},
            {"kind", "matmul"},
            {"matmul", {{"m", 400}, {"n", 400}, {"k", 400}}},
            {"targets", {"cpu/sequential"}},
            {"sampling", {{"preset", "quick"}, {"samples", 1}, {"warmup_limit_s", 0}}}};
}

Json forecastNetwork(const char* task) {
    return Json::
        parse(R"({"heteroscope": 1, "kind": "network", "network": {"input": {"shape": [3, 32, 32], "batch": 160},
        "layers": [{"type": "conv2d", "filters": 8, "padding": 1}, {"type": "relu"}, {"type": "maxpool2d"},
                   {"type": "conv2d", "filters": 16, "padding": 1}, {"type": "batchnorm"}, {"type": "relu"},
                   {"type": "flatten"}, {"type": "dense", "units": 10}]},
        "training": {"batch": 160}, "targets": ["cpu/openmp"], "sampling": {"preset": "quick", "samples": 1, "warmup_limit_s": 0}})")
            .patch(Json::array({{{"op", "add"}, {"path", "/task"}, {"value", task}}}));
}

class Forecast : public testing::TestWithParam<std::string> {
  protected:
    static std::vector<SizedExperiment> cases() {
        return {{"pooling", poolingExperiment(1500, 1), "/pooling/input/size", "a size of "},
                {"matmul", productExperiment(), "/matmul/m", "m = n = k = "},
                {"training", forecastNetwork("train"), "/training/batch", "a batch of "},
                {"inference", forecastNetwork("infer"), "/network/input/batch", "a batch of "}};
    }

    void SetUp() override {
        const Finished check =
            runCli({"check", "-", "--json", "--target", GetParam()}, productExperiment().dump());
        ASSERT_EQ(check.exitCode, 0) << check.err;
        const Json target = Json::parse(check.out).at("targets").at(0);
        if (!target.at("available").get<bool>())
            SKIP_WITHOUT("onednn", target.at("reason").get<std::string>());
    }

    std::int64_t needed(const SizedExperiment& one) const {
        const Finished check =
            runCli({"check", "-", "--json", "--target", GetParam()}, one.experiment.dump());
        EXPECT_EQ(check.exitCode, 0) << check.err;
        return Json::parse(check.out).at("targets").at(0).at("needed_bytes").get<std::int64_t>();
    }

    Finished run(const SizedExperiment& one, std::int64_t limit,
                 const std::vector<std::string>& more = {}) const {
        std::vector<std::string> words{
            "run", "-", "--target", GetParam(), "--no-trace", "--memory-limit", std::to_string(limit)};
        words.insert(words.end(), more.begin(), more.end());
        return runCli(words, one.experiment.dump());
    }

    /// The number behind the words of a refusal; 0 where they are not there.
    static int namedSize(const std::string& text, const std::string& words) {
        const std::size_t place = text.find(words);
        return place == std::string::npos ? 0 : std::stoi(text.substr(place + words.size()));
    }
};

TEST_P(Forecast, OfCheckIsThatOfRun) {
    for (const SizedExperiment& one : cases()) {
        SCOPED_TRACE(one.name);
        const std::int64_t bytes = needed(one);
        const Finished enough = run(one, bytes), tooLittle = run(one, bytes - 1);
        EXPECT_EQ(enough.exitCode, 0) << enough.out << enough.err;
        EXPECT_EQ(tooLittle.exitCode, 1) << tooLittle.out;
        EXPECT_THAT(tooLittle.err, HasSubstr("may be used"));
    }
}

TEST_P(Forecast, SizeThatARefusalNamesFitsAndIsNoSmallOne) {
    for (const SizedExperiment& one : cases()) {
        SCOPED_TRACE(one.name);
        const std::int64_t limit = needed(one) / 4 * 3; // oneDNN itself takes 12 MiB of 30 and of 46
        const Finished refused = run(one, limit);
        const int size = namedSize(refused.err, one.words);
        ASSERT_GT(size, 0) << refused.err;
        const auto set = [&](int to) {
            std::vector<std::string> words{"--set", one.pointer + "=" + std::to_string(to)};
            if (one.pointer == "/matmul/m")
                words.insert(words.end(), {"--set", "/matmul/n=" + std::to_string(to), "--set",
                                           "/matmul/k=" + std::to_string(to)});
            return words;
        };
        const Finished fits = run(one, limit, set(size)), above = run(one, limit, set(size + size / 20 + 1));
        EXPECT_EQ(fits.exitCode, 0) << fits.err;
        EXPECT_EQ(above.exitCode, 1) << "5 % more than the named size also fits: " << refused.err;
    }
}

/// Sizes that are whole blocks need less scratch memory than smaller ones: which size fits does not depend on
/// the one that was refused.
TEST(ForecastHint, isOneSizeWhateverWasRefused) {
    const TemporaryFolder folder;
    writeText(folder.file("e.json"), R"({"heteroscope": 1, "kind": "matmul", "name": "m",
        "matmul": {"m": 896, "n": 896, "k": 896}, "targets": ["cpu/openmp?threads=2"]})");
    std::set<std::string> hints;
    for (const char* size : {"896", "912", "1000", "3000"}) {
        std::vector<std::string> words{"check", folder.file("e.json"), "--memory-limit", "20MiB"};
        for (const char* extent : {"m", "n", "k"})
            words.insert(words.end(), {"--set", std::string("/matmul/") + extent + "=" + size});
        const Finished done = runCli(words);
        const std::size_t at = done.out.find("m = n = k = ");
        ASSERT_NE(at, std::string::npos) << done.out << done.err;
        hints.insert(done.out.substr(at, done.out.find(" would fit", at) - at));
    }
    EXPECT_EQ(hints.size(), 1u) << testing::PrintToString(hints);
}

INSTANTIATE_TEST_SUITE_P(Targets, Forecast,
                         testing::Values("cpu/sequential", "cpu/openmp?threads=2", "cpu/openmp?threads=1",
                                         "cpu/onednn?threads=2"),
                         [](const auto& one) {
                             std::string name = one.param;
                             for (char& letter : name)
                                 if (std::isalnum(static_cast<unsigned char>(letter)) == 0)
                                     letter = '_';
                             return name;
                         });

} // namespace
} // namespace heteroscope::process_test
