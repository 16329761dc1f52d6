// SPDX-License-Identifier: Apache-2.0
// Draws of a mutator: all follow from the seed that libFuzzer gives it. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace heteroscope::fuzz {

class Random {
  public:
    explicit Random(unsigned seed) : m_engine(seed) {}

    /// 0 to `count` - 1; 0 when `count` is 0.
    std::size_t below(std::size_t count) { return count == 0 ? 0 : m_engine() % count; }
    bool oneIn(std::size_t count) { return below(count) == 0; }
    template <class T>
    const T& of(const std::vector<T>& values) {
        return values[below(values.size())];
    }

  private:
    std::mt19937 m_engine;
};

} // namespace heteroscope::fuzz
