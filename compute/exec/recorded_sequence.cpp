// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/recorded_sequence.h"

namespace heteroscope::compute {

Status RecordedSequence::run(OpObserver* observer) {
    if (observer != nullptr || !m_session.records() || !m_ran) {
        m_ran = true;
        return m_submit(observer);
    }
    if (m_recording == nullptr) {
        if (const Status status = m_session.beginRecording(); !status)
            return status;
        const Status submitted = m_submit(nullptr);
        auto recording = m_session.endRecording(); // also after a failure: the session goes on without
        if (!submitted)
            return submitted;
        if (!recording)
            return recording.error();
        m_recording = std::move(*recording);
    }
    return m_recording->launch();
}

} // namespace heteroscope::compute
