// SPDX-License-Identifier: Apache-2.0
// Whose clocks are read after a sample, with readers made by hand.
#include "app/cli/sample_clocks.h"

#include <gtest/gtest.h>

namespace heteroscope::cli {
namespace sample_clocks_test {

class Fixed final : public profiling::DeviceReader {
  public:
    profiling::DeviceReading read() override {
        profiling::DeviceReading reading;
        reading.clockMhz = 1755;
        reading.heldBackBy = {"power limit", "heat"};
        return reading;
    }
};

compute::DeviceInfo device(const std::string& id, const std::string& kind, const Json& properties) {
    compute::DeviceInfo made;
    made.id = id;
    made.kind = kind;
    made.properties = properties;
    return made;
}

std::vector<compute::DeviceInfo> devices() {
    return {device("cpu", "cpu", Json::object()), device("cuda:0", "gpu", {{"pci_bus_id", "0000:41:00.0"}}),
            device("cuda:1", "gpu", {{"pci_bus_id", "0000:42:00.0"}}),
            device("cuda:2", "gpu", Json::object())};
}

TEST(SampleClocks, AreThoseOfTheTargetsDevice) {
    std::vector<std::string> opened;
    SampleClocks clocks(devices(),
                        [&](const std::string& busId) -> Result<std::unique_ptr<profiling::DeviceReader>> {
                            opened.push_back(busId);
                            return std::unique_ptr<profiling::DeviceReader>(std::make_unique<Fixed>());
                        });
    EXPECT_FALSE(clocks.read("cpu/openmp?threads=2"));
    EXPECT_FALSE(clocks.read("cuda:2/cuda")) << "where it is, is not known";
    EXPECT_TRUE(opened.empty()) << "a study without a GPU opens nothing";
    for (int i = 0; i < 2; ++i) {
        const auto now = clocks.read("cuda:1/cuda?graph=off");
        ASSERT_TRUE(now);
        EXPECT_EQ(now->smMhz, 1755);
        EXPECT_FALSE(now->memoryMhz);
        EXPECT_EQ(now->heldBackBy, "power limit, heat");
        EXPECT_FALSE(now->idle);
    }
    EXPECT_EQ(opened, std::vector<std::string>{"0000:42:00.0"}) << "once";
}

TEST(SampleClocks, AreAbsentWhereNoDriverTells) {
    int tries = 0;
    SampleClocks clocks(devices(),
                        [&](const std::string&) -> Result<std::unique_ptr<profiling::DeviceReader>> {
                            ++tries;
                            return Error{ErrorCode::TargetUnavailable, "no library", "NVML", {}, {}};
                        });
    EXPECT_FALSE(clocks.read("cuda:0/cuda"));
    EXPECT_FALSE(clocks.read("cuda:0/cuda"));
    EXPECT_EQ(tries, 1);
}

} // namespace sample_clocks_test
} // namespace heteroscope::cli
