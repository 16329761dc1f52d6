// SPDX-License-Identifier: Apache-2.0
// IDX files in a folder that goes away, and a small training experiment on them.
#pragma once

#include "compute/base/json.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace heteroscope::compute {

class TemporaryIdx {
  public:
    TemporaryIdx();
    ~TemporaryIdx();
    TemporaryIdx(const TemporaryIdx&) = delete;
    TemporaryIdx& operator=(const TemporaryIdx&) = delete;

    const std::filesystem::path& folder() const { return m_folder; }
    std::string write(const std::string& name, const std::vector<std::uint32_t>& dims,
                      const std::vector<std::uint8_t>& values, bool compressed = false);
    std::string writeBytes(const std::string& name, const std::vector<std::uint8_t>& bytes,
                           bool compressed = false);

    /// Images of 4 x 4: class 0 is brighter at the top, class 1 at the bottom, with noise that leaves them
    /// apart; a network of one convolution and one dense layer; batches of 5, 4 epochs.
    Json trainingExperiment(int training, int test);

  private:
    void writePart(const std::string& name, int count, std::uint32_t seed);
    std::filesystem::path m_folder;
};

} // namespace heteroscope::compute
