// SPDX-License-Identifier: Apache-2.0
#include "compute/base/file_kind.h"

namespace heteroscope {
namespace {

std::string nameOf(std::filesystem::file_type type) {
    using std::filesystem::file_type;
    switch (type) {
    case file_type::fifo:
        return "FIFO";
    case file_type::socket:
        return "socket";
    case file_type::character:
        return "character device";
    case file_type::block:
        return "block device";
    case file_type::directory:
        return "folder";
    default:
        return {};
    }
}

} // namespace

std::string kindOfSpecialFile(const std::filesystem::path& file) {
    std::error_code failure;
    return nameOf(std::filesystem::status(file, failure).type());
}

Status requireRegularFile(const std::filesystem::path& file, const std::string& expected) {
    std::error_code failure;
    const auto status = std::filesystem::status(file, failure);
    if (status.type() == std::filesystem::file_type::not_found)
        return badInput(file.string(), "the file does not exist", expected, "check the path");
    if (status.type() == std::filesystem::file_type::none)
        return badInput(file.string(), "cannot be read: " + failure.message(), expected, "check the path");
    if (std::filesystem::is_regular_file(status))
        return {};
    const std::string kind = nameOf(status.type());
    return badInput(file.string(),
                    "it is a " + (kind.empty() ? "special file" : kind) + ", not a regular file", expected,
                    "give a file that lies on a disk");
}

} // namespace heteroscope
