// SPDX-License-Identifier: Apache-2.0
// Datasets through the program: training with transforms, an inference's figures and predictions, and what is
// said of tables that are wrong.
#include "compute/base/json.h"
#include "tests/process/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

class DataRuns : public testing::Test {
  protected:
    void SetUp() override {
        m_folder = std::filesystem::path(testing::TempDir()) /
                   ("data_" + std::to_string(::getpid()) + "_" +
                    testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string path(const std::string& name) const { return (m_folder / name).string(); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path(name)) << text;
        return path(name);
    }
    Json results() const {
        std::ifstream stream(path("r.json"));
        return Json::parse(stream).at("runs").at(0);
    }
    std::vector<std::string> lines(const std::string& name) const {
        std::ifstream stream(path(name));
        std::vector<std::string> all;
        for (std::string line; std::getline(stream, line);)
            all.push_back(line);
        return all;
    }

    static Json experiment(const char* task, const Json& shape, int units, const Json& data) {
        return {{"heteroscope", 1},
                {"kind", "network"},
                {"name", "data"},
                {"task", task},
                {"network",
                 {{"input", {{"shape", shape}}},
                  {"layers",
                   {{{"name", "flatten"}, {"type", "flatten"}},
                    {{"name", "dense"}, {"type", "dense"}, {"units", units}}}}}},
                {"data", data},
                {"targets", {"cpu/openmp?threads=1"}},
                {"sampling", {{"preset", "quick"}, {"samples", 1}, {"warmup_limit_s", 0}}}};
    }

    std::filesystem::path m_folder;
};

std::size_t cellsOf(const std::string& line) {
    return static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
}

TEST_F(DataRuns, TrainingOnTransformedImagesLearns) {
    Json document =
        experiment("train", {1, 12, 12}, 3,
                   {{"source", "brain_slices"},
                    {"count", 120},
                    {"test_count", 30},
                    {"transforms", {{{"type", "crop"}, {"padding", 1}}, {{"type", "normalize"}}}}});
    document["training"] = {
        {"batch", 12}, {"epochs", 4}, {"optimizer", {{"type", "adam"}, {"learning_rate", 0.01}}}};
    const auto file = write("e.json", document.dump());
    const Finished done = runCli({"run", file, "--json", path("r.json"), "--out", path("r.hscope")});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json metrics = results().at("metrics");
    EXPECT_LT(metrics.at("training_loss").back(), metrics.at("training_loss").front());
    EXPECT_GE(metrics.at("test_accuracy").get<double>(), 0.0);
    const Json first = metrics;
    ASSERT_EQ(runCli({"run", file, "--json", path("r.json")}).exitCode, 0);
    EXPECT_EQ(results().at("metrics").at("training_loss"), first.at("training_loss")); // by the seed alone
}

TEST_F(DataRuns, AnInferenceWritesItsPredictions) {
    const auto file = write(
        "e.json",
        experiment("infer", {1, 8, 8}, 4, {{"source", "shapes"}, {"count", 10}, {"test_count", 10}}).dump());
    const Finished done = runCli({"run", file, "--set", "/network/input/batch=4", "--json", path("r.json"),
                                  "--predictions", path("p.csv")});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto rows = lines("p.csv");
    ASSERT_EQ(rows.size(), 11u);
    EXPECT_EQ(rows[0], "index,actual,predicted,p(disc),p(square),p(triangle),p(ring)");
    int hits = 0;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        std::istringstream line(rows[i]);
        std::string index, actual, predicted, share;
        std::getline(line, index, ',');
        std::getline(line, actual, ',');
        std::getline(line, predicted, ',');
        EXPECT_EQ(index, std::to_string(i - 1));
        hits += actual == predicted ? 1 : 0;
        double sum = 0;
        while (std::getline(line, share, ','))
            sum += std::stod(share);
        EXPECT_NEAR(sum, 1, 1e-6);
    }
    EXPECT_NEAR(results().at("metrics").at("accuracy").get<double>(), hits / 10.0, 1e-12);
    EXPECT_EQ(results().at("metrics").at("examples"), 10);
}

TEST_F(DataRuns, ARegressionWritesActualAndPredicted) {
    const auto file =
        write("e.json",
              experiment("infer", Json{50}, 1, {{"source", "irradiance_table"}, {"test_count", 7}}).dump());
    const Finished done = runCli({"run", file, "--set", "/network/input/batch=[2,7]", "--json",
                                  path("r.json"), "--predictions", path("p.csv")});
    EXPECT_NE(done.exitCode, 0); // a list is no batch
    const Finished good =
        runCli({"run", file, "--json", path("r.json"), "--predictions", path("p.csv"), "--no-trace"});
    ASSERT_EQ(good.exitCode, 0) << good.err;
    const auto rows = lines("p.csv");
    ASSERT_EQ(rows.size(), 8u);
    EXPECT_EQ(rows[0], "index,actual,predicted");
    EXPECT_EQ(cellsOf(rows[7]), 3u);
    EXPECT_TRUE(results().at("metrics").contains("r2"));
}

TEST_F(DataRuns, ABatchAxisGivesARunColumn) {
    Json document = experiment("infer", Json{50}, 1, {{"source", "irradiance_table"}, {"test_count", 5}});
    document["axes"] = {{"/network/input/batch", {1, 5}}};
    const Finished done = runCli({"run", write("e.json", document.dump()), "--predictions", path("p.csv")});
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const auto rows = lines("p.csv");
    ASSERT_EQ(rows.size(), 11u);
    EXPECT_EQ(rows[0], "run,index,actual,predicted");
    EXPECT_EQ(rows[1].substr(1), rows[6].substr(1)); // the batch changes nothing
}

TEST_F(DataRuns, ATrainingHasNoPredictionsToWrite) {
    Json document = experiment("train", {1, 8, 8}, 4, {{"source", "shapes"}, {"count", 40}});
    document["training"] = {{"epochs", 1}, {"batch", 8}};
    const Finished done = runCli({"run", write("e.json", document.dump()), "--predictions", path("p.csv")});
    EXPECT_NE(done.exitCode, 0);
    EXPECT_THAT(done.err, HasSubstr("--predictions"));
    EXPECT_FALSE(std::filesystem::exists(path("p.csv")));
}

TEST_F(DataRuns, AWrongTableIsNamedWithLineAndColumn) {
    write("t.csv", "a,b,k\n1,2,x\n3,,y\n");
    Json document = experiment("train", Json{2}, 2, {{"source", "csv"}, {"file", "t.csv"}});
    document["training"] = {{"batch", 1}, {"epochs", 1}};
    const Finished done = runCli({"run", write("e.json", document.dump())});
    EXPECT_EQ(done.exitCode, 2) << done.err; // the experiment is right, its data is not
    EXPECT_THAT(done.err, HasSubstr("line 3, column 2"));
}

} // namespace
} // namespace heteroscope::process_test
