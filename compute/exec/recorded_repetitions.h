// SPDX-License-Identifier: Apache-2.0
// Repetitions of operations that take less than their launch: many of them are recorded and launched as one.
// One thread.
#pragma once

#include "compute/core/backend.h"

#include <array>
#include <functional>
#include <memory>

namespace heteroscope::compute {

class RecordedRepetitions {
  public:
    /// Submits one repetition; it has run before, and what it uses outlives the recording.
    using Submit = std::function<Status()>;

    /// Once, before the first launch(). After an error nothing can be launched.
    Status record(Session& session, const Submit& submit);
    /// The most repetitions, of `left`, that one launch does.
    static int perLaunch(int left);
    /// One launch of perLaunch(left) repetitions. Session::synchronize() waits for them.
    Status launch(int left);

  private:
    static constexpr std::array<int, 3> kCounts{64, 8, 1};

    std::array<std::unique_ptr<Recording>, kCounts.size()> m_recordings; ///< of so many repetitions each
};

} // namespace heteroscope::compute
