// SPDX-License-Identifier: Apache-2.0
// Empties the caches of the processors that this process may use.
#pragma once

#include "compute/core/backend.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace heteroscope::compute {

/// What a flush needs: each processor writes twice its own cache and twice its share of the last level.
std::size_t hostCacheFlushBytes();

/// One thread on each processor reads and writes its part of a buffer, so that private caches are emptied as
/// well as the shared one. `afterwards`, on the caller's thread: what is to be awake again when run() has
/// returned. Errors: OutOfMemory, also where the system gives no thread.
Result<std::unique_ptr<CacheFlush>> makeHostCacheFlush(std::function<void()> afterwards);

} // namespace heteroscope::compute
