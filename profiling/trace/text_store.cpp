// SPDX-License-Identifier: Apache-2.0
#include "profiling/trace/text_store.h"

#include <algorithm>
#include <cstring>

namespace heteroscope::profiling {

namespace {

constexpr std::size_t kFirstBlock = 4096, kLargestBlock = 1 << 20;
/// Of a node in the table of ids: key, value, hash, link and its bucket.
constexpr std::size_t kIdNodeBytes = 56;

void putWord(char*& at, std::uint32_t value) {
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
}

std::uint32_t getWord(const char*& at) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, sizeof value);
    at += sizeof value;
    return value;
}

} // namespace

char* ByteArena::take(std::size_t bytes) {
    if (bytes > m_left) {
        const std::size_t grown =
            std::clamp(m_bytes.load(std::memory_order_relaxed), kFirstBlock, kLargestBlock);
        m_left = std::max(bytes, grown);
        m_blocks.emplace_back(new char[m_left]);
        m_next = m_blocks.back().get();
        m_bytes.fetch_add(m_left, std::memory_order_relaxed);
    }
    char* const place = m_next;
    m_next += bytes;
    m_left -= bytes;
    return place;
}

StringTable::StringTable() {
    m_ids.emplace(std::string_view{}, m_texts.push({}));
}

StringId StringTable::intern(std::string_view text) {
    if (const auto found = m_ids.find(text); found != m_ids.end())
        return found->second;
    char* const copy = m_arena.take(text.size());
    std::memcpy(copy, text.data(), text.size());
    const std::string_view kept(copy, text.size());
    const StringId id = m_texts.push(kept);
    m_ids.emplace(kept, id);
    return id;
}

std::string_view StringTable::text(StringId id) const {
    return id < m_texts.size() ? m_texts[id] : std::string_view{};
}

std::size_t StringTable::bytes() const {
    return m_arena.bytes() + m_texts.bytes() + m_texts.size() * kIdNodeBytes;
}

ArgsTable::ArgsTable() {
    add({});
}

std::uint32_t ArgsTable::add(const std::vector<std::pair<StringId, std::string>>& set) {
    std::size_t bytes = sizeof(std::uint32_t);
    for (const auto& [key, value] : set)
        bytes += 2 * sizeof(std::uint32_t) + value.size();
    char* const place = m_arena.take(bytes);
    char* at = place;
    putWord(at, static_cast<std::uint32_t>(set.size()));
    for (const auto& [key, value] : set) {
        putWord(at, key);
        putWord(at, static_cast<std::uint32_t>(value.size()));
        // NOLINTNEXTLINE(bugprone-not-null-terminated-result): its length stands before it
        std::memcpy(at, value.data(), value.size());
        at += value.size();
    }
    return m_sets.push(place);
}

std::vector<std::pair<StringId, std::string>> ArgsTable::set(std::uint32_t id) const {
    std::vector<std::pair<StringId, std::string>> set;
    if (id >= m_sets.size())
        return set;
    const char* at = m_sets[id];
    for (std::uint32_t left = getWord(at); left > 0; --left) {
        const StringId key = getWord(at);
        const std::uint32_t length = getWord(at);
        set.emplace_back(key, std::string(at, length));
        at += length;
    }
    return set;
}

} // namespace heteroscope::profiling
