// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/frame_tally.h"

#include "profiling/stream/crc32c.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace heteroscope::profiling {
namespace {

constexpr const char* kCounts = "frames";
constexpr const char* kChain = "chain";

/// Of a document that may hold anything; the count of what it does not name is 0.
std::uint64_t countIn(const Json& counts, const std::string& kind) {
    const auto found = counts.find(kind);
    return found == counts.end() || !found->is_number_unsigned() ? 0 : found->get<std::uint64_t>();
}

} // namespace

void FrameTally::add(FrameKind kind, std::span<const std::uint8_t, kFrameHeaderBytes> header) {
    ++m_counts[static_cast<std::uint8_t>(kind)];
    ++m_frames;
    std::array<std::uint8_t, sizeof m_chain + kFrameHeaderBytes> link{};
    std::memcpy(link.data(), &m_chain, sizeof m_chain);
    std::copy(header.begin(), header.end(), link.begin() + sizeof m_chain);
    m_chain = crc32c(link);
}

void FrameTally::put(Json& end) const {
    end[kCounts] = Json::object();
    for (std::size_t kind = 1; kind < m_counts.size(); ++kind)
        if (m_counts[kind] > 0)
            end[kCounts][frameKindName(static_cast<FrameKind>(kind))] = m_counts[kind];
    end[kChain] = m_chain;
}

Status FrameTally::agreesWith(const Payload& end) const {
    const auto counts = end.json().find(kCounts), chain = end.json().find(kChain);
    if (counts == end.json().end() || !counts->is_object())
        return {};
    for (std::size_t kind = 1; kind < m_counts.size(); ++kind) {
        const std::string name = frameKindName(static_cast<FrameKind>(kind));
        if (name == "unknown") // of a later version, which names them otherwise
            break;
        if (const std::uint64_t written = countIn(*counts, name); written != m_counts[kind])
            return end.wrong(kCounts, std::to_string(written) + " " + name + " frames before it",
                             std::to_string(m_counts[kind]));
    }
    if (chain != end.json().end() && *chain != m_chain)
        return end.wrong(kChain, "the frames before it as they were written",
                         "others, or the same in another order");
    return {};
}

} // namespace heteroscope::profiling
