// SPDX-License-Identifier: Apache-2.0
// What ends a study early: SIGTERM, SIGINT, and, for a worker, the end of its standard input.
#pragma once

#include "app/cli/stdin_text.h"
#include "compute/base/error.h"

#include <atomic>
#include <memory>
#include <string>

namespace heteroscope::cli {

/// One at a time in a process. While it lives, SIGTERM and SIGINT set the flag instead of ending the process;
/// a second SIGINT ends it at once. Made and destroyed on the main thread.
class StopRequest {
  public:
    StopRequest();
    ~StopRequest(); ///< restores what the signals did before
    StopRequest(const StopRequest&) = delete;
    StopRequest& operator=(const StopRequest&) = delete;

    /// A reason of the program's own; a literal. Any thread.
    void ask(const char* reason);
    /// From now on text on standard input is a request to stop, which then is an error of it, and so is its
    /// end with `untilItEnds`; blanks are ignored. Call once.
    void watchStdin(RestOfStdin rest, bool untilItEnds);

    const std::atomic<bool>& flag() const; ///< any thread
    bool requested() const { return flag().load(); }
    /// "SIGTERM from process 123 (bash)", "SIGINT" (from a terminal), "standard input ended"; empty when
    /// nothing asked.
    std::string reason() const;
    Error error() const; ///< Cancelled, with the reason; BadInput: text on standard input

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace heteroscope::cli
