// SPDX-License-Identifier: Apache-2.0
#include "compute/data/png_chunks.h"

#include "compute/base/units.h"
#include "compute/data/image_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <zlib.h>

namespace heteroscope::compute {
namespace {

constexpr std::string_view kPngSignature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::int64_t kChunkHeadBytes = 8, kChecksumBytes = 4;
constexpr std::int64_t kMostChunks = 1000000; ///< of 8 KiB, as writers make them, for eight times the pixels

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

/// To `at`, by reading on where that is near: a seek reads the buffer anew, and chunks may be empty.
void moveTo(std::istream& stream, std::int64_t at) {
    constexpr std::int64_t kNear = 64;
    const std::int64_t ahead = at - static_cast<std::int64_t>(stream.tellg());
    if (!stream || ahead < 0 || ahead > kNear)
        stream.seekg(at);
    else
        stream.ignore(ahead);
}

/// The chunk at `at`; nothing where no head is.
std::optional<Chunk> chunkAt(std::istream& stream, std::int64_t at) {
    std::array<char, kChunkHeadBytes> head{};
    moveTo(stream, at);
    if (!stream.read(head.data(), head.size()))
        return std::nullopt;
    return Chunk{at, bigEndian(head.data()), std::string(head.data() + 4, 4)};
}

/// Letters, says the format: zeros would be read as empty chunks to the end of the file.
bool hasType(const Chunk& chunk) {
    return std::all_of(chunk.type.begin(), chunk.type.end(),
                       [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
}

/// Hands the chunk's data to `take` in pieces, until it returns false; false when the file ends before.
bool readData(std::istream& stream, const Chunk& chunk,
              const std::function<bool(const unsigned char*, unsigned)>& take) {
    std::array<char, 65536> piece; // not cleared: a chunk may be empty
    moveTo(stream, chunk.dataAt());
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
    std::int64_t chunks = 0;
    for (auto chunk = chunkAt(stream, kChunkHeadBytes); chunk; chunk = chunkAt(stream, chunk->end())) {
        if (!hasType(*chunk))
            return first ? damagedImage(name, chunk->at, "no part of a PNG file begins here") : first;
        if (++chunks > kMostChunks)
            return damagedImage(name, chunk->at, "the picture has more parts than it can need",
                                "at most " + std::to_string(kMostChunks));
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

namespace {

/// What the header (IHDR) says of the rows.
struct PngRows {
    std::int64_t width = 0, height = 0, bitsOfPixel = 0;
    bool interlaced = false;

    /// With the filter's byte before each row; a pass without pixels has no rows.
    std::int64_t bytes() const {
        if (!interlaced)
            return bytesOf(width, height);
        struct Pass {
            std::int64_t x, y, dx, dy;
        };
        constexpr Pass kPasses[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                    {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
        std::int64_t all = 0;
        for (const Pass& pass : kPasses)
            all +=
                bytesOf((width - pass.x + pass.dx - 1) / pass.dx, (height - pass.y + pass.dy - 1) / pass.dy);
        return all;
    }
    std::string sizeText() const {
        return std::to_string(width) + " x " + std::to_string(height) + " pixels";
    }

  private:
    std::int64_t bytesOf(std::int64_t w, std::int64_t h) const {
        return w > 0 && h > 0 ? h * (1 + (w * bitsOfPixel + 7) / 8) : 0;
    }
};

PngRows readPngRows(std::istream& stream, const Chunk& header) {
    std::array<char, 13> data{};
    stream.seekg(header.dataAt());
    stream.read(data.data(), data.size());
    constexpr std::array<std::int64_t, 7> kChannels{1, 0, 3, 1, 2, 0, 4};
    const auto colour = static_cast<unsigned char>(data[9]);
    const std::int64_t channels = colour < kChannels.size() ? kChannels[colour] : 0;
    return {bigEndian(data.data()), bigEndian(data.data() + 4),
            channels * static_cast<unsigned char>(data[8]), data[12] != 0};
}

/// The compressed data, piece by piece: what comes out is counted, against what the header asks for.
class PngData {
  public:
    PngData(std::istream& stream, const std::string& name) : m_stream(stream), m_name(name) {}
    ~PngData() {
        if (m_begun)
            inflateEnd(&m_packed);
    }
    PngData(const PngData&) = delete;
    PngData& operator=(const PngData&) = delete;

    Status run() {
        for (auto chunk = chunkAt(m_stream, kChunkHeadBytes); chunk && chunk->type != "IEND";
             chunk = chunkAt(m_stream, chunk->end())) {
            if (chunk->type == "CgBI")
                m_plain = true;
            else if (chunk->type == "IHDR")
                m_rows = readPngRows(m_stream, *chunk);
            else if (chunk->type == "IDAT")
                if (const Status status = take(*chunk); !status)
                    return status;
        }
        if (m_outcome != Z_STREAM_END)
            return damagedImage(m_name, kChunkHeadBytes,
                                "the picture's compressed data end before their checksum");
        return m_unpacked == m_rows.bytes() ? Status() : Status(wrongSize(m_firstAt, "only "));
    }

  private:
    Error wrongSize(std::int64_t at, const std::string& word) const {
        return damagedImage(m_name, at,
                            "the picture's compressed data hold " + word + count(m_unpacked) + ", its " +
                                m_rows.sizeText() + " need " + count(m_rows.bytes()));
    }
    static std::string count(std::int64_t bytes) { return formatBytes(static_cast<double>(bytes)); }

    Status take(const Chunk& chunk) {
        if (m_firstAt == 0)
            m_firstAt = chunk.at;
        m_stored += chunk.length;
        if (const std::int64_t most = kFewBytes + kMostStoredPerByte * m_rows.bytes(); m_stored > most)
            return damagedImage(m_name, chunk.at,
                                "the picture has " + count(m_stored) + " of compressed data or more",
                                "at most " + count(most) + " for " + m_rows.sizeText());
        if (chunk.length > 0 && m_outcome == Z_STREAM_END)
            return moreFollows(chunk.dataAt());
        if (!m_begun && inflateInit2(&m_packed, m_plain ? -MAX_WBITS : MAX_WBITS) != Z_OK)
            return Error{ErrorCode::OutOfMemory, "there is no memory to unpack it", m_name, {}, {}};
        m_begun = true;
        Status status;
        std::int64_t at = chunk.dataAt();
        readData(m_stream, chunk, [&](const unsigned char* bytes, unsigned size) {
            status = unpack(chunk, at, bytes, size);
            at += size;
            return status.ok();
        });
        return status;
    }

    Error moreFollows(std::int64_t at) const {
        return damagedImage(m_name, at, "more bytes follow than the end of the picture's compressed data");
    }

    Status unpack(const Chunk& chunk, std::int64_t at, const unsigned char* bytes, unsigned size) {
        std::array<unsigned char, 65536> unpacked{};
        m_packed.next_in = const_cast<unsigned char*>(bytes);
        m_packed.avail_in = size;
        do {
            m_packed.next_out = unpacked.data();
            m_packed.avail_out = static_cast<unsigned>(unpacked.size());
            m_outcome = inflate(&m_packed, Z_NO_FLUSH);
            m_unpacked += static_cast<std::int64_t>(unpacked.size() - m_packed.avail_out);
            if (m_unpacked > m_rows.bytes())
                return wrongSize(chunk.at, "more than ");
        } while (m_outcome == Z_OK && (m_packed.avail_in > 0 || m_packed.avail_out == 0));
        if (m_outcome == Z_STREAM_END && m_packed.avail_in > 0)
            return moreFollows(at + size - m_packed.avail_in);
        if (m_outcome == Z_OK || m_outcome == Z_BUF_ERROR || m_outcome == Z_STREAM_END)
            return {};
        return damagedImage(m_name, chunk.at,
                            std::string("the picture's compressed data are wrong: ") +
                                (m_packed.msg ? m_packed.msg : "they need a dictionary"));
    }

    /// Blocks of one byte each take six.
    static constexpr std::int64_t kFewBytes = 65536, kMostStoredPerByte = 8;

    std::istream& m_stream;
    const std::string& m_name;
    PngRows m_rows;
    z_stream m_packed{};
    bool m_begun = false;
    bool m_plain = false; ///< Apple's variant: its data have no checksum
    int m_outcome = Z_OK;
    std::int64_t m_firstAt = 0, m_stored = 0, m_unpacked = 0;
};

} // namespace

Status checkPngData(std::istream& stream, const std::string& name) {
    stream.clear();
    return isPng(stream) ? PngData(stream, name).run() : Status();
}

} // namespace heteroscope::compute
