// SPDX-License-Identifier: Apache-2.0
// Runs a matrix product on the GPU the way the tests want it: operands between NaNs that nothing may use, the
// result poisoned before and between guards that nothing may touch.
#pragma once

#include "compute/backends/nvidia/kernels/gemm/gemm_kernels.h"
#include "compute/core/op.h"

#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute::nvidia {

/// Why there is no GPU to test on; empty when there is one.
std::string whyNoGpu();

/// Floats by which the operands begin behind a multiple of 256 bytes.
struct Offsets {
    std::size_t a = 0, b = 0, c = 0;
};

/// C, or an empty vector when `error` says what went wrong. Elements never written are NaN.
struct DeviceProduct {
    std::vector<float> c;
    std::string error;
};
/// The GPU that productOnDevice() uses.
DeviceLimits limitsOfDevice();
DeviceProduct productOnDevice(const GemmPlan& plan, const Gemm& size, std::span<const float> a,
                              std::span<const float> b, const Offsets& offsets = {});

} // namespace heteroscope::compute::nvidia
