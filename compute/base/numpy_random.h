// SPDX-License-Identifier: Apache-2.0
// NumPy's legacy random integers: the same seed gives the same matrix as numpy.random.seed(seed) followed by
// numpy.random.randint(low, high + 1, size). One thread per generator.
#pragma once

#include <cstdint>
#include <random>

namespace heteroscope::compute {

class NumpyRandom {
  public:
    explicit NumpyRandom(std::uint32_t seed) : m_engine(seed) {}

    /// Uniform in [low, high], both included; high - low below 2^32. Takes as many draws as NumPy does.
    std::int64_t integer(std::int64_t low, std::int64_t high);

  private:
    std::mt19937 m_engine; ///< its seeding with one number is NumPy's
};

} // namespace heteroscope::compute
