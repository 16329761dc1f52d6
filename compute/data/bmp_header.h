// SPDX-License-Identifier: Apache-2.0
// Looks over a BMP file before it is decoded: stb_image takes bytes behind the end as zeros, and colours that
// the palette lacks from what lies in memory. One thread for each stream.
#pragma once

#include "compute/base/result.h"

#include <istream>
#include <string>

namespace heteroscope::compute {

// All take a whole stream, which is left anywhere. What is no BMP passes: decoding says what it is. Errors
// (BadInput) tell `name` and the byte.

/// The header is there and of a form that is read.
Status checkBmpHeader(std::istream& stream, const std::string& name);
/// The sizes that the header names fit the file. The picture's size is one that may be decoded.
Status checkBmpLength(std::istream& stream, const std::string& name);
/// Each pixel's colour is in the palette. Reads all pixels, where there is a palette.
Status checkBmpColours(std::istream& stream, const std::string& name);

} // namespace heteroscope::compute
