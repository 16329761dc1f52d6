// SPDX-License-Identifier: Apache-2.0
// Options of targets that nothing in the experiment reads. Pure; any thread.
#pragma once

#include "compute/base/result.h"
#include "compute/experiment/spec/spec_json.h"

#include <vector>

namespace heteroscope::compute {

/// An error at /targets/N for each option that changes nothing at any point of a study that is to be run, as
/// far as that follows from its kind, layers, data and axes: ?tf32=on where nothing is multiplied. `document`
/// is without mistakes (checkExperiment). That an option and its value are there at all is the session's
/// business.
std::vector<Diagnostic> optionsWithoutEffect(const Json& document);
/// The first of them.
Status checkOptionEffects(const Json& document);

} // namespace heteroscope::compute
