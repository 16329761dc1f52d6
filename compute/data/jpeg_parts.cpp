// SPDX-License-Identifier: Apache-2.0
// Pictures inside of parts (thumbnails) are skipped with them. Between the pixels of a scan 0xff is followed
// by 0 or the number of a restart: the first other marker ends them.
#include "compute/data/jpeg_parts.h"

#include "compute/data/image_kind.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <streambuf>
#include <vector>

namespace heteroscope::compute {
namespace {

constexpr int kFileEnd = std::istream::traits_type::eof();
constexpr int kBlock = 8; ///< pixels of one side
/// Each costs a pass over the whole picture; progressive ones of four colours have some hundreds at most.
constexpr int kMostScans = 1000;

enum JpegMarker : int {
    Frame = 0xc0,
    ProgressiveFrame = 0xc2,
    CodeTables = 0xc4,
    FirstRestart = 0xd0,
    LastRestart = 0xd7,
    PictureStart = 0xd8,
    PictureEnd = 0xd9,
    Scan = 0xda,
    ScaleTables = 0xdb,
    RestartInterval = 0xdd,
    SecondApplication = 0xe2
};

std::int64_t upRounded(std::int64_t value, std::int64_t by) {
    return (value + by - 1) / by;
}

class JpegParts {
  public:
    JpegParts(std::istream& stream, const std::string& name)
        : m_bytes(*stream.rdbuf()), m_name(name), m_end(bytesOfStream(stream)) {
        stream.seekg(0);
    }

    Status run() {
        nextMarker(); // the start of the picture
        for (int marker = nextMarker(); marker != kFileEnd; marker = nextMarker()) {
            if (marker >= FirstRestart && marker <= LastRestart)
                ++m_restarts;
            else if (marker == PictureEnd)
                return checkEnd();
            else if (marker > 1 && marker != PictureStart)
                if (const Status status = takePart(marker); !status)
                    return status;
        }
        return cut("its end marker (EOI)");
    }

  private:
    struct Component {
        int id = 0, across = 1, down = 1, scale = 0; ///< `scale`: which of its tables
        bool scanned = false;
    };

    std::int64_t place() {
        return static_cast<std::int64_t>(m_bytes.pubseekoff(0, std::ios::cur, std::ios::in));
    }
    Error cut(const std::string& before) const {
        return damagedImage(m_name, m_end, "the JPEG file is damaged or cut off: it ends before " + before);
    }
    Error wrong(const std::string& what) const {
        return damagedImage(m_name, m_partAt, "the JPEG file is damaged: " + what);
    }

    int nextMarker() {
        int byte = m_bytes.sbumpc();
        while (byte != kFileEnd && byte != 0xff)
            byte = m_bytes.sbumpc();
        while (byte == 0xff)
            byte = m_bytes.sbumpc();
        return byte;
    }

    /// Of the part's content; 0 behind it.
    int byteOf(std::size_t at) const {
        return at < m_part.size() ? static_cast<unsigned char>(m_part[at]) : 0;
    }
    int halfOf(std::size_t at) const { return byteOf(at) * 256 + byteOf(at + 1); }

    Status takePart(int marker) {
        if (const Status status = checkRestarts(); !status)
            return status;
        m_partAt = place() - 2;
        const int high = m_bytes.sbumpc(), low = m_bytes.sbumpc();
        if (low == kFileEnd)
            return cut("the length of a part");
        if (high * 256 + low < 2)
            return wrong("a part has a length below 2");
        m_part.resize(static_cast<std::size_t>(high * 256 + low - 2));
        if (m_bytes.sgetn(m_part.data(), std::ssize(m_part)) != std::ssize(m_part))
            return cut("the end of a part");
        if (marker == Scan)
            return takeScan();
        if (marker >= Frame && marker <= ProgressiveFrame)
            takeFrame(marker);
        else if (marker == CodeTables)
            takeCodeTables();
        else if (marker == ScaleTables)
            takeScaleTables();
        else if (marker == RestartInterval)
            m_interval = halfOf(0);
        else if (marker == SecondApplication && m_part.starts_with(std::string("MPF\0", 4)))
            m_announcesMore = true;
        return {};
    }

    void takeCodeTables() {
        for (std::size_t at = 0; at < m_part.size();) {
            m_codes.insert(byteOf(at));
            std::size_t codes = 0;
            for (std::size_t length = 1; length <= 16; ++length)
                codes += static_cast<std::size_t>(byteOf(at + length));
            at += 1 + 16 + codes;
        }
    }

