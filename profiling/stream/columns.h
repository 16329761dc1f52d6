// SPDX-License-Identifier: Apache-2.0
// Bulk columns in CBOR: byte strings of little-endian numbers. Pure functions, any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::profiling {

static_assert(std::endian::native == std::endian::little, "columns are copied as they lie in memory");

template <class T, class Row, class Get>
Json column(std::span<const Row> rows, Get get) {
    std::vector<std::uint8_t> bytes(rows.size() * sizeof(T));
    std::uint8_t* at = bytes.data();
    for (const Row& row : rows) {
        const T value = static_cast<T>(get(row));
        std::memcpy(at, &value, sizeof value);
        at += sizeof value;
    }
    return Json::binary(std::move(bytes));
}

/// A column of `frame` with exactly `count` numbers; it refers to the frame's bytes.
template <class T>
class ColumnView {
  public:
    T operator[](std::size_t index) const {
        T value;
        std::memcpy(&value, m_bytes + index * sizeof(T), sizeof value);
        return value;
    }
    static Result<ColumnView> of(const Json& frame, const char* key, std::size_t count) {
        const auto found = frame.find(key);
        const std::string field = "field \"" + std::string(key) + "\"";
        if (found == frame.end() || !found->is_binary())
            return badInput(field, "expected a byte string, found " +
                                       std::string(found == frame.end() ? "nothing" : found->type_name()));
        const auto& bytes = found->get_binary();
        if (bytes.size() != count * sizeof(T))
            return badInput(field, "expected " + std::to_string(count * sizeof(T)) + " bytes for " +
                                       std::to_string(count) + " rows, found " +
                                       std::to_string(bytes.size()));
        return ColumnView(bytes.data());
    }

  private:
    explicit ColumnView(const std::uint8_t* bytes) : m_bytes(bytes) {}
    const std::uint8_t* m_bytes;
};

} // namespace heteroscope::profiling
