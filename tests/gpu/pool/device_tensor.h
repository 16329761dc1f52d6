// SPDX-License-Identifier: Apache-2.0
// Tensors on the GPU for tests: results are poisoned before and lie between guards that nothing may touch.
#pragma once

#include "compute/backends/nvidia/device/device_limits.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// Why there is no GPU to test on; empty when there is one.
std::string whyNoGpu();

/// What the current device holds.
DeviceLimits deviceLimits();

/// Throws std::runtime_error with the name of the error when it is one.
void expectCuda(int error, const char* what);

/// Device memory of `elements` floats. Begins `offset` floats behind a multiple of 256 bytes.
class DeviceTensor {
  public:
    explicit DeviceTensor(std::size_t elements, std::size_t offset = 0);
    explicit DeviceTensor(std::span<const float> values, std::size_t offset = 0);
    float* data() const { return m_memory.get() + kGuard + m_offset; }
    std::vector<float> download() const;
    /// Elements that still hold the poison, and whether a guard has changed.
    std::size_t untouched() const;
    bool guardsIntact() const;

  private:
    static constexpr std::size_t kGuard = 64;
    struct Free {
        void operator()(float* memory) const;
    };
    std::vector<std::uint32_t> bits() const;
    std::size_t m_elements, m_offset;
    std::unique_ptr<float, Free> m_memory;
};

} // namespace heteroscope::compute::nvidia
