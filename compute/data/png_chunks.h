// SPDX-License-Identifier: Apache-2.0
// Looks over the chunks of a PNG file before it is decoded: stb_image allocates what a chunk of pixels
// claims, up to 1 GiB, before it reads it, and compares no checksum. One thread for each stream.
#pragma once

#include "compute/base/result.h"

#include <istream>
#include <string>

namespace heteroscope::compute {

/// Of the whole stream, which stands at its beginning and is left anywhere. What is no PNG passes: decoding
/// says what it is. Errors (BadInput): `name` and the byte of a chunk that claims more than is left, or whose
/// checksum (CRC-32) is another one; of the end of a file without the last chunk, or of what follows it.
Status checkPngChunks(std::istream& stream, const std::string& name);

/// The compressed data of a PNG file whose header and chunks are right, before it is decoded: unpacks them
/// and keeps nothing, up to what the header's size needs. The stream is left anywhere. Errors (BadInput):
/// `name` and the byte of the chunk; data that hold more or less than that, whose checksum (Adler-32) is
/// another one, or that take far more bytes than they could need.
Status checkPngData(std::istream& stream, const std::string& name);

} // namespace heteroscope::compute
