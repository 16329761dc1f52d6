// SPDX-License-Identifier: Apache-2.0
#include "compute/data/bmp_header.h"

#include "compute/base/units.h"
#include "compute/data/image_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kFileHeadBytes = 14, kOldHeadBytes = 12, kCommonHeadBytes = 40, kNewestHeadBytes = 124;
constexpr std::int64_t kMaskBytes = 12, kColourBytes = 4, kMostBmpPadding = 3;
constexpr std::int64_t kPlainPixels = 0, kMaskedPixels = 3; ///< of the field for the compression
/// Of a colour profile in the newest header: the values say that it lies in the file, or a link to one.
constexpr std::uint32_t kEmbeddedProfile = 0x4d424544, kLinkedProfile = 0x4c494e4b;

struct BmpHeader {
    std::int64_t fileBytes = 0; ///< as the header says; 0: it does not
    std::int64_t dataAt = 0, headBytes = 0, width = 0, height = 0, bits = 0, compression = 0;
    std::int64_t imageBytes = 0; ///< as the header says; 0: it does not
    std::int64_t profileEnd = 0; ///< 0: there is none

    /// Where colours or pixels begin at the earliest.
    std::int64_t headEnd() const {
        const bool masks = compression == kMaskedPixels && headBytes == kCommonHeadBytes;
        return kFileHeadBytes + headBytes + (masks ? kMaskBytes : 0);
    }
    bool hasPalette() const { return bits < 16; }
    /// Rows begin at multiples of four bytes.
    std::int64_t rowBytes() const { return (width * bits + 31) / 32 * 4; }
    std::int64_t pixelsEnd() const { return dataAt + rowBytes() * height; }
};

/// Numbers of two and four bytes; 0 behind the end.
class LittleBytes {
  public:
    explicit LittleBytes(std::istream& stream) {
        stream.read(m_bytes.data(), std::ssize(m_bytes));
        stream.clear();
    }
    std::int64_t half(std::size_t at) const { return byte(at) | byte(at + 1) << 8; }
    std::uint32_t word(std::size_t at) const {
        return static_cast<std::uint32_t>(half(at) | half(at + 2) << 16);
    }

  private:
    std::int64_t byte(std::size_t at) const { return static_cast<unsigned char>(m_bytes[at]); }
    std::array<char, kFileHeadBytes + kNewestHeadBytes> m_bytes{};
};

/// Nothing of what is no BMP.
std::optional<BmpHeader> readBmpHeader(std::istream& stream) {
    if (imageKindOf(stream) != ImageKind::Bmp)
        return std::nullopt;
    const LittleBytes bytes(stream);
    BmpHeader header{bytes.word(2), bytes.word(10), bytes.word(14)};
    if (header.headBytes == kOldHeadBytes) {
        header.width = bytes.half(18);
        header.height = bytes.half(20);
        header.bits = bytes.half(24);
        return header;
    }
    header.width = bytes.word(18);
    header.height = std::abs(std::int64_t{static_cast<std::int32_t>(bytes.word(22))}); // below 0: top down
    header.bits = bytes.half(28);
    header.compression = bytes.word(30);
    header.imageBytes = bytes.word(34);
    const std::uint32_t colours = bytes.word(70);
    if (header.headBytes == kNewestHeadBytes && (colours == kEmbeddedProfile || colours == kLinkedProfile))
        header.profileEnd = kFileHeadBytes + std::int64_t{bytes.word(126)} + std::int64_t{bytes.word(130)};
    return header;
}

std::string sizeText(std::int64_t bytes) {
    return formatBytes(static_cast<double>(bytes));
}

/// The least that its header promises, against what is there.
Status checkBmpEnd(const BmpHeader& header, std::int64_t end, const std::string& name) {
    const std::int64_t needed = std::max(header.pixelsEnd(), header.dataAt + header.imageBytes);
    if (end < needed)
        return damagedImage(name, end,
                            "the file ends after " +
                                sizeText(std::max<std::int64_t>(end - header.dataAt, 0)) +
                                " of pixels, its header promises " + sizeText(needed - header.dataAt));
    if (header.imageBytes > 0 && header.imageBytes < header.pixelsEnd() - header.dataAt)
        return damagedImage(name, 34,
                            "the header promises " + sizeText(header.imageBytes) +
                                " of pixels, its size asks for " +
                                sizeText(header.pixelsEnd() - header.dataAt));
    if (end < header.profileEnd)
        return damagedImage(name, end, "the file ends inside its colour profile");
    return {};
}

