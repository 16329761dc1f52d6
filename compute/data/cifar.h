// SPDX-License-Identifier: Apache-2.0
// The binary files of CIFAR-10 and CIFAR-100: records of one label byte (CIFAR-100: coarse and fine label),
// then 3 x 32 x 32 pixel bytes, planes red, green, blue. Any thread. Format: Krizhevsky, "Learning Multiple
// Layers of Features from Tiny Images", 2009, and the data set's page.
#pragma once

#include "compute/base/result.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

enum class CifarKind { Ten, Hundred };

/// Of the training part those that are there, the first always; of the test part the one.
std::vector<std::filesystem::path> cifarFiles(const std::filesystem::path& folder, CifarKind kind, bool test);

inline constexpr std::int64_t kCifarPixels = std::int64_t{3} * 32 * 32;

inline constexpr std::int64_t cifarRecordBytes(CifarKind kind) {
    return (kind == CifarKind::Ten ? 1 : 2) + kCifarPixels;
}

struct CifarImages {
    std::vector<std::uint8_t> labels; ///< of CIFAR-100 the fine ones
    std::vector<std::uint8_t> pixels; ///< labels.size() x 3 x 32 x 32
};

/// `name` stands in messages. Errors: BadInput with the byte of a record that is cut or a label that is none.
Result<CifarImages> parseCifar(std::span<const std::uint8_t> bytes, CifarKind kind, const std::string& name);

} // namespace heteroscope::compute
