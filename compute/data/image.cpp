// SPDX-License-Identifier: Apache-2.0
// Images through stb_image, read by callbacks so that an error can say how far reading came.
#include "compute/data/image.h"

#include "compute/base/file_kind.h"
#include "compute/base/units.h"
#include "compute/data/bmp_header.h"
#include "compute/data/image_kind.h"
#include "compute/data/image_memory.h"
#include "compute/data/jpeg_parts.h"
#include "compute/data/jpeg_tables.h"
#include "compute/data/png_chunks.h"
#include "compute/data/pnm_header.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <memory>

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_NO_STDIO
#define STBI_NO_HDR
#define STBI_NO_LINEAR
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_PNM
#define STBI_MAX_DIMENSIONS 65536
// Compressed data of a small picture may unpack to gigabytes: what the library allocates is charged.
#define STBI_MALLOC(bytes) heteroscope::compute::imageMalloc(bytes)
#define STBI_REALLOC(block, bytes) heteroscope::compute::imageRealloc(block, bytes)
#define STBI_FREE(block) heteroscope::compute::imageFree(block)
// Where the first IDAT of a PNG file is empty, the library hands memcpy a null pointer and 0 bytes.
#ifdef __clang__
#pragma clang attribute push(__attribute__((no_sanitize("nonnull-attribute"))), apply_to = function)
#endif
#include <stb/stb_image.h>
#ifdef __clang__
#pragma clang attribute pop
#endif

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kMaxPixels = std::int64_t{1} << 27;
constexpr std::int64_t kMaxFileBytes = std::int64_t{1} << 31; ///< twice what so many pixels take at most
constexpr const char* kFormats = "PNG, JPEG, BMP, PGM or PPM";

std::ifstream& streamOf(void* user) {
    return *static_cast<std::ifstream*>(user);
}

int readBytes(void* user, char* data, int size) {
    return static_cast<int>(streamOf(user).read(data, size).gcount());
}

void skipBytes(void* user, int count) {
    streamOf(user).clear();
    streamOf(user).seekg(count, std::ios::cur);
}

int atEnd(void* user) {
    return streamOf(user).peek() == std::ifstream::traits_type::eof() ? 1 : 0;
}

constexpr stbi_io_callbacks kCallbacks{readBytes, skipBytes, atEnd};

struct FreePixels {
    void operator()(void* pixels) const { stbi_image_free(pixels); }
};

/// The decoder's own words; none where it had none, or put bytes of the file into them.
std::string decoderReason() {
    const char* const reason = stbi_failure_reason();
    std::string text = reason ? reason : "";
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return plain ? text : std::string();
}

Error decodeError(const std::filesystem::path& file, std::ifstream& stream) {
    stream.clear();
    const auto position = static_cast<std::int64_t>(stream.tellg());
    const std::string reason = decoderReason();
    return damagedImage(file.string(), position,
                        std::string("the ") + nameOfImageKind(imageKindOf(stream)) +
                            " file is damaged or cut off, or of a form that is not read" +
                            (reason.empty() ? "" : ": " + reason));
}

/// Of a file that begins as none of the formats does.
Error unknownKind(const std::filesystem::path& file, std::ifstream& stream) {
    const std::string place = file.string() + ", byte 0";
    if (bytesOfStream(stream) == 0)
        return badInput(place, "the file is empty", kFormats, "copy or write the file again");
    stream.seekg(0);
    const int first = stream.get(), second = stream.get();
    if (first == 'P' && second >= '1' && second <= '7')
        return badInput(place,
                        std::string("the picture is one of P") + static_cast<char>(second) +
                            (second < '4' ? ", with its pixels as text" : ""),
                        "P5 (PGM) or P6 (PPM), with their pixels as bytes",
                        "write the picture as one of them");
    return badInput(place, "cannot be read as an image: unknown image type", kFormats);
}

Result<std::unique_ptr<std::ifstream>> openFile(const std::filesystem::path& file) {
    if (const Status status = requireRegularFile(file, kFormats); !status)
        return status.error();
    auto stream = std::make_unique<std::ifstream>(file, std::ios::binary);
    if (!*stream)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be opened", errno, {},
                             "check the permissions of the file");
    if (const std::int64_t bytes = bytesOfStream(*stream); bytes > kMaxFileBytes)
        return badInput(file.string(), "the file has " + formatBytes(static_cast<double>(bytes)),
                        "at most " + formatBytes(static_cast<double>(kMaxFileBytes)));
    stream->seekg(0);
    return stream;
}

