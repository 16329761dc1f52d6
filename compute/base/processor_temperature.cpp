// SPDX-License-Identifier: Apache-2.0
#include "compute/base/processor_temperature.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace heteroscope {
namespace {

/// Drivers of processors' own sensors: Intel, AMD (the last one is not in the kernel), Arm's device trees.
constexpr std::array<std::string_view, 4> kDrivers{"coretemp", "k10temp", "cpu_thermal", "zenpower"};
constexpr int kMostInputs = 512; ///< of a chip: one a core and one a package

std::string lineOf(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

bool isOfPackage(const std::string& label) {
    return label.starts_with("Package id") || label == "Tdie";
}

/// Of a chip: its sensors of packages, else the first sensor.
std::vector<std::string> inputsOf(const std::string& chip) {
    std::vector<std::string> packages;
    std::error_code error;
    for (int i = 1; i <= kMostInputs; ++i) {
        const std::string sensor = chip + "/temp" + std::to_string(i);
        if (std::filesystem::exists(sensor + "_input", error) && isOfPackage(lineOf(sensor + "_label")))
            packages.push_back(sensor + "_input");
    }
    const std::string first = chip + "/temp1_input";
    if (packages.empty() && std::filesystem::exists(first, error))
        packages.push_back(first);
    return packages;
}

} // namespace

ProcessorTemperature::ProcessorTemperature(const std::string& sys) {
    std::error_code error;
    std::filesystem::directory_iterator chips(sys + "/class/hwmon", error);
    for (; !error && chips != std::filesystem::directory_iterator(); chips.increment(error)) {
        const std::string chip = chips->path().string();
        if (std::find(kDrivers.begin(), kDrivers.end(), lineOf(chip + "/name")) == kDrivers.end())
            continue;
        for (std::string& input : inputsOf(chip))
            m_files.push_back(std::move(input));
    }
}

std::optional<double> ProcessorTemperature::celsius() const {
    std::optional<double> hottest;
    for (const std::string& file : m_files) {
        long thousandths = 0;
        if (std::ifstream input(file); !(input >> thousandths))
            continue;
        const double celsius = static_cast<double>(thousandths) / 1000;
        hottest = std::max(hottest.value_or(celsius), celsius);
    }
    return hottest;
}

} // namespace heteroscope
