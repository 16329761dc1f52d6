// SPDX-License-Identifier: Apache-2.0
// Walks the markers as the decoder does. Behind the first scan, where pixels lie between markers, each pair
// of bytes that can be a table is looked at: in pixels 0xff is followed by 0 or the number of a restart.
#include "compute/data/jpeg_tables.h"

#include <algorithm>
#include <cstdint>
#include <streambuf>

namespace heteroscope::compute {
namespace {

constexpr int kStartOfImage = 0xd8, kHuffmanTables = 0xc4, kStartOfScan = 0xda, kEndOfImage = 0xd9;
constexpr int kLengths = 16, kMostCodes = 256;
constexpr int kEnd = std::istream::traits_type::eof();

class JpegWalk {
  public:
    JpegWalk(std::streambuf& bytes, const std::string& name) : m_bytes(bytes), m_name(name) {}

    Status run() {
        if (m_bytes.sbumpc() != 0xff || afterFill() != kStartOfImage)
            return {};
        bool inPixels = false;
        for (int marker = nextMarker(); marker != kEnd; marker = nextMarker()) {
            if (marker == kEndOfImage && !inPixels)
                return {};
            const std::int64_t payload = place();
            if (marker == kHuffmanTables)
                if (const Status status = checkTables(); !status)
                    return status;
            inPixels |= marker == kStartOfScan;
            seek(payload);
            if (!inPixels)
                skip(readLength());
        }
        return {};
    }

  private:
    std::int64_t place() {
        return static_cast<std::int64_t>(m_bytes.pubseekoff(0, std::ios::cur, std::ios::in));
    }
    void seek(std::int64_t to) { m_bytes.pubseekpos(to, std::ios::in); }
    void skip(int bytes) { m_bytes.pubseekoff(bytes, std::ios::cur, std::ios::in); }

    /// The byte after any more 0xff; kEnd at the end.
    int afterFill() {
        int byte = m_bytes.sbumpc();
        while (byte == 0xff)
            byte = m_bytes.sbumpc();
        return byte;
    }

    int nextMarker() {
        int byte = m_bytes.sbumpc();
        while (byte != kEnd && byte != 0xff)
            byte = m_bytes.sbumpc();
        return byte == kEnd ? kEnd : afterFill();
    }

    /// As the decoder, which takes bytes behind the end as 0.
    int byteOrZero() {
        const int byte = m_bytes.sbumpc();
        return byte == kEnd ? 0 : byte;
    }

    /// Of a segment, without the two bytes of the length itself.
    int readLength() {
        const int high = byteOrZero();
        return std::max(high * 256 + byteOrZero() - 2, 0);
    }

    Status checkTables() {
        for (int left = readLength(); left > 0;) {
            const std::int64_t at = place();
            byteOrZero(); // which table it is
            int codes = 0;
            for (int length = 1; length <= kLengths; ++length)
                codes += byteOrZero();
            if (codes > kMostCodes)
                return badInput(m_name + ", byte " + std::to_string(at),
                                "a Huffman table has " + std::to_string(codes) + " codes",
                                "at most " + std::to_string(kMostCodes), "write the image again");
            skip(codes);
            left -= 1 + kLengths + codes;
        }
        return {};
    }

    std::streambuf& m_bytes;
    const std::string& m_name;
};

} // namespace

Status checkJpegTables(std::istream& stream, const std::string& name) {
    return JpegWalk(*stream.rdbuf(), name).run();
}

} // namespace heteroscope::compute
