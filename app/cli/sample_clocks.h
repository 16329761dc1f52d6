// SPDX-License-Identifier: Apache-2.0
// Reads the clocks of a sample's GPU when the sample has ended, through NVIDIA's management library. One
// thread.
#pragma once

#include "compute/base/disturbance.h"
#include "compute/core/device.h"
#include "profiling/collectors/nvml/nvml_readings.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::cli {

class SampleClocks {
  public:
    using Open = std::function<Result<std::unique_ptr<profiling::DeviceReader>>(const std::string& pciBusId)>;

    explicit SampleClocks(const std::vector<compute::DeviceInfo>& devices,
                          Open open = profiling::openNvmlDevice);

    /// Now, of the device that the target names; nothing for a processor and where no driver tells. The first
    /// call for a device opens the library.
    std::optional<DeviceClocks> read(const std::string& target);

  private:
    Open m_open;
    std::map<std::string, std::string> m_busIds;                               ///< by device id
    std::map<std::string, std::unique_ptr<profiling::DeviceReader>> m_readers; ///< null: cannot be read
};

} // namespace heteroscope::cli