    void takeScaleTables() {
        for (std::size_t at = 0; at < m_part.size();) {
            const bool wide = byteOf(at) > 15; // 64 values of two bytes, else of one
            m_scales.insert(byteOf(at) & 15);
            at += 1 + 64 * (wide ? 2 : 1);
        }
    }

    void takeFrame(int marker) {
        m_progressive = marker == ProgressiveFrame;
        m_height = halfOf(1);
        m_width = halfOf(3);
        m_components.clear();
        for (std::size_t at = 6; m_components.size() < static_cast<std::size_t>(byteOf(5)); at += 3)
            m_components.push_back({byteOf(at), std::max(byteOf(at + 1) >> 4, 1),
                                    std::max(byteOf(at + 1) & 15, 1), byteOf(at + 2)});
    }

    Status takeScan() {
        if (++m_scans > kMostScans)
            return wrong("it has more than " + std::to_string(kMostScans) + " scans");
        const auto count = static_cast<std::size_t>(byteOf(0));
        const int from = byteOf(1 + 2 * count), to = byteOf(2 + 2 * count);
        const bool refines = m_progressive && byteOf(3 + 2 * count) > 15;
        Component* only = nullptr;
        for (std::size_t i = 0; i < count; ++i) {
            const int id = byteOf(1 + 2 * i), tables = byteOf(2 + 2 * i);
            const auto found = std::find_if(m_components.begin(), m_components.end(),
                                            [id](const Component& each) { return each.id == id; });
            if (found == m_components.end())
                return wrong("a scan is of a colour that the picture does not have");
            const bool coarse = from == 0 && !refines, fine = !m_progressive || (to > 0 && from > 0);
            if ((coarse && !m_codes.contains(tables >> 4)) ||
                (fine && !m_codes.contains(16 + (tables & 15))) || !m_scales.contains(found->scale))
                return wrong("a table that a scan needs is missing");
            found->scanned |= coarse;
            only = count == 1 ? &*found : nullptr;
        }
        expectRestarts(only);
        return {};
    }

    /// `only`: of a scan of one component, which has no blocks beyond its own pixels.
    void expectRestarts(const Component* only) {
        std::int64_t across = 1, down = 1;
        for (const Component& each : m_components) {
            across = std::max<std::int64_t>(across, each.across);
            down = std::max<std::int64_t>(down, each.down);
        }
        std::int64_t columns = upRounded(m_width, kBlock * across), rows = upRounded(m_height, kBlock * down);
        if (only) {
            columns = upRounded(upRounded(std::int64_t{m_width} * only->across, across), kBlock);
            rows = upRounded(upRounded(std::int64_t{m_height} * only->down, down), kBlock);
        }
        m_restarts = 0;
        m_expectedRestarts = m_interval > 0 ? (columns * rows - 1) / m_interval : 0;
    }

    /// The decoder leaves the rest of a scan out where a restart is missing.
    Status checkRestarts() {
        const bool whole = m_restarts >= m_expectedRestarts;
        m_expectedRestarts = 0;
        m_partAt = place() - 2;
        return whole ? Status() : Status(wrong("pixels are missing before this byte"));
    }

    Status checkEnd() {
        if (const Status status = checkRestarts(); !status)
            return status;
        for (const Component& each : m_components)
            if (!each.scanned)
                return wrong("the picture ends before all of its colours were there");
        return m_announcesMore ? Status() : checkNoOtherPicture();
    }

    /// Cameras and phones append zeros, films and data of their own; two pictures in one file are a mistake.
    Status checkNoOtherPicture() {
        constexpr int kMark = 0xff, kStart = 0xd8;
        std::int64_t at = place();
        while (at < m_end && m_bytes.sgetc() == 0) {
            m_bytes.sbumpc();
            ++at;
        }
        if (m_end - at < 2 || m_bytes.sbumpc() != kMark || m_bytes.sbumpc() != kStart)
            return {};
        return damagedImage(m_name, at, "another picture follows, and only one is read",
                            "one picture, or others that the file announces (MPF)");
    }

    std::streambuf& m_bytes;
    const std::string& m_name;
    std::int64_t m_end;
    std::int64_t m_partAt = 0;
    std::string m_part;
    std::vector<Component> m_components;
    std::set<int> m_codes, m_scales; ///< tables so far; those of codes with 16 added for the finer ones
    int m_width = 0, m_height = 0, m_interval = 0, m_scans = 0;
    std::int64_t m_restarts = 0, m_expectedRestarts = 0;
    bool m_progressive = false, m_announcesMore = false;
};

} // namespace

Status checkJpegParts(std::istream& stream, const std::string& name) {
    if (imageKindOf(stream) != ImageKind::Jpeg)
        return {};
    return JpegParts(stream, name).run();
}

} // namespace heteroscope::compute
