// SPDX-License-Identifier: Apache-2.0
#include "compute/data/png_chunks.h"

#include "compute/base/units.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace heteroscope::compute {
namespace {

constexpr std::string_view kPngSignature{"\x89PNG\r\n\x1a\n", 8};
constexpr std::int64_t kChunkHeadBytes = 8, kChecksumBytes = 4;

std::int64_t bigEndian(const char* bytes) {
    std::int64_t value = 0;
    for (int i = 0; i < 4; ++i)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

} // namespace

Status checkPngChunks(std::istream& stream, const std::string& name) {
    std::array<char, kPngSignature.size()> head{};
    static_assert(kPngSignature.size() == kChunkHeadBytes);
    stream.seekg(0, std::ios::end);
    const auto end = static_cast<std::int64_t>(stream.tellg());
    stream.seekg(0);
    if (!stream.read(head.data(), head.size()) || std::string_view(head.data(), head.size()) != kPngSignature)
        return {};
    for (std::int64_t at = kChunkHeadBytes; stream.seekg(at) && stream.read(head.data(), head.size());) {
        const std::int64_t length = bigEndian(head.data()), left = end - at - kChunkHeadBytes;
        const std::string_view type(head.data() + 4, 4);
        if (type == "IDAT" && length > left)
            return badInput(name + ", byte " + std::to_string(at),
                            "a part of the picture claims " + formatBytes(static_cast<double>(length)) +
                                ", the file has " + formatBytes(static_cast<double>(left)) + " more",
                            {}, "the file is cut or damaged: copy or write it again");
        if (type == "IEND")
            return {};
        at += kChunkHeadBytes + length + kChecksumBytes;
    }
    return {};
}

} // namespace heteroscope::compute
