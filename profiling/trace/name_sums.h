// SPDX-License-Identifier: Apache-2.0
// Count, total, shortest and longest duration per (name, category): a small open-addressing table. One
// thread.
#pragma once

#include "profiling/trace/trace.h"

#include <cstdint>
#include <vector>

namespace heteroscope::profiling {

class NameSums {
  public:
    NameSums();
    void add(StringId name, StringId category, std::int64_t durationNs);
    void add(const SpanStats& other);
    std::size_t size() const { return m_sums.size(); }
    /// In order of first appearance.
    std::vector<SpanStats> take() { return std::move(m_sums); }

  private:
    SpanStats& entry(StringId name, StringId category);
    void grow();

    std::vector<std::uint32_t> m_slots; ///< index into m_sums plus 1; 0 is free
    std::vector<SpanStats> m_sums;
};

} // namespace heteroscope::profiling