struct ImageInfo {
    int width = 0, height = 0;
    bool wide = false; ///< 16 bits a channel
};

/// Asks the decoder of the file's kind alone: the others would find their own words for it.
Status readSize(const std::filesystem::path& file, std::ifstream& stream, ImageInfo& info) {
    const ImageKind kind = imageKindOf(stream);
    if (kind == ImageKind::Unknown)
        return unknownKind(file, stream);
    stbi__g_failure_reason = nullptr;
    stbi__context context;
    stbi__start_callbacks(&context, const_cast<stbi_io_callbacks*>(&kCallbacks), &stream);
    int channels = 0;
    const auto ask = kind == ImageKind::Png    ? stbi__png_info
                     : kind == ImageKind::Jpeg ? stbi__jpeg_info
                     : kind == ImageKind::Bmp  ? stbi__bmp_info
                                               : stbi__pnm_info;
    if (!ask(&context, &info.width, &info.height, &channels))
        return decodeError(file, stream);
    if (kind == ImageKind::Bmp && info.height > std::numeric_limits<int>::min())
        info.height = std::abs(info.height); // below 0: the rows go from top to bottom
    return {};
}

using Check = Status (*)(std::istream& stream, const std::string& name);

/// Each from the beginning of the stream, which is left there.
Status runChecks(std::initializer_list<Check> checks, const std::filesystem::path& file,
                 std::ifstream& stream) {
    for (const Check check : checks) {
        const Status status = check(stream, file.string());
        stream.clear();
        stream.seekg(0);
        if (!status)
            return status;
    }
    return {};
}

Result<ImageInfo> readInfo(const std::filesystem::path& file, std::ifstream& stream) {
    const Status whole = runChecks(
        {checkJpegTables, checkJpegParts, checkPngChunks, checkPnmHeader, checkBmpHeader}, file, stream);
    if (!whole)
        return whole.error();
    ImageInfo info;
    if (const Status status = readSize(file, stream, info); !status)
        return status.error();
    if (info.width < 1 || info.height < 1)
        return badInput(file.string(), "the image is empty");
    if (std::int64_t{info.width} * info.height > kMaxPixels)
        return badInput(file.string(),
                        "the image has " + std::to_string(info.width) + " x " + std::to_string(info.height) +
                            " pixels",
                        "at most " + std::to_string(kMaxPixels) + " pixels");
    if (const Status status = runChecks({checkPnmLength, checkBmpLength}, file, stream); !status)
        return status.error();
    info.wide = stbi_is_16_bit_from_callbacks(&kCallbacks, &stream) != 0;
    stream.clear();
    stream.seekg(0);
    return info;
}

/// Some versions of stb_image leave 16-bit PGM and PPM values in the file's byte order: whether this one
/// does.
bool leavesPnmBigEndian() {
    static const bool leaves = [] {
        constexpr unsigned char kProbe[] = {'P', '5', '\n', '1', ' ',  '1', '\n', '6',
                                            '5', '5', '3',  '5', '\n', 1,   0};
        int width = 0, height = 0, channels = 0;
        const std::unique_ptr<stbi_us, FreePixels> pixel(
            stbi_load_16_from_memory(kProbe, sizeof kProbe, &width, &height, &channels, 1));
        return pixel && *pixel == 1;
    }();
    return leaves;
}

void correctByteOrder(std::ifstream& stream, std::uint16_t* pixels, std::size_t count) {
    stream.clear();
    stream.seekg(0);
    if (stream.get() != 'P' || !leavesPnmBigEndian())
        return;
    for (std::size_t i = 0; i < count; ++i)
        pixels[i] = static_cast<std::uint16_t>((pixels[i] << 8) | (pixels[i] >> 8));
}

/// Interleaved pixels to one plane a channel.
void splitPlanes(const std::uint8_t* pixels, ImagePlanes& image) {
    const auto plane = static_cast<std::size_t>(image.shape.h * image.shape.w);
    const auto channels = static_cast<std::size_t>(image.shape.c);
    for (std::size_t channel = 0; channel < channels; ++channel)
        for (std::size_t i = 0; i < plane; ++i)
            image.values[channel * plane + i] = static_cast<float>(pixels[i * channels + channel]);
}

