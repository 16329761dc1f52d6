// SPDX-License-Identifier: Apache-2.0
// What a block of a session on the processor takes, for forecasts. Any thread.
#pragma once

#include <cstddef>

namespace heteroscope::compute {

/// Bytes that allocateHostBuffer(bytes) touches: whole huge pages where the block is large.
std::size_t hostBufferBytes(std::size_t bytes);

} // namespace heteroscope::compute
