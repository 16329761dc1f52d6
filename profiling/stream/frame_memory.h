// SPDX-License-Identifier: Apache-2.0
// What the frames of a stream take, charged to a budget before each is applied. One thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "profiling/stream/frame.h"
#include "profiling/trace/trace.h"

#include <string>

namespace heteroscope::profiling {

class FrameMemory {
  public:
    /// `name` of the file, for messages. Budget and trace outlive this.
    FrameMemory(MemoryBudget& budget, const Trace& trace, std::string name);

    /// Before a frame is applied to the trace or to a study: what it may take while it is read and stored. A
    /// frame that is damaged is let pass: applying it says what is wrong.
    Status admit(const Frame& frame);
    /// After it was applied: what it has left behind. An error when that is too much; it is there all the
    /// same.
    Status applied(const Frame& frame);
    /// What was read outlives this, and stays charged.
    void keep() { m_kept.keep(); }

  private:
    std::string m_name;
    const Trace& m_trace;
    HeldMemory m_whileRead; ///< payload and parsed value of one frame
    HeldMemory m_kept;      ///< of the study and the trace
    std::int64_t m_studyBytes = 0, m_parsedBytes = 0;
};

} // namespace heteroscope::profiling
