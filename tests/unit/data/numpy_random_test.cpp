// SPDX-License-Identifier: Apache-2.0
// Every recorded matrix was made by NumPy itself: tests/golden/numpy/generate.py.
#include "compute/base/json.h"
#include "compute/data/input.h"

#include <gtest/gtest.h>

#include <fstream>
#include <heteroscope_paths.h>

namespace heteroscope::compute {
namespace {

InputSpec inputOf(const Json& recorded) {
    InputSpec input;
    input.seed = recorded["seed"].get<std::uint32_t>();
    input.low = recorded["low"].get<std::int64_t>();
    input.high = recorded["high"].get<std::int64_t>();
    const auto shape = recorded["shape"].get<std::vector<std::int64_t>>();
    input.width = shape.back();
    input.height = shape[shape.size() - 2];
    if (shape.size() == 4) {
        input.batch = shape[0];
        input.channels = shape[1];
    }
    return input;
}

} // namespace

TEST(NumpyRandom, EqualsTheRecordedMatrices) {
    std::ifstream file(HETEROSCOPE_SOURCE_DIR "/tests/golden/numpy/randint.json");
    const Json recorded = Json::parse(file);
    ASSERT_GE(recorded["cases"].size(), 8u);
    for (const Json& expected : recorded["cases"]) {
        const auto tensor = loadInput(inputOf(expected), {});
        ASSERT_TRUE(tensor) << tensor.error().sentence();
        EXPECT_EQ(tensor->values, expected["values"].get<std::vector<float>>())
            << "seed " << expected["seed"];
    }
}

TEST(NumpyRandom, SeedThirtyFiveStartsAsInTheStudies) {
    std::ifstream file(HETEROSCOPE_SOURCE_DIR "/tests/golden/numpy/randint.json");
    const Json first = Json::parse(file)["cases"][0];
    EXPECT_EQ(first["seed"], 35);
    EXPECT_EQ(first["shape"].dump(), "[4,4]");
}

} // namespace heteroscope::compute
