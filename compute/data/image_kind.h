// SPDX-License-Identifier: Apache-2.0
// Which of the image formats a file is of, by its first bytes, and the words for one that is damaged. One
// thread for each stream.
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <istream>
#include <string>

namespace heteroscope::compute {

enum class ImageKind { Unknown, Png, Jpeg, Bmp, Pnm };

/// The stream is left at its beginning.
ImageKind imageKindOf(std::istream& stream);
const char* nameOfImageKind(ImageKind kind);

/// Of a stream that can be moved in; it is left anywhere.
std::int64_t bytesOfStream(std::istream& stream);

/// BadInput, with the advice to copy or write the file again.
Error damagedImage(const std::string& name, std::int64_t at, std::string message, std::string allowed = {});

} // namespace heteroscope::compute
