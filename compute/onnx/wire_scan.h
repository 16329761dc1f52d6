// SPDX-License-Identifier: Apache-2.0
// Counts what an ONNX file holds by walking its protobuf fields, so that a small file cannot ask for a lot of
// memory. Field numbers: onnx.proto. Pure; any thread.
#pragma once

#include "compute/base/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace heteroscope::compute {

/// An error when the bytes are not fields of the format, or beyond OnnxLimits.
Status scanOnnxWire(std::span<const std::byte> bytes, const std::string& name);

} // namespace heteroscope::compute
