// SPDX-License-Identifier: Apache-2.0
#include "compute/data/zip_size.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace heteroscope::compute {
namespace {

constexpr std::string_view kEndRecord("PK\x05\x06", 4);
constexpr std::size_t kEndRecordBytes = 22, kContentsSizeAt = 12;
/// A comment has at most 65535; libzip looks for the record that far from the end and a little further.
constexpr std::size_t kMostCommentBytes = 66000;

std::uint32_t littleWord(const std::string& text, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(text[at + i]);
    return value;
}

} // namespace

std::int64_t zipContentsBytes(const std::filesystem::path& file) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    if (failure)
        return 0;
    const auto all = static_cast<std::int64_t>(size);
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return 0;
    std::string tail(std::min<std::size_t>(size, kEndRecordBytes + kMostCommentBytes), '\0');
    stream.seekg(all - static_cast<std::int64_t>(tail.size()));
    if (!stream.read(tail.data(), static_cast<std::streamsize>(tail.size())))
        return all;
    std::int64_t most = 0; // a comment may hold what looks like a record
    for (std::size_t at = tail.find(kEndRecord); at != std::string::npos; at = tail.find(kEndRecord, at + 1))
        if (at + kEndRecordBytes <= tail.size())
            most = std::max<std::int64_t>(most, littleWord(tail, at + kContentsSizeAt));
    return std::min(most, all); // zip64 has 0xffffffff there
}

} // namespace heteroscope::compute
