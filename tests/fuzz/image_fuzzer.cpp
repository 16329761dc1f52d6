// SPDX-License-Identifier: Apache-2.0
// Any bytes as a picture, grey and in colour. What decoding takes is charged to a budget, and the values stay
// charged.
#include "compute/base/memory_budget.h"
#include "compute/data/image.h"
#include "tests/fuzz/support/memory_file.h"
#include "tests/fuzz/support/png_checksums.h"
#include "tests/fuzz/support/require.h"

#include <cmath>

using namespace heteroscope;
using heteroscope::fuzz::require;

namespace {

constexpr std::int64_t kMostBytes = 64 << 20;

void readAs(const std::filesystem::path& file, bool grey) {
    const auto shape = compute::imageShape(file, grey);
    if (!shape)
        return fuzz::requireGoodError(shape.error());
    require(shape->n == 1 && shape->c == (grey ? 1 : 3) && shape->h > 0 && shape->w > 0,
            "a picture has one or three planes of some size");
    MemoryBudget budget(kMostBytes);
    const auto image = compute::readImage(file, grey, budget);
    if (!image)
        return fuzz::requireGoodError(image.error());
    require(budget.heldBytes() == std::ssize(image->values) * std::int64_t{sizeof(float)},
            "what is held is what is charged");
    require(image->shape == *shape, "the header's size is the picture's");
    require(static_cast<std::int64_t>(image->values.size()) == *shape->elements(), "each pixel has a value");
    for (const float value : image->values)
        require(value >= 0 && value <= static_cast<float>(image->largest), "values lie in the file's range");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::MemoryFile file;
    file.set({data, size});
    readAs(file.path(), true);
    readAs(file.path(), false);
    // Changed bytes seldom pass the checksums of chunks: what is behind them is reached with right ones.
    file.set(fuzz::withPngChecksums({data, size}));
    readAs(file.path(), true);
    readAs(file.path(), false);
    return 0;
}
