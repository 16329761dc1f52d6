// SPDX-License-Identifier: Apache-2.0
#include "compute/data/zip_size.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>

namespace heteroscope::compute {
namespace {

constexpr std::string_view kEndRecord("PK\x05\x06", 4);
constexpr std::size_t kEndRecordBytes = 22, kMostCommentBytes = 65535, kContentsSizeAt = 12;

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
    std::string tail(std::min<std::size_t>(size, kEndRecordBytes + kMostCommentBytes), '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(all - static_cast<std::int64_t>(tail.size()));
    if (!stream.read(tail.data(), static_cast<std::streamsize>(tail.size())))
        return all;
    const std::size_t at = tail.rfind(kEndRecord);
    if (at == std::string::npos || at + kEndRecordBytes > tail.size())
        return all;
    return std::min<std::int64_t>(littleWord(tail, at + kContentsSizeAt), all); // zip64 has 0xffffffff there
}

} // namespace heteroscope::compute
