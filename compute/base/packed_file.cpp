// SPDX-License-Identifier: Apache-2.0
#include "compute/base/packed_file.h"

#include "compute/base/file_kind.h"
#include "compute/base/units.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>
#include <zlib.h>

namespace heteroscope {
namespace {

constexpr std::size_t kStoredPiece = std::size_t{1} << 18;
constexpr unsigned char kMagic[] = {0x1f, 0x8b};
constexpr std::uint64_t kMostPadding = std::uint64_t{16} << 20; ///< trailing zeros: blocks of tapes
constexpr int kGzipOnly = 15 + 16; ///< the largest window, and a gzip header: see inflateInit2()

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

} // namespace

struct PackedFile::State {
    State(std::unique_ptr<std::FILE, CloseFile> opened, std::string path)
        : file(std::move(opened)), name(std::move(path)), stored(kStoredPiece) {}
    ~State() {
        if (packed)
            inflateEnd(&stream);
    }

    Status begin();
    Status fill();
    Result<std::size_t> copy(unsigned char* to, std::size_t bytes);
    Result<std::size_t> unpack(unsigned char* to, std::size_t bytes);
    Result<bool> beginMember();
    Status skipZeros();
    Error somethingElse() const {
        return error(ErrorCode::BadInput, "something else follows the compressed data",
                     "copy or write the file again");
    }
    Error error(ErrorCode code, const std::string& message, const std::string& advice = {}) const {
        return {code, message, name + ", byte " + std::to_string(given), {}, advice};
    }

    std::unique_ptr<std::FILE, CloseFile> file;
    std::string name;
    std::vector<unsigned char> stored;
    z_stream stream{};       ///< next_in and avail_in: what of `stored` is left, also of a plain file
    std::uint64_t taken = 0; ///< bytes of the file that were read into `stored`
    std::uint64_t given = 0; ///< unpacked bytes
    bool packed = false, inMember = false, ended = false, cutOff = false;
};

/// More of the file behind what is used up; nothing at its end.
Status PackedFile::State::fill() {
    if (stream.avail_in > 0)
        return {};
    const std::size_t got = std::fread(stored.data(), 1, stored.size(), file.get());
    if (got == 0 && std::ferror(file.get()))
        return systemRefusal(ErrorCode::Io, name + ", byte " + std::to_string(given), "cannot be read",
                             errno);
    stream.next_in = stored.data();
    stream.avail_in = static_cast<unsigned>(got);
    taken += got;
    return {};
}

Status PackedFile::State::begin() {
    if (const Status status = fill(); !status)
        return status;
    if (stream.avail_in < sizeof kMagic || std::memcmp(stream.next_in, kMagic, sizeof kMagic) != 0)
        return {};
    if (inflateInit2(&stream, kGzipOnly) != Z_OK)
        return error(ErrorCode::OutOfMemory, "there is no memory to unpack it");
    packed = inMember = true;
    return {};
}

Result<std::size_t> PackedFile::State::copy(unsigned char* to, std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
        if (const Status status = fill(); !status)
            return status.error();
        const std::size_t piece = std::min<std::size_t>(bytes - done, stream.avail_in);
        if (piece == 0)
            break;
        std::memcpy(to + done, stream.next_in, piece);
        stream.next_in += piece;
        stream.avail_in -= static_cast<unsigned>(piece);
        done += piece;
    }
    return done;
}

/// To the end of the file, or to what is no zero.
Status PackedFile::State::skipZeros() {
    for (std::uint64_t zeros = 0; zeros <= kMostPadding;) {
        if (const Status status = fill(); !status)
            return status;
        const unsigned char* const end = stream.next_in + stream.avail_in;
        const auto skipped =
            static_cast<unsigned>(std::find_if(stream.next_in, stream.next_in + stream.avail_in,
                                               [](unsigned char byte) { return byte != 0; }) -
                                  stream.next_in);
        stream.next_in += skipped;
        stream.avail_in -= skipped;
        zeros += skipped;
        if (skipped == 0 || stream.next_in != end)
            return {};
    }
    return error(ErrorCode::BadInput,
                 "more than " + formatBytes(static_cast<double>(kMostPadding)) +
                     " of zeros follow the compressed data",
                 "copy or write the file again");
}

/// After a member: whether another one follows. Trailing zeros are ignored, as gunzip does: they fill the
/// blocks of a tape.
Result<bool> PackedFile::State::beginMember() {
    if (stream.avail_in > 0 && *stream.next_in == 0) {
        if (const Status status = skipZeros(); !status)
            return status.error();
        if (stream.avail_in > 0)
            return somethingElse();
    }
    if (stream.avail_in == 0)
        return false;
    if (*stream.next_in != kMagic[0])
        return somethingElse();
    inflateReset(&stream);
    inMember = true;
    return true;
}

Result<std::size_t> PackedFile::State::unpack(unsigned char* to, std::size_t bytes) {
    stream.next_out = to;
    stream.avail_out =
        static_cast<unsigned>(std::min<std::size_t>(bytes, std::numeric_limits<unsigned>::max()));
    const auto wanted = stream.avail_out;
    while (stream.avail_out > 0 && !ended) {
        if (const Status status = fill(); !status)
            return status.error();
        if (!inMember) {
            if (stream.avail_out < wanted && stream.avail_in > 0 && *stream.next_in != kMagic[0])
                break; // first what came before it
            const auto another = beginMember();
            if (!another)
                return another.error();
            ended = !*another;
            continue;
        }
        if (stream.avail_in == 0) {
            ended = cutOff = true;
            break;
        }
        const int outcome = inflate(&stream, Z_NO_FLUSH);
        if (outcome == Z_MEM_ERROR)
            return error(ErrorCode::OutOfMemory, "there is no memory to unpack it");
        if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR) {
            given += wanted - stream.avail_out;
            return error(ErrorCode::BadInput,
                         std::string("the compressed data are damaged: ") +
                             (stream.msg ? stream.msg : "they need a dictionary"),
                         "copy or write the file again");
        }
        inMember = outcome != Z_STREAM_END;
    }
    return wanted - stream.avail_out;
}

PackedFile::PackedFile(std::unique_ptr<State> state) : m_state(std::move(state)) {}
PackedFile::~PackedFile() = default;

Result<std::unique_ptr<PackedFile>> PackedFile::open(const std::filesystem::path& file,
                                                     const std::string& expected) {
    if (const Status status = requireRegularFile(file, expected); !status)
        return status.error();
    std::unique_ptr<std::FILE, CloseFile> opened(std::fopen(file.c_str(), "rbe"));
    if (!opened)
        return systemRefusal(ErrorCode::Io, file.string(), "cannot be read", errno, expected,
                             "check the permissions of the file");
    auto state = std::make_unique<State>(std::move(opened), file.string());
    if (const Status status = state->begin(); !status)
        return status.error();
    return std::unique_ptr<PackedFile>(new PackedFile(std::move(state)));
}

Result<std::size_t> PackedFile::read(void* to, std::size_t bytes) {
    auto* const place = static_cast<unsigned char*>(to);
    const auto got = m_state->packed ? m_state->unpack(place, bytes) : m_state->copy(place, bytes);
    if (got)
        m_state->given += *got;
    return got;
}

bool PackedFile::packed() const {
    return m_state->packed;
}

bool PackedFile::cutOff() const {
    return m_state->cutOff;
}

std::uint64_t PackedFile::storedBytes() const {
    return m_state->taken - m_state->stream.avail_in;
}

} // namespace heteroscope
