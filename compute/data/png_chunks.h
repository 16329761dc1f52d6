// SPDX-License-Identifier: Apache-2.0
// Looks over the chunks of a PNG file before it is decoded: stb_image allocates what a chunk of pixels
// claims, up to 1 GiB, before it reads it. One thread for each stream.
#pragma once

#include "compute/base/result.h"

#include <istream>
#include <string>

namespace heteroscope::compute {

/// Of the whole stream, which stands at its beginning and is left anywhere. What is no PNG passes: decoding
/// says what it is. Errors (BadInput): `name` and the byte of a chunk that claims more than is left.
Status checkPngChunks(std::istream& stream, const std::string& name);

} // namespace heteroscope::compute
