// SPDX-License-Identifier: Apache-2.0
// The generator itself against matrices that NumPy made: tests/golden/numpy/generate.py.
#include "compute/base/json.h"
#include "compute/base/numpy_random.h"

#include <gtest/gtest.h>

#include <fstream>
#include <heteroscope_paths.h>

namespace heteroscope::compute {

TEST(NumpyRandomDraws, AreNumpysOneByOne) {
    std::ifstream file(HETEROSCOPE_SOURCE_DIR "/tests/golden/numpy/randint.json");
    const Json recorded = Json::parse(file);
    for (const Json& expected : recorded["cases"]) {
        NumpyRandom random(expected["seed"].get<std::uint32_t>());
        const auto low = expected["low"].get<std::int64_t>(), high = expected["high"].get<std::int64_t>();
        for (const Json& value : expected["values"])
            ASSERT_EQ(random.integer(low, high), value.get<std::int64_t>()) << "seed " << expected["seed"];
    }
}

TEST(NumpyRandomDraws, OfASinglePossibleValueTakesNothingFromTheStream) {
    NumpyRandom one(35), other(35);
    EXPECT_EQ(one.integer(-3, -3), -3);
    for (int draw = 0; draw < 20; ++draw)
        ASSERT_EQ(one.integer(0, 9), other.integer(0, 9));
}

TEST(NumpyRandomDraws, ReachBothEnds) {
    NumpyRandom random(1);
    bool low = false, high = false;
    for (int draw = 0; draw < 200; ++draw) {
        const auto value = random.integer(5, 8);
        ASSERT_GE(value, 5);
        ASSERT_LE(value, 8);
        low |= value == 5;
        high |= value == 8;
    }
    EXPECT_TRUE(low && high);
}

} // namespace heteroscope::compute
