// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of CIFAR images, of both kinds.
#include "compute/data/cifar.h"

#include <cstdlib>

using namespace heteroscope::compute;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const CifarKind kind : {CifarKind::Ten, CifarKind::Hundred}) {
        const auto images = parseCifar({data, size}, kind, "fuzz");
        if (!images && images.error().where.empty())
            std::abort();
        if (images && images->pixels.size() != images->labels.size() * kCifarPixels)
            std::abort();
    }
    return 0;
}
