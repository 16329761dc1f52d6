// SPDX-License-Identifier: Apache-2.0
#include "tests/support/hostile/hostile_files.h"

#include "compute/base/npy.h"
#include "profiling/stream/crc32c.h"
#include "profiling/stream/frame.h"

#include <zip.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>
#include <vector>
#include <zlib.h>

namespace heteroscope::hostile {
namespace {

constexpr std::size_t kPieceBytes = 1 << 20;

void put(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

std::string bigWord(std::uint32_t value) {
    std::string text;
    for (int shift = 24; shift >= 0; shift -= 8)
        text += static_cast<char>(value >> shift & 255);
    return text;
}

std::string littleBytes(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i) & 255);
    return text;
}

/// One part of a deflate stream that needs nothing of the parts before it, so that it may stand there many
/// times (compressing the same gigabyte would take seconds). `finish`: the last part.
std::string deflatePart(std::string_view text, bool finish) {
    z_stream stream{};
    constexpr int kWithoutHeader = -15, kMemory = 8; // of 32 KiB; zlib's own memory level
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kWithoutHeader, kMemory, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        throw std::runtime_error("zlib");
    constexpr std::size_t kFlushBytes = 16;
    std::string part(deflateBound(&stream, static_cast<uLong>(text.size())) + kFlushBytes, '\0');
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    const int code = deflate(&stream, finish ? Z_FINISH : Z_FULL_FLUSH);
    const bool whole = stream.avail_in == 0 && stream.avail_out > 0;
    part.resize(part.size() - stream.avail_out);
    deflateEnd(&stream);
    if (!whole || code != (finish ? Z_STREAM_END : Z_OK))
        throw std::runtime_error("zlib cannot compress");
    return part;
}

std::string zlibOfZeros(std::size_t bytes) {
    const std::string zeros(std::min(bytes, kPieceBytes), '\0');
    const std::string piece = deflatePart(zeros, false);
    std::string all("\x78\xda", 2); // deflate with a window of 32 KiB, best compression (RFC 1950)
    for (std::size_t left = bytes; left > 0; left -= std::min(left, zeros.size()))
        all += left >= zeros.size() ? piece : deflatePart(std::string_view(zeros).substr(0, left), false);
    all += deflatePart({}, true);
    constexpr std::uint32_t kAdlerModulus = 65521;
    return all + bigWord(static_cast<std::uint32_t>(bytes % kAdlerModulus) << 16 | 1); // Adler-32 of zeros
}

std::string pngChunk(const std::string& type, const std::string& data) {
    const std::string content = type + data;
    const auto check =
        crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()));
    return bigWord(static_cast<std::uint32_t>(data.size())) + content +
           bigWord(static_cast<std::uint32_t>(check));
}

void addToZip(zip_t* archive, const std::string& name, const void* data, std::size_t bytes) {
    zip_source_t* source = zip_source_buffer(archive, data, bytes, 0);
    if (!source || zip_file_add(archive, name.c_str(), source, ZIP_FL_OVERWRITE) < 0)
        throw std::runtime_error(zip_strerror(archive));
}

zip_t* newZip(const std::string& path) {
    int code = 0;
    zip_t* archive = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (!archive)
        throw std::runtime_error("zip");
    return archive;
}

std::string zstdOf(const std::string& text) {
    std::string packed(ZSTD_compressBound(text.size()), '\0');
    packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
    return packed;
}

} // namespace

void writeGzip(const std::string& path,
               const std::function<void(const std::function<void(std::string_view)>&)>& write) {
    gzFile file = gzopen(path.c_str(), "wb6");
    if (!file)
        throw std::runtime_error("gzopen");
    write([&](std::string_view text) { gzwrite(file, text.data(), static_cast<unsigned>(text.size())); });
    gzclose(file);
}

