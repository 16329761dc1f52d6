// SPDX-License-Identifier: Apache-2.0
// A frame's payload as a map with typed fields; errors name the frame, its offset, the field, what was
// expected and what was found. One thread.
#pragma once

#include "compute/base/json.h"
#include "compute/base/result.h"
#include "profiling/stream/frame.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heteroscope::profiling {

const char* frameKindName(FrameKind kind);
/// "sample frame at byte 4711"
std::string framePlace(const Frame& frame);

class Payload {
  public:
    /// Parses the frame's CBOR, which must be a map.
    static Result<Payload> parse(const Frame& frame);

    const Json& json() const { return m_map; }
    Json takeJson() { return std::move(m_map); }
    const std::optional<Error>& error() const { return m_error; } ///< the first one
    Status status() const { return m_error ? Status(*m_error) : Status(); }
    /// Error at this frame, for checks the caller makes.
    Error wrong(const std::string& field, const std::string& expected, const std::string& found) const;
    Error wrong(const Error& error) const; ///< an error without place, put at this frame

    // Required fields: a missing or wrong one sets error() and gives the default.
    std::int64_t whole(const char* key, std::int64_t low, std::int64_t high);
    std::string text(const char* key);
    double number(const char* key);

    // Optional fields: the default when missing, error() when of the wrong type.
    std::int64_t whole(const char* key, std::int64_t low, std::int64_t high, std::int64_t missing);
    std::string text(const char* key, const std::string& missing);
    double number(const char* key, double missing);
    std::optional<double> maybeNumber(const char* key);
    bool flag(const char* key);
    Json object(const char* key);
    /// A map inside, or an empty one; its errors are reported with Payload::adopt().
    Payload inside(const char* key);
    void adopt(const Payload& inner);

  private:
    Payload(std::string place, Json map) : m_place(std::move(place)), m_map(std::move(map)) {}
    const Json* find(const char* key) const;
    void fail(const char* key, const std::string& expected, const Json* found);

    std::string m_place;
    Json m_map;
    std::optional<Error> m_error;
};

} // namespace heteroscope::profiling
