// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy arrays, versions 1 to 3, read into float32 and written as float32. Everything in a header is
// checked before anything is allocated. Pure functions but for the file ones; any thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

struct NpyHeader {
    std::vector<std::int64_t> shape;
    std::int64_t elements = 1;
    char kind = 'f'; ///< 'f', 'i', 'u' or 'b'
    int itemBytes = 4;
    bool bigEndian = false;
    bool fortranOrder = false;
    std::size_t dataOffset = 0; ///< byte at which the elements begin
};

/// A dense row-major array.
struct NpyArray {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

/// Arrays by name: what an archive holds, the weights of a network ("conv1.weight").
using NamedArrays = std::map<std::string, NpyArray>;

/// Bytes that hold any header we accept.
inline constexpr std::size_t kMaxNpyHeaderBytes = 65536;

/// `name` is the file's name for messages; errors carry "name, byte N".
Result<NpyHeader> parseNpyHeader(std::span<const std::byte> bytes, const std::string& name);
/// Whether a file of `fileBytes` holds exactly the elements that its header promises.
Status checkNpyLength(const NpyHeader& header, std::uintmax_t fileBytes, const std::string& name);
Result<NpyArray> parseNpy(std::span<const std::byte> bytes, const std::string& name);
/// What the array takes stays charged to `budget`; without one each array has its own.
Result<NpyArray> parseNpy(std::span<const std::byte> bytes, const std::string& name, MemoryBudget& budget);

Result<NpyHeader> readNpyHeader(const std::filesystem::path& file);
/// Reads in pieces: needs little memory beside the array itself.
Result<NpyArray> readNpy(const std::filesystem::path& file);
Result<NpyArray> readNpy(const std::filesystem::path& file, MemoryBudget& budget);

/// What stands before the elements: version 1.0, '<f4', row-major.
std::string npyHeaderFor(std::span<const std::int64_t> shape);
/// That, and the elements.
std::vector<std::byte> writeNpy(std::span<const std::int64_t> shape, std::span<const float> values);

} // namespace heteroscope::compute
