// SPDX-License-Identifier: Apache-2.0
// How hot the processors are, as Linux' hardware monitoring tells it: see sysfs-interface of the kernel's
// documentation on hwmon. A machine without such a sensor, as most virtual ones, tells nothing. Any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heteroscope {

class ProcessorTemperature {
  public:
    /// Looks for sensors once: of whole packages where they are told apart from cores, else the first of each
    /// chip. `sys`: where sysfs lies.
    explicit ProcessorTemperature(const std::string& sys = "/sys");
    /// Degrees Celsius of the hottest sensor now; nothing: none can be read.
    std::optional<double> celsius() const;

  private:
    std::vector<std::string> m_files;
};

} // namespace heteroscope
