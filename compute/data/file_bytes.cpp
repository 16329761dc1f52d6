// SPDX-License-Identifier: Apache-2.0
#include "compute/data/file_bytes.h"

#include "compute/base/file_kind.h"
#include "compute/base/units.h"

#include <cerrno>
#include <fstream>

namespace heteroscope::compute {

Result<std::vector<std::uint8_t>> readFileBytes(const std::filesystem::path& file, std::int64_t mostBytes,
                                                MemoryBudget& budget) {
    if (const Status status = requireRegularFile(file); !status)
        return status.error();
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    if (failure || size > static_cast<std::uintmax_t>(mostBytes))
        return badInput(file.string(), "the file has " + formatBytes(static_cast<double>(size)),
                        "at most " + formatBytes(static_cast<double>(mostBytes)));
    if (const Status status = budget.charge(static_cast<std::int64_t>(size), "the file", file.string());
        !status)
        return status.error();
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", errno, {},
                             "check the permissions of the file");
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(size));
    if (!stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
        return badInput(file.string() + ", byte " + std::to_string(stream.gcount()), "cannot be read", {},
                        "check the permissions of the file");
    return bytes;
}

} // namespace heteroscope::compute
