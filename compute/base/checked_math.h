// SPDX-License-Identifier: Apache-2.0
// Sums and products of sizes that come from outside: nothing wraps. Any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace heteroscope {

inline std::optional<std::int64_t> checkedMul(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a, b, &product))
        return std::nullopt;
    return product;
}

inline std::optional<std::int64_t> checkedAdd(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum))
        return std::nullopt;
    return sum;
}

/// Of sizes that are not negative: what cannot be counted is INT64_MAX.
inline std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    return checkedAdd(a, b).value_or(INT64_MAX);
}

inline std::optional<std::int64_t> checkedProduct(std::initializer_list<std::int64_t> factors) {
    std::int64_t product = 1;
    for (const std::int64_t factor : factors) {
        const auto next = checkedMul(product, factor);
        if (!next)
            return std::nullopt;
        product = *next;
    }
    return product;
}

} // namespace heteroscope
