// SPDX-License-Identifier: Apache-2.0
// The random numbers of one drawn example, one after the other: functions of seed and example. One thread.
#pragma once

#include "compute/base/philox.h"

#include <cmath>

namespace heteroscope::compute {

class DrawStream {
  public:
    DrawStream(std::uint64_t seed, std::int64_t example) : m_seed(seed), m_example(example) {}

    /// From 0 to below 1.
    float uniform() {
        if (m_used == 4) {
            m_words = philox4x32({m_block++, kExample, static_cast<std::uint32_t>(m_example),
                                  static_cast<std::uint32_t>(m_example >> 32)},
                                 m_seed);
            m_used = 0;
        }
        const std::uint32_t words[] = {m_words.x, m_words.y, m_words.z, m_words.w};
        return philoxUniform(words[m_used++]);
    }
    float between(float low, float high) { return low + (high - low) * uniform(); }
    /// The sum of four uniform numbers about 0, with the deviation `size`: bounded, unlike a normal one.
    float noise(float size) {
        return (uniform() + uniform() + uniform() + uniform() - 2.0F) * size * 1.7320508F;
    }

  private:
    static constexpr std::uint32_t kExample = 0x6578616d;
    std::uint64_t m_seed;
    std::int64_t m_example;
    Philox4 m_words;
    std::uint32_t m_block = 0;
    int m_used = 4;
};

} // namespace heteroscope::compute
