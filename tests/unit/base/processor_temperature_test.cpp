// SPDX-License-Identifier: Apache-2.0
#include "compute/base/processor_temperature.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace heteroscope {
namespace {

/// A folder that looks like sysfs.
class ProcessorTemperatures : public testing::Test {
  protected:
    void SetUp() override {
        m_sys = std::filesystem::path(testing::TempDir()) /
                ("heteroscope_temperature_" + std::to_string(::getpid()));
        std::filesystem::remove_all(m_sys);
    }
    void TearDown() override { std::filesystem::remove_all(m_sys); }

    void put(const std::string& file, const std::string& text) const {
        const std::filesystem::path path = m_sys / "class" / "hwmon" / file;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    std::optional<double> celsius() const { return ProcessorTemperature(m_sys.string()).celsius(); }

    std::filesystem::path m_sys;
};

TEST_F(ProcessorTemperatures, OfPackagesTheHottestCounts) {
    put("hwmon0/name", "nvme");
    put("hwmon0/temp1_input", "91000");
    for (const auto& [chip, input] : {std::pair{"hwmon1", "61000"}, {"hwmon2", "74500"}}) {
        put(std::string(chip) + "/name", "coretemp");
        put(std::string(chip) + "/temp1_label", "Package id 0");
        put(std::string(chip) + "/temp1_input", input);
        put(std::string(chip) + "/temp2_label", "Core 0");
        put(std::string(chip) + "/temp2_input", "80000");
    }
    EXPECT_EQ(celsius(), 74.5);
}

/// Tctl of some processors lies above what they are, by an offset for the fans.
TEST_F(ProcessorTemperatures, ASensorWithoutAnOffsetIsPreferred) {
    put("hwmon0/name", "k10temp");
    put("hwmon0/temp1_label", "Tctl");
    put("hwmon0/temp1_input", "70000");
    EXPECT_EQ(celsius(), 70);
    put("hwmon0/temp2_label", "Tdie");
    put("hwmon0/temp2_input", "43000");
    EXPECT_EQ(celsius(), 43);
}

TEST_F(ProcessorTemperatures, WhatCannotBeReadIsNotTold) {
    EXPECT_EQ(celsius(), std::nullopt) << "no such folder";
    put("hwmon0/name", "coretemp");
    EXPECT_EQ(celsius(), std::nullopt) << "no sensor";
    put("hwmon0/temp1_input", "");
    EXPECT_EQ(celsius(), std::nullopt) << "a sensor that tells nothing";
    put("hwmon0/temp1_input", "-12000");
    EXPECT_EQ(celsius(), -12) << "a machine in the cold";
}

} // namespace
} // namespace heteroscope
