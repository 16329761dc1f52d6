// SPDX-License-Identifier: Apache-2.0
// Elements of .npy files: conversion to float32, Fortran order, files in pieces, writing.
#include "compute/base/npy.h"

#include "compute/base/file_kind.h"
#include "compute/base/units.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kPieceBytes = 1u << 20;

template <class Value>
Value load(const std::byte* bytes, bool bigEndian) {
    std::array<std::byte, sizeof(Value)> raw;
    std::memcpy(raw.data(), bytes, sizeof(Value));
    if (bigEndian)
        std::reverse(raw.begin(), raw.end());
    return std::bit_cast<Value>(raw);
}

template <class Value>
double number(const std::byte* bytes, bool bigEndian) {
    return static_cast<double>(load<Value>(bytes, bigEndian));
}

double element(const NpyHeader& header, const std::byte* bytes) {
    const bool big = header.bigEndian;
    const bool isSigned = header.kind == 'i';
    if (header.kind == 'f')
        return header.itemBytes == 4 ? static_cast<double>(load<float>(bytes, big))
                                     : load<double>(bytes, big);
    if (header.kind == 'b')
        return load<std::uint8_t>(bytes, false) != 0 ? 1.0 : 0.0;
    switch (header.itemBytes) {
    case 1:
        return isSigned ? number<std::int8_t>(bytes, big) : number<std::uint8_t>(bytes, big);
    case 2:
        return isSigned ? number<std::int16_t>(bytes, big) : number<std::uint16_t>(bytes, big);
    case 4:
        return isSigned ? number<std::int32_t>(bytes, big) : number<std::uint32_t>(bytes, big);
    default:
        return isSigned ? number<std::int64_t>(bytes, big) : number<std::uint64_t>(bytes, big);
    }
}

/// Where an element of a Fortran-ordered file lies in row-major order.
std::size_t rowMajorIndex(const std::vector<std::int64_t>& shape, std::size_t fortranIndex) {
    std::size_t index = 0;
    std::size_t stride = 1;
    for (std::size_t d = shape.size(); d-- > 1;)
        stride *= static_cast<std::size_t>(shape[d]);
    for (std::size_t d = 0; d < shape.size(); ++d) {
        const auto size = static_cast<std::size_t>(shape[d]);
        index += (fortranIndex % size) * stride;
        fortranIndex /= size;
        if (d + 1 < shape.size())
            stride /= static_cast<std::size_t>(shape[d + 1]);
    }
    return index;
}

/// Puts the elements in `bytes`, the first of which is element `first` of the file, into the array.
Status convert(const NpyHeader& header, std::span<const std::byte> bytes, std::size_t first,
               const std::string& name, NpyArray& array) {
    const auto itemBytes = static_cast<std::size_t>(header.itemBytes);
    for (std::size_t i = 0; i < bytes.size() / itemBytes; ++i) {
        const double value = element(header, bytes.data() + i * itemBytes);
        if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max())
            return badInput(name + ", byte " + std::to_string(header.dataOffset + (first + i) * itemBytes),
                            "a value is too large for float32", "values of at most 3.4e38 in size");
        const std::size_t place = header.fortranOrder ? rowMajorIndex(array.shape, first + i) : first + i;
        array.values[place] = static_cast<float>(value);
    }
    return {};
}

/// To be asked at once: errno is that of opening it.
Error cannotOpen(const std::filesystem::path& file) {
    return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", errno, {},
                         "check the permissions of the file");
}

Result<std::uintmax_t> regularFileSize(const std::filesystem::path& file) {
    if (const Status status = requireRegularFile(file); !status)
        return status.error();
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    if (failure)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", failure.value());
    return size;
}

Status readPieces(const NpyHeader& header, std::ifstream& stream, const std::string& name, NpyArray& array) {
    std::vector<std::byte> piece(kPieceBytes);
    const std::size_t perPiece = kPieceBytes / static_cast<std::size_t>(header.itemBytes);
    stream.seekg(static_cast<std::streamoff>(header.dataOffset));
    for (std::size_t first = 0; first < array.values.size(); first += perPiece) {
        const std::size_t count = std::min(perPiece, array.values.size() - first);
        const std::size_t bytes = count * static_cast<std::size_t>(header.itemBytes);
        if (!stream.read(reinterpret_cast<char*>(piece.data()), static_cast<std::streamsize>(bytes)))
            return Error{ErrorCode::Io, "reading failed", name, {}, {}};
        if (const Status status = convert(header, {piece.data(), bytes}, first, name, array); !status)
            return status;
    }
    return {};
}

