// SPDX-License-Identifier: Apache-2.0
// The parts of the verb self-test: what this machine has, and short studies whose results and run files are
// checked. Main thread.
#pragma once

#include "app/cli/self_check.h"
#include "compute/core/device.h"

#include <filesystem>
#include <vector>

namespace heteroscope::cli {

/// Processor, memory, devices and implementations, GPU, ONNX: each there, or missing with its reason.
void checkMachine(const std::vector<compute::DeviceInfo>& devices, SelfTest& test);

/// One short study a kind of experiment, each in a process of its own, on every implementation that is
/// available: outputs against cpu/sequential, and the run file, FOLDER/KIND.hscope, against what was
/// reported. With a GPU also whether its timeline and its counters can be recorded.
void checkStudies(const std::vector<compute::DeviceInfo>& devices, const std::filesystem::path& folder,
                  SelfTest& test);

} // namespace heteroscope::cli
