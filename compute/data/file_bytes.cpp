// SPDX-License-Identifier: Apache-2.0
#include "compute/data/file_bytes.h"

#include "compute/base/units.h"

#include <fstream>

namespace heteroscope::compute {

Result<std::vector<std::uint8_t>> readFileBytes(const std::filesystem::path& file, std::int64_t mostBytes) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(file, failure))
        return badInput(file.string(), "there is no such file", {}, "check the path");
    const auto size = std::filesystem::file_size(file, failure);
    if (failure || size > static_cast<std::uintmax_t>(mostBytes))
        return badInput(file.string(), "the file has " + formatBytes(static_cast<double>(size)),
                        "at most " + formatBytes(static_cast<double>(mostBytes)));
    std::ifstream stream(file, std::ios::binary);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        return badInput(file.string() + ", byte " + std::to_string(stream.gcount()), "cannot be read", {},
                        "check the permissions of the file");
    return bytes;
}

} // namespace heteroscope::compute
