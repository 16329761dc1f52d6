// SPDX-License-Identifier: Apache-2.0
// NVIDIA's cuDNN as an implementation of pooling and of networks' convolutions, activations and softmax.
#pragma once

#include "compute/core/module.h"

#include <memory>

namespace heteroscope::compute::nvidia {

/// Main thread.
std::unique_ptr<BackendModule> makeCudnnModule();

} // namespace heteroscope::compute::nvidia
