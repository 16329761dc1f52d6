// SPDX-License-Identifier: Apache-2.0
// Work that is submitted again and again: recorded where the session records, so that the host gives it to
// the device as a whole. One thread.
#pragma once

#include "compute/core/backend.h"

#include <functional>
#include <memory>
#include <utility>

namespace heteroscope::compute {

class RecordedSequence {
  public:
    using Submit = std::function<Status(OpObserver*)>;

    /// `submit` does the same on the same memory each time; both outlive it.
    RecordedSequence(Session& session, Submit submit) : m_session(session), m_submit(std::move(submit)) {}

    /// The first time, and whenever it is observed, operation by operation: only so is each one seen.
    Status run(OpObserver* observer);
    /// What was recorded is of no use any more: its operations or memory are others now.
    void forget() {
        m_recording.reset();
        m_ran = false;
    }

  private:
    Session& m_session;
    Submit m_submit;
    bool m_ran = false;
    std::unique_ptr<Recording> m_recording;
};

} // namespace heteroscope::compute
