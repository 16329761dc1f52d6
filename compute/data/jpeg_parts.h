// SPDX-License-Identifier: Apache-2.0
// Looks over the parts of a JPEG file before it is decoded: stb_image takes what a scan does not fill, and
// tables that are not there, from what lies in memory, and reads nothing behind the end marker. One thread
// for each stream.
#pragma once

#include "compute/base/result.h"

#include <istream>
#include <string>

namespace heteroscope::compute {

/// Of the whole stream, which is left anywhere. What is no JPEG passes: decoding says what it is. Errors
/// (BadInput): `name` and the byte where the file ends before the picture's end marker, where a part is too
/// short or what it needs is missing, or where another picture follows that the file does not announce (MPF).
/// What else follows is nobody's loss: cameras and phones append zeros, films and data of their own.
Status checkJpegParts(std::istream& stream, const std::string& name);

} // namespace heteroscope::compute
