// SPDX-License-Identifier: Apache-2.0
// Looks over the numbers in the header of a PGM or PPM file before it is decoded: stb_image up to 2.27 lets
// them overflow. One thread for each stream.
#pragma once

#include "compute/base/result.h"

#include <istream>
#include <string>

namespace heteroscope::compute {

/// Of the whole stream, which stands at its beginning and is left anywhere. What is no PGM or PPM passes:
/// decoding says what it is. Errors (BadInput): `name` and the byte of a number of more than nine digits.
Status checkPnmHeader(std::istream& stream, const std::string& name);

} // namespace heteroscope::compute
