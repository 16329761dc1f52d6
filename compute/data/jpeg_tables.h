// SPDX-License-Identifier: Apache-2.0
// Looks over the Huffman tables of a JPEG file before it is decoded: stb_image up to 2.28 writes beyond its
// own when a file claims more than 256 codes. One thread for each stream.
#pragma once

#include "compute/base/result.h"

#include <istream>
#include <string>

namespace heteroscope::compute {

/// Of the whole stream, which stands at its beginning and is left anywhere. What is no JPEG passes: decoding
/// says what it is. Errors (BadInput): `name` and the byte of a table that has more than 256 codes.
Status checkJpegTables(std::istream& stream, const std::string& name);

} // namespace heteroscope::compute
