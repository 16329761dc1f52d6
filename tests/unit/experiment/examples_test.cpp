// SPDX-License-Identifier: Apache-2.0
// Every experiment that is shipped must be faultless, named and explained.
#include "compute/experiment/spec/spec_json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <heteroscope_paths.h>

namespace heteroscope::compute {

TEST(Examples, AllAreFaultlessAndExplained) {
    int count = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(HETEROSCOPE_SOURCE_DIR "/resources/examples")) {
        if (entry.path().extension() != ".json")
            continue;
        ++count;
        const auto spec = loadExperiment(entry.path());
        ASSERT_TRUE(spec) << entry.path() << ": " << spec.error().sentence();
        EXPECT_TRUE(checkExperiment(spec->document).empty()) << entry.path();
        EXPECT_FALSE(spec->name.empty()) << entry.path();
        EXPECT_GT(spec->notes.size(), 40u) << entry.path();
        EXPECT_TRUE(expandPoints(*spec)) << entry.path();
    }
    EXPECT_GE(count, 11);
}

/// Counts of the papers and studies that the networks come from.
TEST(Examples, NetworksHaveThePublishedNumbersOfParameters) {
    const std::pair<const char*, std::int64_t> counts[] = {
        {"network_irradiance_cnn", 4352641}, {"network_mlp_pyramid", 444817},
        {"network_resnet18", 11689512},      {"network_mobilenet_v2", 3504872},
        {"network_model0", 210998},          {"network_lenet5_fashion_mnist", 61706}};
    for (const auto& [name, count] : counts) {
        const auto spec =
            loadExperiment(std::string(HETEROSCOPE_SOURCE_DIR "/resources/examples/") + name + ".json");
        ASSERT_TRUE(spec) << name << ": " << spec.error().sentence();
        EXPECT_EQ(resolveNetwork(spec->network.network, networkRequest(spec->network)).parameterElements(),
                  count)
            << name;
    }
}

} // namespace heteroscope::compute
