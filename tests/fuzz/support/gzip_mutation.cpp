// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/gzip_mutation.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>

namespace heteroscope::fuzz {
namespace {

constexpr int kGzipWindow = 15 + 16;

std::size_t handBack(const Bytes& bytes, std::uint8_t* data, std::size_t mostBytes) {
    const std::size_t kept = std::min(bytes.size(), mostBytes);
    std::memcpy(data, bytes.data(), kept);
    return kept;
}

} // namespace

bool looksLikeGzip(std::span<const std::uint8_t> bytes) {
    return bytes.size() > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

std::optional<Bytes> unpackGzip(std::span<const std::uint8_t> bytes, std::size_t mostBytes) {
    z_stream stream{};
    if (inflateInit2(&stream, kGzipWindow) != Z_OK)
        return std::nullopt;
    Bytes unpacked(mostBytes);
    stream.next_in = const_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = unpacked.data();
    stream.avail_out = static_cast<uInt>(unpacked.size());
    const int code = inflate(&stream, Z_FINISH);
    unpacked.resize(unpacked.size() - stream.avail_out);
    inflateEnd(&stream);
    return code == Z_STREAM_END ? std::optional(std::move(unpacked)) : std::nullopt;
}

Bytes packGzip(std::span<const std::uint8_t> bytes, int level) {
    z_stream stream{};
    if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    Bytes packed(deflateBound(&stream, static_cast<uLong>(bytes.size())));
    stream.next_in = const_cast<Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = packed.data();
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(packed.size() - stream.avail_out);
    deflateEnd(&stream);
    return packed;
}

Bytes mutatedBytes(Bytes bytes, std::size_t mostBytes) {
    const std::size_t size = std::min(bytes.size(), mostBytes);
    bytes.resize(mostBytes);
    bytes.resize(LLVMFuzzerMutate(bytes.data(), size, mostBytes));
    return bytes;
}

std::size_t mutateMaybeGzip(std::uint8_t* data, std::size_t size, std::size_t mostBytes, unsigned seed) {
    Random random(seed);
    const std::span<const std::uint8_t> given(data, size);
    const bool packed = looksLikeGzip(given);
    if (packed && !random.oneIn(4)) {
        if (auto inside = unpackGzip(given, 4 * mostBytes))
            return handBack(
                packGzip(mutatedBytes(std::move(*inside), mostBytes), static_cast<int>(random.below(10))),
                data, mostBytes);
    } else if (!packed && random.oneIn(16)) {
        return handBack(packGzip(given, static_cast<int>(random.below(10))), data, mostBytes);
    }
    return LLVMFuzzerMutate(data, size, mostBytes);
}

} // namespace heteroscope::fuzz
