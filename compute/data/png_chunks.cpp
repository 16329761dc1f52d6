// SPDX-License-Identifier: Apache-2.0
#include "compute/data/png_chunks.h"

#include "compute/base/units.h"
#include "compute/data/image_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <zlib.h>

namespace heteroscope::compute {
namespace {

constexpr std::string_view kPngSignature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::int64_t kChunkHeadBytes = 8, kChecksumBytes = 4;

std::int64_t bigEndian(const char* bytes) {
    std::int64_t value = 0;
    for (int i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Where a chunk begins, and what its head says.
struct Chunk {
    std::int64_t at = 0, length = 0;
    std::string type;
    std::int64_t dataAt() const { return at + kChunkHeadBytes; }
    std::int64_t end() const { return dataAt() + length + kChecksumBytes; }
};

bool isPng(std::istream& stream) {
    std::array<char, kPngSignature.size()> head{};
    stream.seekg(0);
    return stream.read(head.data(), head.size()) &&
           std::string_view(head.data(), head.size()) == kPngSignature;
}

/// The chunk at `at`; nothing where no head is.
std::optional<Chunk> chunkAt(std::istream& stream, std::int64_t at) {
    std::array<char, kChunkHeadBytes> head{};
    if (!stream.seekg(at) || !stream.read(head.data(), head.size()))
        return std::nullopt;
    return Chunk{at, bigEndian(head.data()), std::string(head.data() + 4, 4)};
}

/// Hands the chunk's data to `take` in pieces, until it returns false; false when the file ends before.
bool readData(std::istream& stream, const Chunk& chunk,
              const std::function<bool(const unsigned char*, unsigned)>& take) {
    std::array<char, 65536> piece{};
    stream.seekg(chunk.dataAt());
    for (std::int64_t left = chunk.length; left > 0;) {
        const std::int64_t wanted = std::min<std::int64_t>(left, std::ssize(piece));
        if (!stream.read(piece.data(), wanted))
            return false;
        if (!take(reinterpret_cast<const unsigned char*>(piece.data()), static_cast<unsigned>(wanted)))
            return true;
        left -= wanted;
    }
    return true;
}

Status checkChecksum(std::istream& stream, const Chunk& chunk, const std::string& name) {
    uLong sum = crc32(0, reinterpret_cast<const unsigned char*>(chunk.type.data()), 4);
    std::array<char, kChecksumBytes> stored{};
    const bool whole = readData(stream, chunk,
                                [&](const unsigned char* bytes, unsigned count) {
                                    sum = crc32(sum, bytes, count);
                                    return true;
                                }) &&
                       stream.read(stored.data(), stored.size());
    if (!whole)
        return damagedImage(name, chunk.at,
                            "the PNG file is damaged or cut off: the file ends inside a part of the picture");
    if (static_cast<std::int64_t>(sum) == bigEndian(stored.data()))
        return {};
    return damagedImage(name, chunk.at,
                        "the checksum of a part of the picture (" + chunk.type + ") is wrong");
}

} // namespace

Status checkPngChunks(std::istream& stream, const std::string& name) {
    stream.seekg(0, std::ios::end);
    const auto end = static_cast<std::int64_t>(stream.tellg());
    if (!isPng(stream))
        return {};
    std::optional<Chunk> last;
    Status first; // a length that lies explains more than a checksum before it
    for (auto chunk = chunkAt(stream, kChunkHeadBytes); chunk; chunk = chunkAt(stream, chunk->end())) {
        const std::int64_t left = end - chunk->dataAt();
        if (chunk->type == "IDAT" && chunk->length > left)
            return damagedImage(name, chunk->at,
                                "a part of the picture claims " +
                                    formatBytes(static_cast<double>(chunk->length)) + ", the file has " +
                                    formatBytes(static_cast<double>(left)) + " more");
        if (first)
            first = checkChecksum(stream, *chunk, name);
        stream.clear();
        last = *chunk;
        if (chunk->type == "IEND")
            break;
    }
    if (!first)
        return first;
    if (!last)
        return damagedImage(name, end, "the PNG file is damaged or cut off: it has no parts");
    if (last->type != "IEND")
        return damagedImage(name, end,
                            "the PNG file is damaged or cut off: it ends before its last part (IEND)");
    if (last->end() < end)
        return damagedImage(name, last->end(), "more bytes follow than the end of the picture (IEND)");
    return first;
}

Status checkPngData(std::istream& stream, const std::string& name) {
    stream.clear();
    if (!isPng(stream))
        return {};
    z_stream packed{};
    const std::unique_ptr<z_stream, int (*)(z_stream*)> owner(&packed, inflateEnd);
    if (inflateInit(&packed) != Z_OK)
        return Error{ErrorCode::OutOfMemory, "there is no memory to unpack it", name, {}, {}};
    std::array<unsigned char, 65536> unpacked{};
    int outcome = Z_OK;
    for (auto chunk = chunkAt(stream, kChunkHeadBytes); chunk; chunk = chunkAt(stream, chunk->end())) {
        if (chunk->type == "CgBI") // Apple's variant: its data have no checksum
            return {};
        if (chunk->type == "IEND")
            break;
        if (chunk->type != "IDAT")
            continue;
        readData(stream, *chunk, [&](const unsigned char* bytes, unsigned count) {
            packed.next_in = const_cast<unsigned char*>(bytes);
            packed.avail_in = count;
            do {
                packed.next_out = unpacked.data();
                packed.avail_out = static_cast<unsigned>(unpacked.size());
                outcome = inflate(&packed, Z_NO_FLUSH);
            } while (outcome == Z_OK && (packed.avail_in > 0 || packed.avail_out == 0));
            return outcome == Z_OK || outcome == Z_BUF_ERROR;
        });
        if (outcome == Z_STREAM_END)
            return {};
        if (outcome != Z_OK && outcome != Z_BUF_ERROR)
            return damagedImage(name, chunk->at,
                                std::string("the picture's compressed data are wrong: ") +
                                    (packed.msg ? packed.msg : "they need a dictionary"));
    }
    return damagedImage(name, kChunkHeadBytes, "the picture's compressed data end before their checksum");
}

} // namespace heteroscope::compute
