// SPDX-License-Identifier: Apache-2.0
// Runs a sequence of operations as its session plans it, each memory in a buffer of its own.
#pragma once

#include "compute/core/backend.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace heteroscope::compute {

class SequenceRunner {
  public:
    /// The session outlives it.
    SequenceRunner(Session& session, OpSequence sequence);

    SequencePlan& plan() { return *m_plan; }
    /// Which of plan().ops() computes the step.
    std::size_t opOf(std::size_t step) const;
    /// Memory of the sequence and what the plan adds.
    DeviceBuffer& memory(int number) { return *m_memory[static_cast<std::size_t>(number)]; }

    /// Allocates zeros and prepares the operations of the first steps; all others do not run.
    Status prepare(std::size_t steps);
    Status write(int memory, const std::vector<float>& values);
    /// As documented, in whatever layout it lies.
    Result<std::vector<float>> read(int memory);
    Status run(std::size_t op, OpObserver* observer = nullptr);
    /// Every operation that was prepared.
    Status runAll(OpObserver* observer = nullptr);

  private:
    Session& m_session;
    std::unique_ptr<SequencePlan> m_plan;
    std::vector<std::unique_ptr<DeviceBuffer>> m_memory;
    std::vector<std::unique_ptr<PreparedOp>> m_prepared; ///< of the first operations
};

} // namespace heteroscope::compute
