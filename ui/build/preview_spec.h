// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the edited experiment that a picture needs, whatever else is still wrong in it. GUI thread.
#pragma once

#include "compute/base/result.h"
#include "compute/experiment/spec/spec.h"

namespace heteroscope::ui {

/// The typed experiment without its targets, axes and sampling, so that mistakes there do not blank the
/// picture.
Result<compute::ExperimentSpec> previewSpec(const Json& document);

} // namespace heteroscope::ui
