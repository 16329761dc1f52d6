// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/stream_reader.h"

#include "compute/base/units.h"
#include "profiling/stream/crc32c.h"
#include "profiling/stream/frame_tally.h"
#include "profiling/stream/payload.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

namespace heteroscope::profiling {

namespace {

template <class T>
T little(const std::uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

std::string hex(std::uint32_t value) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string text = "0x00000000";
    for (std::size_t i = 0; i < 8; ++i)
        text[9 - i] = kDigits[value >> (4 * i) & 15];
    return text;
}

constexpr std::size_t kChecksumsOfPending = 8; ///< how often finish() reads as much as is pending

/// Of a known kind, with nothing where zeros belong, and all of it there.
bool looksLikeFrame(std::span<const std::uint8_t> bytes) {
    const auto length = little<std::uint32_t>(bytes.data());
    return length > 0 && length <= bytes.size() - kFrameHeaderBytes && (bytes[5] & ~kCompressed) == 0 &&
           little<std::uint16_t>(bytes.data() + 6) == 0 && bytes[4] != 0 &&
           std::string_view(frameKindName(static_cast<FrameKind>(bytes[4]))) != "unknown";
}

struct FreeDecompression {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

} // namespace

struct StreamReader::Impl {
    std::string name;
    std::vector<std::uint8_t> buffer;
    std::size_t at = 0;         ///< consumed bytes of the buffer
    std::uint64_t offset = 0;   ///< of buffer[at] in the stream
    std::uint64_t unpacked = 0; ///< bytes of payloads that were compressed
    bool headerSeen = false, ended = false;
    FrameTally tally; ///< of the frames so far
    std::optional<Error> error;
    std::unique_ptr<ZSTD_DCtx, FreeDecompression> zstd;
    std::optional<HeldMemory> held; ///< of the buffer

    /// Room for a frame of so many stored bytes, old and new while the buffer grows, and for its payload.
    Status room(std::uint32_t storedBytes, std::int64_t payloadBytes);