Status decodeNarrow(const std::filesystem::path& file, std::ifstream& stream, ImagePlanes& image) {
    int width = 0, height = 0, channels = 0;
    stbi__g_failure_reason = nullptr;
    const std::unique_ptr<stbi_uc, FreePixels> pixels(stbi_load_from_callbacks(
        &kCallbacks, &stream, &width, &height, &channels, static_cast<int>(image.shape.c)));
    if (!pixels || width != image.shape.w || height != image.shape.h)
        return decodeError(file, stream);
    image.values.resize(static_cast<std::size_t>(*image.shape.elements()));
    splitPlanes(pixels.get(), image);
    return {};
}

/// One pixel of 1 to 4 stored channels (grey, grey and alpha, RGB, RGBA) as channel `wanted` of grey or RGB.
float channelOf(const std::uint16_t* pixel, int stored, bool grey, std::size_t wanted) {
    if (stored < 3)
        return pixel[0];
    if (!grey)
        return pixel[wanted];
    return static_cast<float>((77u * pixel[0] + 150u * pixel[1] + 29u * pixel[2]) >>
                              8); // stb_image's weights
}

/// 16 bits a channel, taken as stored: the byte order has to be right before channels are mixed.
Status decodeWide(const std::filesystem::path& file, std::ifstream& stream, ImagePlanes& image) {
    int width = 0, height = 0, stored = 0;
    stbi__g_failure_reason = nullptr;
    const std::unique_ptr<stbi_us, FreePixels> pixels(
        stbi_load_16_from_callbacks(&kCallbacks, &stream, &width, &height, &stored, 0));
    if (!pixels || width != image.shape.w || height != image.shape.h)
        return decodeError(file, stream);
    const auto count = static_cast<std::size_t>(image.shape.h * image.shape.w);
    correctByteOrder(stream, pixels.get(), count * static_cast<std::size_t>(stored));
    image.values.resize(static_cast<std::size_t>(*image.shape.elements()));
    for (std::size_t channel = 0; channel < static_cast<std::size_t>(image.shape.c); ++channel)
        for (std::size_t i = 0; i < count; ++i)
            image.values[channel * count + i] = channelOf(pixels.get() + i * static_cast<std::size_t>(stored),
                                                          stored, image.shape.c == 1, channel);
    return {};
}

} // namespace

Result<Shape4> imageShape(const std::filesystem::path& file, bool grey) {
    const auto stream = openFile(file);
    if (!stream)
        return stream.error();
    const auto info = readInfo(file, **stream);
    if (!info)
        return info.error();
    return Shape4{1, grey ? 1 : 3, info->height, info->width};
}

Result<ImagePlanes> readImage(const std::filesystem::path& file, bool grey) {
    MemoryBudget budget;
    return readImage(file, grey, budget);
}

Result<ImagePlanes> readImage(const std::filesystem::path& file, bool grey, MemoryBudget& budget) {
    const auto stream = openFile(file);
    if (!stream)
        return stream.error();
    ImageMemory memory(budget, file.string());
    const auto info = readInfo(file, **stream);
    if (!info)
        return memory.refusal() ? *memory.refusal() : info.error();
    ImagePlanes image{{1, grey ? 1 : 3, info->height, info->width}, {}, info->wide ? 65535.0 : 255.0};
    HeldMemory values(budget);
    if (const Status whole = runChecks({checkPngData}, file, **stream); !whole)
        return whole.error();
    const auto bytes = *image.shape.elements() * static_cast<std::int64_t>(sizeof(float));
    if (const Status status = values.add(bytes, "the image as numbers", file.string()); !status)
        return status.error();
    const Status status =
        info->wide ? decodeWide(file, **stream, image) : decodeNarrow(file, **stream, image);
    if (memory.refusal())
        return *memory.refusal();
    if (!status)
        return status.error();
    if (const Status whole = runChecks({checkPnmValues, checkBmpColours}, file, **stream); !whole)
        return whole.error();
    values.keep();
    return image;
}

} // namespace heteroscope::compute
