// SPDX-License-Identifier: Apache-2.0
#include "compute/data/pnm_header.h"

#include "compute/base/units.h"
#include "compute/data/image_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <streambuf>

namespace heteroscope::compute {
namespace {

constexpr int kPnmEnd = std::istream::traits_type::eof();
constexpr int kMostDigits = 9;
constexpr std::int64_t kMostHeaderBytes = 65536; ///< with its blanks and comments
constexpr std::int64_t kLargestByte = 255, kLargestPnmValue = 65535;

/// Numbers that are not there are -1.
struct PnmHeader {
    struct Number {
        std::int64_t at = 0, value = -1;
        int digits = 0;
    };
    std::array<Number, 3> numbers; ///< width, height, largest value
    int channels = 1;
    int behind = kPnmEnd; ///< the byte between the header and the pixels
    std::int64_t dataAt = 0;
    std::int64_t left = kMostHeaderBytes; ///< of the blanks and comments that may stand in it

    std::int64_t largest() const { return numbers[2].value; }
    std::int64_t bytesOfValue() const { return largest() > kLargestByte ? 2 : 1; }
    std::int64_t dataBytes() const { return numbers[0].value * numbers[1].value * channels * bytesOfValue(); }
};

bool isPnmSpace(int byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// Behind blanks and comments, which last to the end of their line; takes their bytes off `left`, and stops
/// where that is 0.
void skipPnmSpace(std::streambuf& bytes, std::int64_t& left) {
    bool comment = false;
    for (int byte = bytes.sgetc(); left > 0 && byte != kPnmEnd; byte = bytes.sgetc(), --left) {
        if (comment)
            comment = byte != '\n' && byte != '\r';
        else if (byte == '#')
            comment = true;
        else if (!isPnmSpace(byte))
            return;
        bytes.sbumpc();
    }
}

std::int64_t pnmPlace(std::streambuf& bytes) {
    return static_cast<std::int64_t>(bytes.pubseekoff(0, std::ios::cur, std::ios::in));
}

PnmHeader::Number pnmNumber(std::streambuf& bytes, std::int64_t& skipped) {
    skipPnmSpace(bytes, skipped);
    PnmHeader::Number number{pnmPlace(bytes)};
    for (; bytes.sgetc() >= '0' && bytes.sgetc() <= '9' && number.digits <= kMostDigits; ++number.digits)
        number.value = std::max<std::int64_t>(number.value, 0) * 10 + (bytes.sbumpc() - '0');
    return number;
}

/// Nothing of what is no PGM or PPM.
std::optional<PnmHeader> readPnmHeader(std::istream& stream) {
    if (imageKindOf(stream) != ImageKind::Pnm)
        return std::nullopt;
    std::streambuf& bytes = *stream.rdbuf();
    bytes.sbumpc();
    PnmHeader header;
    header.channels = bytes.sbumpc() == '6' ? 3 : 1;
    for (auto& number : header.numbers)
        number = pnmNumber(bytes, header.left);
    header.behind = bytes.sbumpc();
    header.dataAt = pnmPlace(bytes);
    return header;
}

} // namespace

Status checkPnmHeader(std::istream& stream, const std::string& name) {
    const auto header = readPnmHeader(stream);
    if (!header)
        return {};
    const std::int64_t end = bytesOfStream(stream);
    for (const auto& number : header->numbers) {
        if (number.digits > kMostDigits)
            return badInput(name + ", byte " + std::to_string(number.at),
                            "a number of the header has more than nine digits",
                            "width and height up to 65536, values up to 65535");
        if (number.at + number.digits >= end)
            return damagedImage(name, end, "the file ends inside its header");
        if (header->left == 0)
            return badInput(name + ", byte " + std::to_string(number.at),
                            "the header has too many blanks and comments",
                            "at most " + formatBytes(static_cast<double>(kMostHeaderBytes)),
                            "write the picture without its comments");
        if (number.digits == 0)
            return damagedImage(name, number.at, "a number of the header is missing",
                                "width, height and the largest value");
    }
    const auto& largest = header->numbers[2];
    if (largest.value < 1 || largest.value > kLargestPnmValue)
        return damagedImage(name, largest.at, "the largest value is " + std::to_string(largest.value),
                            "1 to " + std::to_string(kLargestPnmValue));
    if (!isPnmSpace(header->behind))
        return damagedImage(name, header->dataAt - 1, "no blank follows the header", "one, then the pixels");
    return {};
}

Status checkPnmLength(std::istream& stream, const std::string& name) {
    const auto header = readPnmHeader(stream);
    if (!header)
        return {};
    const std::int64_t end = bytesOfStream(stream), dataEnd = header->dataAt + header->dataBytes();
    if (end < dataEnd)
        return damagedImage(name, end,
                            "the file ends after " + formatBytes(static_cast<double>(end - header->dataAt)) +
                                " of pixels, its header promises " +
                                formatBytes(static_cast<double>(header->dataBytes())));
    stream.seekg(dataEnd);
    std::string rest(static_cast<std::size_t>(std::min<std::int64_t>(end - dataEnd, 3)), '\0');
    stream.read(rest.data(), std::ssize(rest));
    if (rest.empty() || rest == "\n" || rest == "\r\n")
        return {};
    const std::size_t start = std::min(rest.find_first_not_of("\r\n"), rest.size());
    if (rest.substr(start).starts_with('P')) // netpbm's tools put several into one file
        return badInput(name + ", byte " + std::to_string(dataEnd), "another picture follows",
                        "one picture a file", "write each picture to a file of its own");
    return damagedImage(name, dataEnd, "more bytes follow than the header says",
                        "the pixels and at most a line end");
}

Status checkPnmValues(std::istream& stream, const std::string& name) {
    const auto header = readPnmHeader(stream);
    if (!header || header->largest() == kLargestByte || header->largest() == kLargestPnmValue)
        return {};
    std::streambuf& bytes = *stream.rdbuf();
    const std::int64_t size = header->bytesOfValue();
    for (std::int64_t at = 0; at < header->dataBytes(); at += size) {
        std::int64_t value = bytes.sbumpc();
        if (size == 2)
            value = value * 256 + bytes.sbumpc();
        if (value > header->largest())
            return damagedImage(name, header->dataAt + at, "a value is " + std::to_string(value),
                                "at most " + std::to_string(header->largest()) + ", says the header");
    }
    return {};
}

} // namespace heteroscope::compute