void writeRepeated(const std::string& path, const std::string& begin, const std::string& text,
                   std::size_t repeats, const std::string& end) {
    std::string piece;
    std::size_t inPiece = 0;
    for (; piece.size() < kPieceBytes && inPiece < repeats; ++inPiece)
        piece += text;
    std::ofstream file(path, std::ios::binary);
    file << std::string("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10); // deflate, no name, no date, Unix (RFC 1952)
    uLong check = crc32(0, nullptr, 0);
    std::uint64_t bytes = 0;
    const auto checkOf = [](std::string_view some) {
        return crc32(0, reinterpret_cast<const Bytef*>(some.data()), static_cast<uInt>(some.size()));
    };
    const auto put = [&](std::string_view some, const std::string& part, uLong checkOfSome) {
        file << part;
        check = crc32_combine(check, checkOfSome, static_cast<z_off_t>(some.size()));
        bytes += some.size();
    };
    const auto putOnce = [&](std::string_view some, bool finish) {
        put(some, deflatePart(some, finish), checkOf(some));
    };
    putOnce(begin, false);
    const std::string part = deflatePart(piece, false);
    const uLong checkOfPiece = checkOf(piece);
    std::size_t done = 0;
    for (; inPiece > 0 && done + inPiece <= repeats; done += inPiece)
        put(piece, part, checkOfPiece);
    putOnce(std::string_view(piece).substr(0, (repeats - done) * text.size()), false);
    putOnce(end, true);
    file << littleBytes(check, 4) << littleBytes(bytes, 4); // modulo 2^32
    if (!file.flush())
        throw std::runtime_error("cannot be written: " + path);
}

void writeManyTracks(const std::string& path, int tracks) {
    writeGzip(path, [&](const auto& put) {
        put("[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"p\"}}");
        for (int i = 0; i < tracks; ++i)
            put(",{\"ph\":\"X\",\"name\":\"a\",\"pid\":1,\"tid\":" + std::to_string(i) +
                ",\"ts\":1,\"dur\":1}");
        put("]");
    });
}

void writeManyArrays(const std::string& path, int arrays, std::size_t elements) {
    const std::vector<float> zeros(elements);
    const std::vector<std::int64_t> shape{static_cast<std::int64_t>(elements)};
    const auto bytes = compute::writeNpy(shape, zeros);
    zip_t* archive = newZip(path);
    for (int i = 0; i < arrays; ++i)
        addToZip(archive, "a" + std::to_string(i) + ".npy", bytes.data(), bytes.size());
    if (zip_close(archive) != 0)
        throw std::runtime_error("zip_close");
}

void writeManyEntries(const std::string& path, int entries) {
    // Local headers, the table of contents and its end, all without content: libzip itself would take
    // minutes.
    std::string local, contents;
    for (int i = 0; i < entries; ++i) {
        const std::string name = "e" + std::to_string(i), rest(8, '\0');
        const std::string common =
            littleBytes(0, 2) + littleBytes(0, 2) + littleBytes(0, 4) + littleBytes(0, 4) + rest;
        contents += "PK\1\2" + littleBytes(20, 2) + littleBytes(20, 2) + common +
                    littleBytes(name.size(), 2) + std::string(12, '\0') + littleBytes(local.size(), 4) + name;
        local +=
            "PK\3\4" + littleBytes(20, 2) + common + littleBytes(name.size(), 2) + littleBytes(0, 2) + name;
    }
    const auto count = littleBytes(static_cast<std::uint64_t>(entries), 2);
    put(path, local + contents + "PK\5\6" + std::string(4, '\0') + count + count +
                  littleBytes(contents.size(), 4) + littleBytes(local.size(), 4) + littleBytes(0, 2));
}

void writeZerosIdx(const std::string& path, std::size_t images, std::size_t side) {
    const std::string header = std::string("\0\0\x08\x03", 4) + bigWord(static_cast<std::uint32_t>(images)) +
                               bigWord(static_cast<std::uint32_t>(side)) +
                               bigWord(static_cast<std::uint32_t>(side));
    writeRepeated(path, header, std::string(side * side, '\0'), images, "");
}

void writeSwollenPng(const std::string& path, std::size_t unpackedBytes, std::uint32_t side) {
    const std::string header = bigWord(side) + bigWord(side) + std::string("\x08\0\0\0\0", 5);
    put(path, std::string("\x89PNG\r\n\x1a\n", 8) + pngChunk("IHDR", header) +
                  pngChunk("IDAT", zlibOfZeros(unpackedBytes)) + pngChunk("IEND", ""));
}

void writePicture(const std::string& path, std::uint32_t width, std::uint32_t height) {
    std::string rows;
    for (std::uint32_t y = 0; y < height; ++y) {
        rows += '\0'; // no filter
        for (std::uint32_t x = 0; x < width; ++x)
            rows += static_cast<char>((x * 31 + y * 17) % 251);
    }
    uLongf bytes = compressBound(rows.size());
    std::string packed(bytes, '\0');
    if (compress(reinterpret_cast<Bytef*>(packed.data()), &bytes, reinterpret_cast<const Bytef*>(rows.data()),
                 rows.size()) != Z_OK)
        throw std::runtime_error("zlib cannot compress");
    packed.resize(bytes);
    put(path, std::string("\x89PNG\r\n\x1a\n", 8) +
                  pngChunk("IHDR", bigWord(width) + bigWord(height) + std::string("\x08\0\0\0\0", 5)) +
                  pngChunk("IDAT", packed) + pngChunk("IEND", ""));
}

namespace {

std::string compressedFrame(profiling::FrameKind kind, const std::string& cbor) {
    const std::string packed = zstdOf(cbor);
    const auto check =
        profiling::crc32c({reinterpret_cast<const std::uint8_t*>(packed.data()), packed.size()});
    return littleBytes(packed.size(), 4) + static_cast<char>(kind) +
           static_cast<char>(profiling::kCompressed) + littleBytes(0, 2) + littleBytes(check, 4) + packed;
}

} // namespace

void writeSwollenRunFile(const std::string& path, std::size_t texts) {
    std::string file(profiling::kMagic, sizeof profiling::kMagic);
    file += littleBytes(profiling::kFormatMajor, 2) + littleBytes(0, 2) + littleBytes(0, 4);
    put(path,
        file + compressedFrame(profiling::FrameKind::Header, std::string("\xa1\x61"
                                                                         "a\x9a",
                                                                         4) +
                                                                 bigWord(static_cast<std::uint32_t>(texts)) +
                                                                 std::string(texts, '\x60')));
}

std::string swollenFrame(profiling::FrameKind kind, std::size_t bytes) {
    return compressedFrame(kind, std::string("\xa1\x61"
                                             "a\x5a",
                                             4) +
                                     bigWord(static_cast<std::uint32_t>(bytes)) + std::string(bytes, '\0'));
}

void writeManyMessages(const std::string& path, std::size_t messages) {
    std::string text;
    text.reserve(2 * messages);
    for (std::size_t i = 0; i < messages; ++i)
        text += std::string("\x72\0", 2); // ModelProto.metadata_props
    put(path, text);
}

void writeSparse(const std::string& path, const std::string& start, std::size_t bytes) {
    put(path, start);
    std::filesystem::resize_file(path, bytes);
}

} // namespace heteroscope::hostile
