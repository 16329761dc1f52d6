// SPDX-License-Identifier: Apache-2.0
// All implementations this process knows. Filled once at start, then read from any thread.
#pragma once

#include "compute/core/backend.h"

#include <memory>
#include <vector>

namespace heteroscope::compute {

class BackendRegistry {
  public:
    void addDevice(DeviceInfo device); ///< without implementations; those come from the backends
    void add(std::unique_ptr<Backend> backend);
    /// A device or implementation that could not be loaded, with its reason, so that it is shown and not just
    /// absent.
    std::vector<DeviceInfo> devices() const;
    /// Errors name the target, what is known, and why a known one is missing.
    Result<Backend*> find(const Target& target) const;
    Result<std::unique_ptr<Session>> open(const Target& target) const;

  private:
    std::vector<DeviceInfo> m_devices;
    std::vector<std::unique_ptr<Backend>> m_backends;
};

/// The processor of this machine: name, cores, caches, SIMD level, memory.
DeviceInfo describeCpu();

} // namespace heteroscope::compute
