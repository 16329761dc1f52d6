// SPDX-License-Identifier: Apache-2.0
// The registry as the command line makes it, with every module, and why a target of it cannot be opened here.
#pragma once

#include "compute/core/backend_registry.h"
#include "compute/core/op.h"

#include <memory>
#include <string>

namespace heteroscope::compute {

/// A session of a target, or the reason for people why there is none (no GPU, no driver, no such module). The
/// module of its implementation is loaded at the first call that names it, and stays; no other is. One
/// thread.
Result<std::unique_ptr<Session>> openTarget(const std::string& target);

/// What a test of a GPU target cannot do without, as words of HETEROSCOPE_REQUIRE: "gpu,cudnn".
std::string gpuWords(const std::string& target);

/// Whether the target may sum other products than the op's own, so that whole numbers come out with
/// fractions: cuDNN's engine 17 of gradients of 3x3 weights.
bool mayTransform(const std::string& target, const Op& op);

} // namespace heteroscope::compute
