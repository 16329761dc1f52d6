// SPDX-License-Identifier: Apache-2.0
// Any bytes as a NumPy archive; entries are mutated inside the archive. What can be read must survive writing
// and reading.
#include "compute/data/npz.h"
#include "tests/fuzz/support/memory_file.h"
#include "tests/fuzz/support/require.h"
#include "tests/fuzz/support/temporary_folder.h"
#include "tests/fuzz/support/zip_mutation.h"

#include <cstring>

using namespace heteroscope;
using heteroscope::fuzz::require;

namespace {

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0);
}

bool sameArrays(const compute::NpzArrays& a, const compute::NpzArrays& b) {
    if (a.size() != b.size())
        return false;
    for (const auto& [name, array] : a) {
        const auto other = b.find(name);
        if (other == b.end() || other->second.shape != array.shape ||
            !sameBits(other->second.values, array.values))
            return false;
    }
    return true;
}

/// What zip cannot hold as a name, or cannot tell from another: no matter of the reader.
bool hasPlainNames(const compute::NpzArrays& arrays) {
    for (const auto& [name, array] : arrays)
        for (const char each : name)
            if (each < ' ' || each > '~')
                return false;
    return !arrays.empty() && !arrays.contains("");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::MemoryFile file;
    file.set({data, size});
    const auto arrays = compute::readNpz(file.path());
    if (!arrays) {
        fuzz::requireGoodError(arrays.error());
        return 0;
    }
    for (const auto& [name, array] : *arrays) {
        std::size_t elements = 1;
        for (const std::int64_t dim : array.shape)
            elements *= static_cast<std::size_t>(dim);
        require(elements == array.values.size(), "an array has as many values as its shape says");
    }
    if (!hasPlainNames(*arrays))
        return 0;
    static fuzz::TemporaryFolder folder;
    const std::filesystem::path written = folder.file("again.npz");
    const Status status = compute::writeNpz(written, *arrays);
    require(status.ok(), "what was read can be written");
    const auto again = compute::readNpz(written);
    require(again.ok() && sameArrays(*arrays, *again), "arrays survive writing and reading");
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t mostBytes,
                                               unsigned seed) {
    return fuzz::mutateZip(data, size, mostBytes, seed,
                           {"a.npy", "b", "conv1.weight.npy", ".npy", "x/y.npy"});
}
