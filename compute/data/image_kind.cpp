// SPDX-License-Identifier: Apache-2.0
#include "compute/data/image_kind.h"

#include <array>
#include <string_view>

namespace heteroscope::compute {

ImageKind imageKindOf(std::istream& stream) {
    std::array<char, 4> bytes{};
    stream.clear();
    stream.seekg(0);
    stream.read(bytes.data(), bytes.size());
    const std::string_view start(bytes.data(), static_cast<std::size_t>(stream.gcount()));
    int jpeg = 0xff; // of the first marker: more bytes 0xff may stand before it
    stream.clear();
    stream.seekg(0);
    while (start.starts_with('\xff') && jpeg == 0xff)
        jpeg = stream.get();
    stream.clear();
    stream.seekg(0);
    if (start == "\x89PNG")
        return ImageKind::Png;
    if (jpeg == 0xd8)
        return ImageKind::Jpeg;
    if (start.starts_with("BM"))
        return ImageKind::Bmp;
    return start.starts_with("P5") || start.starts_with("P6") ? ImageKind::Pnm : ImageKind::Unknown;
}

const char* nameOfImageKind(ImageKind kind) {
    switch (kind) {
    case ImageKind::Png:
        return "PNG";
    case ImageKind::Jpeg:
        return "JPEG";
    case ImageKind::Bmp:
        return "BMP";
    case ImageKind::Pnm:
        return "PGM or PPM";
    default:
        return "image";
    }
}

std::int64_t bytesOfStream(std::istream& stream) {
    stream.clear();
    stream.seekg(0, std::ios::end);
    return static_cast<std::int64_t>(stream.tellg());
}

Error damagedImage(const std::string& name, std::int64_t at, std::string message, std::string allowed) {
    return badInput(name + ", byte " + std::to_string(at), std::move(message), std::move(allowed),
                    "copy or write the file again");
}

} // namespace heteroscope::compute
