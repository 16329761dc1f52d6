// SPDX-License-Identifier: GPL-3.0-or-later
// Experiment files as people read them: known keys first in a fixed order, short lists on one line. Pure
// functions; any thread.
#pragma once

#include "compute/base/json.h"

#include <string>

namespace heteroscope::ui {

/// The file text of an experiment, with a final newline. The same document always gives the same text.
std::string experimentText(const Json& document);

/// The value at a JSON pointer, or null pointer when there is none or the pointer is malformed.
const Json* valueAt(const Json& document, const std::string& pointer);

/// "/pooling/input" of "/pooling/input/size"; empty for a top-level key.
std::string parentPointer(const std::string& pointer);

} // namespace heteroscope::ui
