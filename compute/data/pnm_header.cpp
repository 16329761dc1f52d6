// SPDX-License-Identifier: Apache-2.0
#include "compute/data/pnm_header.h"

#include <streambuf>

namespace heteroscope::compute {
namespace {

constexpr int kPnmEnd = std::istream::traits_type::eof();
constexpr int kMostDigits = 9, kNumbers = 3; ///< width, height, largest value

bool isPnmSpace(int byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// Behind blanks and comments, which last to the end of their line.
void skipPnmSpace(std::streambuf& bytes) {
    for (int byte = bytes.sgetc(); isPnmSpace(byte) || byte == '#'; byte = bytes.sgetc()) {
        const bool comment = byte == '#';
        bytes.sbumpc();
        while (comment && bytes.sgetc() != kPnmEnd && bytes.sgetc() != '\n' && bytes.sgetc() != '\r')
            bytes.sbumpc();
    }
}

int skipDigits(std::streambuf& bytes) {
    int digits = 0;
    for (; bytes.sgetc() >= '0' && bytes.sgetc() <= '9' && digits <= kMostDigits; ++digits)
        bytes.sbumpc();
    return digits;
}

} // namespace

Status checkPnmHeader(std::istream& stream, const std::string& name) {
    std::streambuf& bytes = *stream.rdbuf();
    if (bytes.sbumpc() != 'P')
        return {};
    if (const int kind = bytes.sbumpc(); kind != '5' && kind != '6')
        return {};
    for (int number = 0; number < kNumbers; ++number) {
        skipPnmSpace(bytes);
        const auto at = static_cast<std::int64_t>(bytes.pubseekoff(0, std::ios::cur, std::ios::in));
        if (skipDigits(bytes) > kMostDigits)
            return badInput(name + ", byte " + std::to_string(at),
                            "a number of the header has more than nine digits",
                            "width and height up to 65536, values up to 65535");
    }
    return {};
}

} // namespace heteroscope::compute
