// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/compute/onednn_alone.h"

namespace heteroscope::bench {

std::function<void()> onednnConvolutionAlone(const compute::ConvForward&, int) {
    return {};
}

std::function<void()> onednnBackwardAlone(const compute::PoolBackward&, const float*, const float*, float*,
                                          int) {
    return {};
}

} // namespace heteroscope::bench
