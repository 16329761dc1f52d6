// SPDX-License-Identifier: Apache-2.0
// Axes of an experiment as people name them. The key of an axis is a JSON pointer, or several that take each
// value together, separated by commas ("/matmul/m,/matmul/n,/matmul/k"). Pure functions; any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/phrase.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscope {

/// The pointers of an axis: "/a, /b" -> {"/a", "/b"}; blanks around them are dropped.
std::vector<std::string> axisPointers(std::string_view axis);

/// "/pooling/input/size" -> "size"; linked pointers -> "m=n=k"; one number of a list -> "kernel[0]".
std::string axisName(std::string_view axis);

/// axisName() in words: the known names of parameters can be said in another language.
Phrase axisPhrase(std::string_view axis);

/// A value beside the name of its axis: text without quotation marks, anything else as JSON.
std::string axisValueText(const Json& value);

/// "m=n=k=16 kernel=3": each axis of a point with its value, `between` them; empty for a point without axes.
std::string pointName(const Json& point, std::string_view between = " ");
/// The same in words.
Phrase pointPhrase(const Json& point, std::string_view between = " ");

} // namespace heteroscope
