// SPDX-License-Identifier: Apache-2.0
// The 64-bit hash FNV-1a (Fowler, Noll, Vo): tells texts apart that nobody chose to collide.
#pragma once

#include <cstdint>
#include <string_view>

namespace heteroscope {

constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    return hash;
}

} // namespace heteroscope
