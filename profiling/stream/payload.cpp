// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/payload.h"

#include "profiling/stream/cbor_check.h"

#include <array>
#include <limits>

namespace heteroscope::profiling {

const char* frameKindName(FrameKind kind) {
    static constexpr std::array<const char*, 20> kNames = {
        "unknown", "header",   "environment", "experiment", "device",   "strings", "tracks",
        "spans",   "counters", "flows",       "sample",     "metric",   "log",     "data quality",
        "end",     "run",      "run end",     "progress",   "training", "activity"};
    const auto index = static_cast<std::size_t>(kind);
    return index < kNames.size() ? kNames[index] : kNames[0];
}

std::string framePlace(const Frame& frame) {
    return std::string(frameKindName(frame.kind)) + " frame at byte " + std::to_string(frame.fileOffset);
}

Result<Payload> Payload::parse(const Frame& frame) {
    const std::string place = framePlace(frame);
    const auto at = [&](const Error& error) {
        return badInput(place + (error.where.empty() ? "" : ", " + error.where), error.message);
    };
    if (const auto checked = checkCbor(frame.payload); !checked)
        return at(checked.error());
    try {
        Json map = Json::from_cbor(frame.payload);
        if (!map.is_object())
            return badInput(place, std::string("expected a map, found ") + map.type_name());
        return Payload(place, std::move(map));
    } catch (const Json::exception& exception) {
        return badInput(place, std::string("expected CBOR, found: ") + exception.what());
    }
}

Error Payload::wrong(const std::string& field, const std::string& expected, const std::string& found) const {
    return badInput(m_place, "field \"" + field + "\": expected " + expected + ", found " + found);
}

Error Payload::wrong(const Error& error) const {
    return badInput(m_place + (error.where.empty() ? "" : ", " + error.where), error.message);
}

const Json* Payload::find(const char* key) const {
    const auto found = m_map.find(key);
    return found == m_map.end() ? nullptr : &*found;
}

void Payload::fail(const char* key, const std::string& expected, const Json* found) {
    if (m_error)
        return;
    std::string what = "nothing";
    if (found)
        what = found->is_number() ? found->dump() : std::string("a value of type ") + found->type_name();
    m_error = wrong(key, expected, what);
}

std::int64_t Payload::whole(const char* key, std::int64_t low, std::int64_t high) {
    const Json* const found = find(key);
    if (found && found->is_number_integer()) {
        const bool tooBig =
            found->is_number_unsigned() &&
            found->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()};
        const std::int64_t value = tooBig ? 0 : found->get<std::int64_t>();
        if (!tooBig && value >= low && value <= high)
            return value;
    }
    fail(key, "a whole number from " + std::to_string(low) + " to " + std::to_string(high), found);
    return low > 0 ? low : 0;
}

std::string Payload::text(const char* key) {
    const Json* const found = find(key);
    if (found && found->is_string())
        return found->get<std::string>();
    fail(key, "a text", found);
    return {};
}

double Payload::number(const char* key) {
    const Json* const found = find(key);
    if (found && found->is_number())
        return found->get<double>();
    fail(key, "a number", found);
    return 0;
}

std::int64_t Payload::whole(const char* key, std::int64_t low, std::int64_t high, std::int64_t missing) {
    return find(key) ? whole(key, low, high) : missing;
}

std::string Payload::text(const char* key, const std::string& missing) {
    return find(key) ? text(key) : missing;
}

double Payload::number(const char* key, double missing) {
    return find(key) ? number(key) : missing;
}

std::optional<double> Payload::maybeNumber(const char* key) {
    const Json* const found = find(key);
    if (!found || found->is_null())
        return std::nullopt;
    return number(key);
}

bool Payload::flag(const char* key) {
    const Json* const found = find(key);
    if (found && !found->is_boolean())
        fail(key, "true or false", found);
    return found && found->is_boolean() && found->get<bool>();
}

Json Payload::object(const char* key) {
    const Json* const found = find(key);
    if (found && !found->is_object())
        fail(key, "a map", found);
    return found && found->is_object() ? *found : Json::object();
}

Payload Payload::inside(const char* key) {
    return Payload(m_place + ", in \"" + key + "\"", object(key));
}

void Payload::adopt(const Payload& inner) {
    if (!m_error)
        m_error = inner.m_error;
}

} // namespace heteroscope::profiling
