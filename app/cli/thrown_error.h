// SPDX-License-Identifier: Apache-2.0
// Exceptions of the standard library as sentences: no memory, no thread. Any thread.
#pragma once

#include "compute/base/result.h"

#include <functional>

namespace heteroscope::cli {

/// Of the exception that is handled: called within a catch block for std::exception. Names what was computed.
Error thrownError();

/// What `work` returns, or what it threw.
Status caught(const std::function<Status()>& work);

} // namespace heteroscope::cli
