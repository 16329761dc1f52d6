// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/recorded_repetitions.h"

#include <algorithm>

namespace heteroscope::compute {

Status RecordedRepetitions::record(Session& session, const Submit& submit) {
    for (std::size_t i = 0; i < kCounts.size(); ++i) {
        if (const Status status = session.beginRecording(); !status)
            return status;
        Status submitted;
        for (int repetition = 0; repetition < kCounts[i] && submitted; ++repetition)
            submitted = submit();
        auto recording = session.endRecording(); // also after a failure: the session goes on without
        if (!submitted)
            return submitted;
        if (!recording)
            return recording.error();
        m_recordings[i] = std::move(*recording);
    }
    return {};
}

int RecordedRepetitions::perLaunch(int left) {
    return *std::find_if(kCounts.begin(), kCounts.end() - 1, [&](int count) { return count <= left; });
}

Status RecordedRepetitions::launch(int left) {
    const auto* const at = std::find(kCounts.begin(), kCounts.end(), perLaunch(left));
    return m_recordings[static_cast<std::size_t>(at - kCounts.begin())]->launch();
}

} // namespace heteroscope::compute
