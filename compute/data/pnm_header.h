// SPDX-License-Identifier: Apache-2.0
// Looks over a PGM or PPM file before it is decoded: stb_image up to 2.27 lets the numbers of the header
// overflow, and no version tells when pixels are missing. One thread for each stream.
#pragma once

#include "compute/base/result.h"

#include <istream>
#include <string>

namespace heteroscope::compute {

// All take a whole stream, which is left anywhere. What is no PGM or PPM passes: decoding says what it is.
// Errors (BadInput) tell `name` and the byte.

/// The three numbers of the header: there, of at most nine digits, and a largest value that is one.
Status checkPnmHeader(std::istream& stream, const std::string& name);
/// Behind the header: its pixels and no more than a line end. The size is one that may be decoded.
Status checkPnmLength(std::istream& stream, const std::string& name);
/// No value is above the largest one. Reads all pixels, unless any value is allowed.
Status checkPnmValues(std::istream& stream, const std::string& name);

} // namespace heteroscope::compute