Result<NpyArray> emptyArray(const NpyHeader& header, const std::string& name, MemoryBudget& budget) {
    if (const Status status = budget.charge(header.elements, sizeof(float), "the array", name); !status)
        return status.error();
    return NpyArray{header.shape, std::vector<float>(static_cast<std::size_t>(header.elements))};
}

} // namespace

Status checkNpyLength(const NpyHeader& header, std::uintmax_t fileBytes, const std::string& name) {
    const auto needed =
        static_cast<std::uintmax_t>(header.elements) * static_cast<std::uintmax_t>(header.itemBytes);
    const bool whole = fileBytes >= header.dataOffset && fileBytes - header.dataOffset >= needed;
    if (whole && fileBytes - header.dataOffset > needed)
        return badInput(name + ", byte " + std::to_string(header.dataOffset + needed),
                        "more bytes follow than the header says", "one array",
                        "keep several arrays in an .npz archive");
    if (whole)
        return {};
    const auto there = static_cast<std::int64_t>(fileBytes > header.dataOffset ? fileBytes - header.dataOffset
                                                                               : 0),
               promised = static_cast<std::int64_t>(needed);
    return badInput(name + ", byte " + std::to_string(fileBytes),
                    "the file ends after " + formatBytesUnlike(there, promised) +
                        " of elements, its header promises " + formatBytesUnlike(promised, there),
                    {}, "copy or write the file again");
}

Result<NpyArray> parseNpy(std::span<const std::byte> bytes, const std::string& name) {
    MemoryBudget budget;
    return parseNpy(bytes, name, budget);
}

Result<NpyArray> parseNpy(std::span<const std::byte> bytes, const std::string& name, MemoryBudget& budget) {
    const auto header = parseNpyHeader(bytes, name);
    if (!header)
        return header.error();
    if (const Status status = checkNpyLength(*header, bytes.size(), name); !status)
        return status.error();
    auto array = emptyArray(*header, name, budget);
    if (!array)
        return array.error();
    const std::size_t dataBytes = array->values.size() * static_cast<std::size_t>(header->itemBytes);
    if (const Status status = convert(*header, bytes.subspan(header->dataOffset, dataBytes), 0, name, *array);
        !status)
        return status.error();
    return array;
}

Result<NpyHeader> readNpyHeader(const std::filesystem::path& file) {
    const auto size = regularFileSize(file);
    if (!size)
        return size.error();
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return cannotOpen(file);
    std::vector<std::byte> start(
        static_cast<std::size_t>(std::min<std::uintmax_t>(*size, kMaxNpyHeaderBytes)));
    if (!stream.read(reinterpret_cast<char*>(start.data()), static_cast<std::streamsize>(start.size())))
        return badInput(file.string(), "cannot be read", {}, "check the permissions of the file");
    const auto header = parseNpyHeader(start, file.string());
    if (!header)
        return header.error();
    if (const Status status = checkNpyLength(*header, *size, file.string()); !status)
        return status.error();
    return header;
}

Result<NpyArray> readNpy(const std::filesystem::path& file) {
    MemoryBudget budget;
    return readNpy(file, budget);
}

Result<NpyArray> readNpy(const std::filesystem::path& file, MemoryBudget& budget) {
    const auto header = readNpyHeader(file);
    if (!header)
        return header.error();
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return cannotOpen(file);
    auto array = emptyArray(*header, file.string(), budget);
    if (!array)
        return array.error();
    if (const Status status = readPieces(*header, stream, file.string(), *array); !status)
        return status.error();
    return array;
}

std::string npyHeaderFor(std::span<const std::int64_t> shape) {
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (";
    for (const std::int64_t size : shape)
        header += std::to_string(size) + ", ";
    if (shape.size() > 1)
        header.resize(header.size() - 2);
    else if (shape.size() == 1)
        header.resize(header.size() - 1);
    header += "), }";
    constexpr std::size_t kPreamble = 10, kAlignment = 64;
    header.append(kAlignment - (kPreamble + header.size() + 1) % kAlignment, ' ');
    header += '\n';
    std::string start("\x93NUMPY\x01\x00", 8);
    start += static_cast<char>(header.size() & 0xffu);
    start += static_cast<char>(header.size() >> 8);
    return start + header;
}

std::vector<std::byte> writeNpy(std::span<const std::int64_t> shape, std::span<const float> values) {
    const std::string start = npyHeaderFor(shape);
    std::vector<std::byte> bytes(start.size() + values.size_bytes());
    std::memcpy(bytes.data(), start.data(), start.size());
    if (!values.empty())
        std::memcpy(bytes.data() + start.size(), values.data(), values.size_bytes());
    return bytes;
}

} // namespace heteroscope::compute
