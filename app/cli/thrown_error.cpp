// SPDX-License-Identifier: Apache-2.0
#include "app/cli/thrown_error.h"

#include "compute/base/activity.h"

#include <exception>
#include <new>
#include <string>
#include <system_error>

namespace heteroscope::cli {
namespace {

/// What the standard library throws instead of returning: starting a thread is all that may fail that way.
Error systemFailure(const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again)
        return {ErrorCode::RunFailed, std::string("an internal error: ") + error.what(), activity(), {}, {}};
    return {ErrorCode::RunFailed,
            std::string("a thread cannot be started: ") + error.code().message(),
            activity(),
            {},
            "ask for fewer threads (target option threads), end other programs, or raise the limit of "
            "threads and processes (ulimit -u, or pids.max of the control group)"};
}

} // namespace

Error thrownError() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {ErrorCode::OutOfMemory,
                "the memory of this process ran out",
                activity(),
                {},
                "choose smaller inputs, or raise the limit of this process"};
    } catch (const std::system_error& error) {
        return systemFailure(error);
    } catch (const std::exception& error) {
        return {ErrorCode::RunFailed, std::string("an internal error: ") + error.what(), {}, {}, {}};
    }
}

Status caught(const std::function<Status()>& work) {
    try {
        return work();
    } catch (const std::exception&) {
        return thrownError();
    }
}

} // namespace heteroscope::cli
