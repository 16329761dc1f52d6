// SPDX-License-Identifier: Apache-2.0
// Sentences of the analysis: phrases, and lists of what they are about. Pure functions; any thread.
#pragma once

#include "compute/base/phrase.h"

#include <vector>

namespace heteroscope::profiling {

using heteroscope::filled;
using heteroscope::joined;
using heteroscope::Phrase;
using heteroscope::say;
using heteroscope::together;
using heteroscope::words;

/// `format` with the first eight entries as %1; where there are more, they are put into `more` first, whose
/// %2 is how many. Empty without entries.
Phrase listed(const char* format, const std::vector<Phrase>& entries,
              const char* more = words("%1, and %2 more"));

} // namespace heteroscope::profiling
