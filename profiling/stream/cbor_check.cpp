// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/cbor_check.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace heteroscope::profiling {

namespace {

constexpr std::uint64_t kOpenEnded = std::numeric_limits<std::uint64_t>::max();
// Memory of nlohmann's values: 16 bytes each, in vectors that double (old and new at once); texts, lists and
// maps lie in blocks of their own; an entry of a map is a text and a value.
constexpr std::int64_t kItemBytes = 48, kTextBytes = 80, kContainerBytes = 64, kEntryBytes = 144;
constexpr int kBytes = 2, kText = 3, kArray = 4, kMap = 5, kTag = 6; ///< major types

class CborWalk {
  public:
    explicit CborWalk(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}

    Result<std::int64_t> run() {
        do {
            if (Status status = item(); !status)
                return status.error();
            m_memory += kItemBytes;
            while (!m_open.empty() && m_open.back() == 0)
                m_open.pop_back();
        } while (!m_open.empty());
        if (m_at != m_bytes.size())
            return wrong("expected the end", std::to_string(left()) + " bytes more");
        return m_memory;
    }

  private:
    std::size_t left() const { return m_bytes.size() - m_at; }
    Error wrong(const std::string& expected, const std::string& found) const {
        return badInput("byte " + std::to_string(m_at) + " of the payload", expected + ", found " + found);
    }

    Status item() {
        if (left() == 0)
            return wrong("expected a value", "the end");
        const std::uint8_t head = m_bytes[m_at];
        const int major = head >> 5, info = head & 31;
        if (!m_open.empty() && m_open.back() != kOpenEnded)
            --m_open.back();
        if (head == 0xff) {
            if (m_open.empty() || m_open.back() != kOpenEnded)
                return wrong("expected a value", "a break");
            ++m_at;
            m_open.pop_back();
            return {};
        }
        std::uint64_t argument = 0;
        if (Status status = readArgument(info, major, argument); !status)
            return status;
        if (major == kArray || major == kMap)
            return open(major, info == 31, argument);
        if (major == kBytes || major == kText)
            return info == 31 ? pushOpenEnded() : skip(argument);
        if (major == kTag)
            return wrong("expected a value without tag", "tag " + std::to_string(argument));
        return {};
    }

    Status readArgument(int info, int major, std::uint64_t& argument) {
        ++m_at;
        if (info < 24 || (info == 31 && major >= kBytes && major <= kMap)) {
            argument = static_cast<std::uint64_t>(info);
            return {};
        }
        if (info > 27)
            return wrong("expected a CBOR length", "the reserved value " + std::to_string(info));
        const std::size_t size = std::size_t{1} << (info - 24);
        if (left() < size)
            return wrong("expected a length of " + std::to_string(size) + " bytes", "the end");
        for (std::size_t i = 0; i < size; ++i)
            argument = argument << 8 | m_bytes[m_at + i];
        m_at += size;
        return {};
    }

    Status skip(std::uint64_t length) {
        m_memory += kTextBytes + static_cast<std::int64_t>(std::min<std::uint64_t>(length, left()));
        if (length > left())
            return wrong("expected a text or byte string of " + std::to_string(length) + " bytes",
                         std::to_string(left()) + " bytes");
        m_at += length;
        return {};
    }

    Status open(int major, bool openEnded, std::uint64_t count) {
        if (openEnded)
            return wrong("expected an array or map with its length", "one without");
        if (count > left())
            return wrong("expected " + std::to_string(count) + " items", std::to_string(left()) + " bytes");
        if (major == kMap) {
            m_entries += count;
            m_memory +=
                kContainerBytes + static_cast<std::int64_t>(std::min(count, kMaxMapEntries)) * kEntryBytes;
            if (count > kMaxMapEntries || m_entries > kMaxAllMapEntries)
                return wrong("expected at most " + std::to_string(kMaxMapEntries) + " entries in a map",
                             std::to_string(count));
            count *= 2;
        } else {
            m_memory += kContainerBytes;
        }
        return push(count);
    }

    /// Texts in pieces grow as they come.
    Status pushOpenEnded() {
        m_memory += kTextBytes;
        return push(kOpenEnded);
    }

    Status push(std::uint64_t count) {
        if (m_open.size() >= kMaxCborDepth)
            return wrong("expected at most " + std::to_string(kMaxCborDepth) + " levels", "more");
        m_open.push_back(count);
        return {};
    }

    std::span<const std::uint8_t> m_bytes;
    std::size_t m_at = 0;
    std::vector<std::uint64_t> m_open; ///< items left at each level
    std::uint64_t m_entries = 0;
    std::int64_t m_memory = 0;
};

} // namespace

Result<std::int64_t> checkCbor(std::span<const std::uint8_t> cbor) {
    return CborWalk(cbor).run();
}

} // namespace heteroscope::profiling
