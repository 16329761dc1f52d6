// SPDX-License-Identifier: Apache-2.0
#include "tests/checkpoints/kept_training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>
#include <heteroscope_paths.h>

namespace heteroscope::compute {
namespace fs = std::filesystem;

std::string bytesOf(const NpzArrays& arrays) {
    std::string bytes;
    for (const auto& [name, array] : arrays) {
        bytes += name + '\0';
        for (const std::int64_t size : array.shape)
            bytes += std::to_string(size) + ' ';
        bytes.append(reinterpret_cast<const char*>(array.values.data()), array.values.size() * sizeof(float));
    }
    return bytes;
}

std::vector<double> validationLosses(const NpzArrays& state) {
    constexpr std::size_t kSeriesIndex = 2; // after training loss and accuracy
    const NpyArray& series = state.at("training.series");
    const auto epochs = static_cast<std::size_t>(series.shape.at(1));
    std::vector<double> losses(epochs);
    std::memcpy(losses.data(), series.values.data() + kSeriesIndex * epochs * 2, epochs * sizeof(double));
    return losses;
}

KeptTraining::KeptTraining(const std::string& target)
    : m_folder((m_data.folder() / "kept").string()),
      m_experiment((m_data.folder() / "training.json").string()) {
    Json experiment = m_data.trainingExperiment(60, 10);
    experiment["targets"] = {target};
    experiment["training"]["seed"] = 1; // one with which not every epoch is the best so far
    Json& layers = experiment["network"]["layers"];
    layers[0]["filters"] = 80; // the archive of a state is written in several blocks
    layers.insert(layers.begin() + 1, Json::object({{"type", "batchnorm"}}));
    layers.insert(layers.begin() + 3, Json::object({{"type", "dropout"}}));
    std::ofstream(m_experiment) << experiment.dump();
}

std::vector<std::string> KeptTraining::arguments() const {
    return {std::string(HETEROSCOPE_BINARY_DIR) + "/heteroscope-cli",
            "run",
            m_experiment,
            "--no-check",
            "--no-trace",
            "--checkpoints",
            m_folder};
}

std::optional<test::KilledRun> KeptTraining::fresh(int at, std::string* why) {
    fs::remove_all(m_folder);
    fs::create_directory(m_folder);
    return test::runKilledAt(arguments(), m_folder, at, why);
}

std::optional<test::KilledRun> KeptTraining::resumed(std::string* why) {
    auto words = arguments();
    words.push_back("--resume");
    return test::runToEnd(words, why);
}

std::set<std::string> KeptTraining::files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(m_folder))
        names.insert(entry.path().filename().string());
    return names;
}

NpzArrays KeptTraining::state(const KeptState& kept) const {
    auto arrays = readNpz(fs::path(m_folder) / kept.file);
    EXPECT_TRUE(arrays.ok()) << arrays.error().sentence();
    return arrays.ok() ? std::move(*arrays) : NpzArrays();
}

} // namespace heteroscope::compute
