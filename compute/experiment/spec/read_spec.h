// SPDX-License-Identifier: Apache-2.0
// Typed values from a checked document whose defaults are written out. Pure; any thread.
#pragma once

#include "compute/experiment/spec/spec.h"

#include <string>

namespace heteroscope::compute {

/// The kind's text ("pooling", "matmul"); empty when the document names none that is known.
std::string kindText(const Json& document);

/// The document with every parameter that it leaves out put in, in the form it was given.
Json withDefaults(const Json& document);

/// Kind, pooling or matmul, and sampling. Everything must have passed the checks of types and ranges.
void readParameters(const Json& expanded, ExperimentSpec& spec);

} // namespace heteroscope::compute