    std::size_t left() const { return buffer.size() - at; }
    void consume(std::size_t bytes) {
        at += bytes;
        offset += bytes;
    }
    Error fail(std::uint64_t where, const std::string& message, const std::string& advice = {}) {
        error = badInput(name + ", byte " + std::to_string(where), message, {}, advice);
        return *error;
    }
    Result<bool> readFileHeader();
    Result<std::optional<Frame>> readFrame();
    /// Whether a frame may come here, and what the last one says of those before it.
    Status checkPlace(const Frame& frame);
    Status unpack(Frame& frame, std::span<const std::uint8_t> stored);
};

StreamReader::StreamReader(std::string name, MemoryBudget* budget) : m_impl(std::make_unique<Impl>()) {
    m_impl->name = std::move(name);
    if (budget)
        m_impl->held.emplace(*budget);
}
StreamReader::~StreamReader() = default;

std::uint64_t StreamReader::offset() const {
    return m_impl->offset;
}
std::size_t StreamReader::pendingBytes() const {
    return m_impl->left();
}

void StreamReader::feed(std::span<const std::uint8_t> bytes) {
    if (m_impl->at > 0 && m_impl->at * 2 >= m_impl->buffer.size()) {
        m_impl->buffer.erase(m_impl->buffer.begin(),
                             m_impl->buffer.begin() + static_cast<std::ptrdiff_t>(m_impl->at));
        m_impl->at = 0;
    }
    m_impl->buffer.insert(m_impl->buffer.end(), bytes.begin(), bytes.end());
}

Result<bool> StreamReader::Impl::readFileHeader() {
    const std::size_t known = std::min(left(), sizeof kMagic);
    if (!std::equal(kMagic, kMagic + known, buffer.begin() + static_cast<std::ptrdiff_t>(at)))
        return fail(offset, "expected a Heteroscope run file (it begins with \"HSCOPE\"), found other bytes",
                    "choose a .hscope file");
    if (left() < kFileHeaderBytes)
        return false;
    const auto major = little<std::uint16_t>(buffer.data() + at + 8);
    if (major != kFormatMajor)
        return fail(offset + 8,
                    "expected format " + std::to_string(kFormatMajor) + ", found " + std::to_string(major),
                    "open it with the version that wrote it");
    consume(kFileHeaderBytes);
    headerSeen = true;
    return true;
}

Status StreamReader::Impl::room(std::uint32_t storedBytes, std::int64_t payloadBytes) {
    constexpr std::int64_t kWhileGrowing = 3, kPieceBytes = 1 << 20;
    if (!held)
        return {};
    const std::int64_t wanted = kWhileGrowing * (storedBytes + kPieceBytes);
    const std::string where = name + ", byte " + std::to_string(offset);
    Status status = held->set(std::max(wanted, held->bytes()), "a part of the file", where);
    if (status && payloadBytes > 0) { // whoever gets the frame charges its payload: it only has to fit
        const std::int64_t before = held->bytes();
        status = held->add(payloadBytes, "a part of the file, unpacked,", where);
        if (status)
            status = held->set(before, {}, {});
    }
    if (!status)
        error = status.error();
    return status;
}

Status StreamReader::Impl::unpack(Frame& frame, std::span<const std::uint8_t> stored) {
    const std::uint64_t where = frame.fileOffset + kFrameHeaderBytes;
    const unsigned long long size = ZSTD_getFrameContentSize(stored.data(), stored.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        return fail(where, "expected zstd data that names its size, found other bytes");
    if (size > kMaxPayloadBytes)
        return fail(where, "expected at most " + std::to_string(kMaxPayloadBytes) +
                               " bytes after decompression, found " + std::to_string(size));
    unpacked += size; // small files of endless zeros would be unpacked for hours
    if (const std::uint64_t most = kFreePayloadBytes + kMaxPayloadPerByte * (where + stored.size());
        unpacked > most)
        return fail(where, "expected at most " + formatBytes(static_cast<double>(most)) +
                               " of compressed records up to here, found " +
                               formatBytes(static_cast<double>(unpacked)));
    if (Status status = room(0, static_cast<std::int64_t>(size)); !status)
        return status;
    if (!zstd)
        zstd.reset(ZSTD_createDCtx());
    frame.payload.resize(size);
    const std::size_t done = ZSTD_decompressDCtx(zstd.get(), frame.payload.data(), frame.payload.size(),
                                                 stored.data(), stored.size());
    if (ZSTD_isError(done) || done != size)
        return fail(where, "expected " + std::to_string(size) + " bytes after decompression, found: " +
                               (ZSTD_isError(done) ? ZSTD_getErrorName(done) : std::to_string(done)));
    return {};
}

Status StreamReader::Impl::checkPlace(const Frame& frame) {
    if (tally.empty() && frame.kind != FrameKind::Header)
        return fail(frame.fileOffset,
                    std::string("expected the header frame first, found ") + frameKindName(frame.kind));
    if (!tally.empty() && frame.kind == FrameKind::Header)
        return fail(frame.fileOffset, "expected one header frame, found a second one");
    if (frame.kind != FrameKind::End)
        return {};
    const auto payload = Payload::parse(frame);
    Status status = payload ? tally.agreesWith(*payload) : Status(payload.error());
    if (!status) {
        error = status.error();
        error->where = name + ", " + error->where;
        return *error;
    }
    ended = true;
    return {};
}

Result<std::optional<Frame>> StreamReader::Impl::readFrame() {
    if (ended && left() > 0)
        return fail(offset, "expected nothing behind the end frame, found more bytes",
                    "what comes before them is the whole recording");
    if (left() < kFrameHeaderBytes)
        return std::optional<Frame>();
    const std::uint8_t* const head = buffer.data() + at;
    const auto length = little<std::uint32_t>(head);
    if (length > kMaxFrameBytes)
        return fail(offset, "expected a frame of at most " + std::to_string(kMaxFrameBytes) +
                                " bytes, found " + std::to_string(length));
    if (const auto reserved = little<std::uint16_t>(head + 6); reserved != 0 || (head[5] & ~kCompressed) != 0)
        return fail(offset + 5, "expected flags 0 or 1 and two zero bytes, found " +
                                    hex(std::uint32_t{head[5]} << 16 | reserved));
    if (const Status status = room(length, 0); !status)
        return status.error();
    if (head[4] == 0)
        return fail(offset + 4, "expected a kind of record, found 0, which is never written",
                    "the file lost what had not reached the disk, or was written over");
    if (left() < kFrameHeaderBytes + length)
        return std::optional<Frame>();
    const std::span<const std::uint8_t> stored(head + kFrameHeaderBytes, length);
    const auto expected = little<std::uint32_t>(head + 8);
    if (const std::uint32_t found = crc32c(stored); found != expected)
        return fail(offset, "expected checksum " + hex(expected) + ", found " + hex(found));
    Frame frame;
    frame.kind = static_cast<FrameKind>(head[4]);
    frame.fileOffset = offset;
    if (head[5] & kCompressed) {
        if (const Status status = unpack(frame, stored); !status)
            return status.error();
    } else {
        frame.payload.assign(stored.begin(), stored.end());
    }
    if (const Status status = checkPlace(frame); !status)
        return status.error();
    tally.add(frame.kind, std::span<const std::uint8_t, kFrameHeaderBytes>(head, kFrameHeaderBytes));
    consume(kFrameHeaderBytes + length);
    return std::optional<Frame>(std::move(frame));
}

Status StreamReader::finish() {
    if (m_impl->error)
        return *m_impl->error;
    if (!m_impl->headerSeen)
        return {};
    const std::span<const std::uint8_t> pending = std::span(m_impl->buffer).subspan(m_impl->at);
    std::size_t checksums = kChecksumsOfPending * pending.size(); // of bytes that only look like many frames
    for (std::size_t at = 1; at + kFrameHeaderBytes <= pending.size(); ++at) {
        const std::span<const std::uint8_t> bytes = pending.subspan(at);
        if (!looksLikeFrame(bytes))
            continue;
        const auto length = little<std::uint32_t>(bytes.data());
        if (length > checksums)
            break;
        checksums -= length;
        if (crc32c(bytes.subspan(kFrameHeaderBytes, length)) == little<std::uint32_t>(bytes.data() + 8))
            return m_impl->fail(m_impl->offset, "expected a frame of " +
                                                    std::to_string(little<std::uint32_t>(pending.data())) +
                                                    " bytes, found a whole one " + std::to_string(at) +
                                                    " bytes further on: the length is damaged");
    }
    return {};
}

Result<std::optional<Frame>> StreamReader::next() {
    if (m_impl->error)
        return *m_impl->error;
    if (!m_impl->headerSeen) {
        const Result<bool> header = m_impl->readFileHeader();
        if (!header)
            return header.error();
        if (!*header)
            return std::optional<Frame>();
    }
    while (true) {
        auto frame = m_impl->readFrame();
        const bool skip = frame && *frame && std::string_view(frameKindName((*frame)->kind)) == "unknown";
        if (!skip)
            return frame;
    }
}

} // namespace heteroscope::profiling