/// Some programs fill the file up to a multiple of four bytes.
bool isBmpPadding(std::istream& stream, std::int64_t from, std::int64_t end) {
    if (end - from > kMostBmpPadding)
        return false;
    stream.seekg(from);
    for (std::int64_t at = from; at < end; ++at)
        if (stream.get() != 0)
            return false;
    return true;
}

} // namespace

Status checkBmpHeader(std::istream& stream, const std::string& name) {
    const auto header = readBmpHeader(stream);
    if (!header)
        return {};
    const std::int64_t end = bytesOfStream(stream);
    if (end < kFileHeadBytes + kOldHeadBytes ||
        end < kFileHeadBytes + std::min(header->headBytes, kCommonHeadBytes))
        return damagedImage(name, end, "the file ends inside its header");
    constexpr std::array<std::int64_t, 5> kKnownHeads{kOldHeadBytes, kCommonHeadBytes, 56, 108,
                                                      kNewestHeadBytes};
    if (std::find(kKnownHeads.begin(), kKnownHeads.end(), header->headBytes) == kKnownHeads.end())
        return damagedImage(name, 14, "the header has " + std::to_string(header->headBytes) + " bytes",
                            "12, 40, 56, 108 or 124");
    if (end < header->headEnd())
        return damagedImage(name, end, "the file ends inside its header");
    const bool masked = header->compression == kMaskedPixels && (header->bits == 16 || header->bits == 32);
    if (header->compression != kPlainPixels && !masked)
        return badInput(name + ", byte 30",
                        "the pixels are compressed or of an unknown form (" +
                            std::to_string(header->compression) + ")",
                        "plain pixels", "write the picture without compression, or as PNG");
    constexpr std::array<std::int64_t, 6> kKnownBits{1, 4, 8, 16, 24, 32};
    if (std::find(kKnownBits.begin(), kKnownBits.end(), header->bits) == kKnownBits.end())
        return damagedImage(name, header->headBytes == kOldHeadBytes ? 24 : 28,
                            "a pixel has " + std::to_string(header->bits) + " bits", "1, 4, 8, 16, 24 or 32");
    if (header->hasPalette() && header->headBytes == kOldHeadBytes) // stb_image miscounts their colours
        return badInput(name + ", byte 14", "it is a BMP of OS/2 with a palette", "BMP of Windows",
                        "write the picture again, as PNG for one");
    return {};
}

Status checkBmpLength(std::istream& stream, const std::string& name) {
    const auto header = readBmpHeader(stream);
    if (!header)
        return {};
    const std::int64_t end = bytesOfStream(stream);
    if (header->dataAt < header->headEnd() + (header->hasPalette() ? kColourBytes : 0) ||
        header->dataAt > end)
        return damagedImage(name, 10, "the pixels begin at byte " + std::to_string(header->dataAt),
                            "behind the header and the palette, inside the file's " + sizeText(end));
    if (const Status status = checkBmpEnd(*header, end, name); !status)
        return status;
    const std::int64_t last =
        std::max({header->pixelsEnd(), header->dataAt + header->imageBytes, header->profileEnd});
    const bool lengthFits = header->fileBytes == 0 || header->fileBytes == end;
    if (end > last && (!isBmpPadding(stream, last, end) || (!lengthFits && header->fileBytes != last)))
        return damagedImage(name, last, "more bytes follow than the header says");
    if (!lengthFits && header->fileBytes != last)
        return damagedImage(name, 2,
                            "the header says that the file has " + sizeText(header->fileBytes) + ", it has " +
                                sizeText(end));
    return {};
}

Status checkBmpColours(std::istream& stream, const std::string& name) {
    const auto header = readBmpHeader(stream);
    if (!header || !header->hasPalette())
        return {};
    const std::int64_t colours = (header->dataAt - header->headEnd()) / kColourBytes;
    const std::int64_t perByte = 8 / header->bits, mask = (1 << header->bits) - 1;
    if (colours > mask)
        return {};
    std::vector<char> row(static_cast<std::size_t>(header->rowBytes()));
    stream.seekg(header->dataAt);
    for (std::int64_t y = 0; y < header->height; ++y) {
        stream.read(row.data(), std::ssize(row));
        for (std::int64_t x = 0; x < header->width; ++x) {
            const auto byte = static_cast<unsigned char>(row[static_cast<std::size_t>(x / perByte)]);
            const std::int64_t colour = byte >> (8 - header->bits * (x % perByte + 1)) & mask;
            if (colour >= colours)
                return damagedImage(name, header->dataAt + y * header->rowBytes() + x / perByte,
                                    "a pixel has colour " + std::to_string(colour),
                                    "0 to " + std::to_string(colours - 1) + ", those of the palette");
        }
    }
    return {};
}

} // namespace heteroscope::compute
