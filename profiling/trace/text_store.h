// SPDX-License-Identifier: Apache-2.0
// Interned texts and argument sets of a trace. One writer; readers may read everything that was returned to
// them through published spans and tracks.
#pragma once

#include "profiling/trace/segments.h"
#include "profiling/trace/trace.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heteroscope::profiling {

/// Bytes that never move: texts are laid one after the other into blocks.
class ByteArena {
  public:
    char* take(std::size_t bytes);
    std::size_t bytes() const { return m_bytes.load(std::memory_order_relaxed); }

  private:
    std::vector<std::unique_ptr<char[]>> m_blocks;
    char* m_next = nullptr;
    std::size_t m_left = 0;
    std::atomic<std::size_t> m_bytes{0};
};

class StringTable {
  public:
    StringTable(); ///< id 0 is the empty text
    StringId intern(std::string_view text);
    std::string_view text(StringId id) const;
    std::uint32_t size() const { return m_texts.size(); }
    std::size_t bytes() const;

  private:
    ByteArena m_arena;
    SegmentedVector<std::string_view> m_texts;
    std::unordered_map<std::string_view, StringId> m_ids;
};

class ArgsTable {
  public:
    ArgsTable(); ///< id 0 is the empty set
    std::uint32_t add(const std::vector<std::pair<StringId, std::string>>& set);
    std::vector<std::pair<StringId, std::string>> set(std::uint32_t id) const;
    std::uint32_t size() const { return m_sets.size(); }
    std::size_t bytes() const { return m_arena.bytes() + m_sets.bytes(); }

  private:
    ByteArena m_arena;
    SegmentedVector<const char*> m_sets; ///< u32 count, then (u32 key, u32 length, bytes) each
};

} // namespace heteroscope::profiling
