// SPDX-License-Identifier: Apache-2.0
// Any bytes as an IDX file, plain or compressed; packed ones are mutated inside. What is read has the size
// its dimensions say, and is read alike from a plain file.
#include "compute/base/memory_budget.h"
#include "compute/data/idx.h"
#include "tests/fuzz/support/gzip_mutation.h"
#include "tests/fuzz/support/memory_file.h"
#include "tests/fuzz/support/require.h"

using namespace heteroscope;
using heteroscope::fuzz::require;

namespace {

constexpr std::int64_t kMostValueBytes = 1 << 20, kMostHeldBytes = 8 << 20;

void compareWithPlain(const compute::IdxArray& array, std::span<const std::uint8_t> packed) {
    const auto plain = fuzz::unpackGzip(packed, 2 << 20);
    if (!plain) // damaged behind the last value
        return;
    fuzz::MemoryFile file;
    file.set(*plain);
    MemoryBudget budget(kMostHeldBytes);
    const auto again = compute::readIdx(file.path(), kMostValueBytes, budget);
    require(!again || (again->dims == array.dims && again->values == array.values),
            "a compressed file and a plain one give the same values");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::MemoryFile file;
    file.set({data, size});
    MemoryBudget budget(kMostHeldBytes);
    const auto array = compute::readIdx(file.path(), kMostValueBytes, budget);
    const auto dims = compute::readIdxDims(file.path());
    require(!array || (dims && *dims == array->dims), "the header alone says the same");
    if (!array) {
        fuzz::requireGoodError(array.error());
        return 0;
    }
    std::int64_t elements = 1;
    for (const std::int64_t dim : array->dims)
        elements *= dim;
    require(!array->dims.empty() && array->dims.size() <= 4, "an array has one to four dimensions");
    require(elements == static_cast<std::int64_t>(array->values.size()), "values and dimensions agree");
    require(elements <= kMostValueBytes, "no more is read than allowed");
    if (fuzz::looksLikeGzip({data, size}))
        compareWithPlain(*array, {data, size});
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t mostBytes,
                                               unsigned seed) {
    return fuzz::mutateMaybeGzip(data, size, mostBytes, seed);
}
