// SPDX-License-Identifier: Apache-2.0
#include "compute/data/idx.h"

#include "compute/base/checked_math.h"
#include "compute/base/packed_file.h"
#include "compute/base/units.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace heteroscope::compute {

namespace {

constexpr std::uint8_t kUnsignedByte = 0x08;
constexpr std::size_t kMostDimensions = 4;
constexpr std::size_t kPiece = std::size_t{64} << 20;

class Reader {
  public:
    Reader(PackedFile& file, std::string name) : m_file(file), m_name(std::move(name)) {}

    Status read(std::uint8_t* to, std::size_t bytes) {
        while (bytes > 0) {
            const auto got = m_file.read(to, std::min(bytes, kPiece));
            if (!got)
                return got.error();
            if (*got == 0)
                return error("the file ends too early, " + std::to_string(bytes) + " bytes are missing");
            to += *got;
            bytes -= *got;
            m_offset += static_cast<std::int64_t>(*got);
        }
        return {};
    }

    /// Nothing may follow; the checksum of compressed data is behind their last byte.
    Status expectEnd() {
        std::uint8_t more = 0;
        const auto got = m_file.read(&more, 1);
        if (!got)
            return got.error();
        if (*got != 0)
            return error("more bytes follow than the header says");
        return m_file.cutOff() ? Status(error("the compressed data end before their checksum")) : Status();
    }

    Error error(const std::string& message, std::string allowed = {}) const {
        return badInput(m_name + ", byte " + std::to_string(m_offset), message, std::move(allowed));
    }

  private:
    PackedFile& m_file;
    std::string m_name;
    std::int64_t m_offset = 0;
};

/// Whatever keeps it from being opened is about the path that a person gave.
Result<std::unique_ptr<PackedFile>> openIdx(const std::filesystem::path& path) {
    auto file = PackedFile::open(path);
    if (file || file.error().code != ErrorCode::Io)
        return file;
    Error error = file.error();
    error.code = ErrorCode::BadInput;
    return error;
}

Result<std::vector<std::int64_t>> readHeader(Reader& reader) {
    std::array<std::uint8_t, 4> magic{};
    if (const Status status = reader.read(magic.data(), magic.size()); !status)
        return status.error();
    if (magic[0] != 0 || magic[1] != 0)
        return reader.error("this is no IDX file: it does not begin with two zero bytes");
    if (magic[2] != kUnsignedByte)
        return reader.error("the element type is " + std::to_string(magic[2]), "8, unsigned bytes");
    if (magic[3] < 1 || magic[3] > kMostDimensions)
        return reader.error("the file has " + std::to_string(magic[3]) + " dimensions", "one to four");
    std::vector<std::int64_t> dims;
    for (int i = 0; i < magic[3]; ++i) {
        std::array<std::uint8_t, 4> size{};
        if (const Status status = reader.read(size.data(), size.size()); !status)
            return status.error();
        const auto value = static_cast<std::uint32_t>(size[0] << 24 | size[1] << 16 | size[2] << 8 | size[3]);
        if (value == 0)
            return reader.error("dimension " + std::to_string(i + 1) + " is 0", "1 or more");
        dims.push_back(value);
    }
    return dims;
}

} // namespace

Result<IdxArray> readIdx(const std::filesystem::path& path, std::int64_t mostBytes, MemoryBudget& budget) {
    const auto file = openIdx(path);
    if (!file)
        return file.error();
    Reader reader(**file, path.string());
    IdxArray array;
    auto dims = readHeader(reader);
    if (!dims)
        return dims.error();
    array.dims = std::move(*dims);
    std::optional<std::int64_t> elements = 1;
    for (const std::int64_t dim : array.dims)
        elements = elements ? checkedMul(*elements, dim) : std::nullopt;
    if (!elements || *elements > mostBytes)
        return reader.error("the header promises " +
                                (elements ? formatBytes(static_cast<double>(*elements)) : "more than 8 EiB"),
                            "at most " + formatBytes(static_cast<double>(mostBytes)));
    if (const Status status = budget.charge(*elements, "its values", path.string()); !status)
        return status.error();
    // In pieces: pages that nothing is written to take no memory, so that a header that lies costs none.
    array.values.reserve(static_cast<std::size_t>(*elements));
    while (static_cast<std::int64_t>(array.values.size()) < *elements) {
        const std::size_t before = array.values.size();
        const std::size_t piece = std::min(kPiece, static_cast<std::size_t>(*elements) - before);
        array.values.resize(before + piece);
        if (const Status status = reader.read(array.values.data() + before, piece); !status)
            return status.error();
    }
    if (const Status status = reader.expectEnd(); !status)
        return status.error();
    return array;
}

Result<std::vector<std::int64_t>> readIdxDims(const std::filesystem::path& path) {
    const auto file = openIdx(path);
    if (!file)
        return file.error();
    Reader reader(**file, path.string());
    auto dims = readHeader(reader);
    if (!dims || (**file).packed())
        return dims;
    std::optional<std::int64_t> bytes = 1;
    for (const std::int64_t dim : *dims)
        bytes = bytes ? checkedMul(*bytes, dim) : std::nullopt;
    const auto header = static_cast<std::int64_t>(4 + 4 * dims->size());
    std::error_code failure;
    const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path, failure));
    if (!failure && bytes && *bytes == size - header)
        return dims;
    const std::int64_t dataBytes = size - header;
    return badInput(
        path.string(),
        "after the header the file has " +
            (bytes ? formatBytesUnlike(dataBytes, *bytes) : formatBytes(static_cast<double>(dataBytes))),
        (bytes ? formatBytesUnlike(*bytes, dataBytes) : "more than 8 EiB") + ", as the header promises",
        "copy the file again");
}

} // namespace heteroscope::compute
