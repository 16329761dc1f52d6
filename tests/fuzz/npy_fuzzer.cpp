// SPDX-License-Identifier: Apache-2.0
// Any bytes as a .npy file; what can be read must survive writing and reading.
#include "compute/base/npy.h"

#include <cmath>
#include <cstdlib>

using namespace heteroscope::compute;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto array = parseNpy(std::as_bytes(std::span(data, size)), "fuzz");
    if (!array)
        return array.error().where.empty() ? (std::abort(), 0) : 0;
    const auto again = parseNpy(writeNpy(array->shape, array->values), "again");
    if (!again || again->shape != array->shape || again->values.size() != array->values.size())
        std::abort();
    for (std::size_t i = 0; i < array->values.size(); ++i)
        if (again->values[i] != array->values[i] && !std::isnan(array->values[i]))
            std::abort();
    return 0;
}
