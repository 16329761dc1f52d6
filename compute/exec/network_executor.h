// SPDX-License-Identifier: Apache-2.0
// Runs a network's plan on a session: one block of memory for each kind of tensor, one prepared operation a
// step. One thread; the session outlives it.
#pragma once

#include "compute/core/backend.h"
#include "compute/core/buffer_view.h"
#include "compute/model/network_plan.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

class NetworkExecutor {
  public:
    /// `shared`: another executor of the same network on the same session, which outlives this one and whose
    /// parameters and states this one uses. nullptr: its own.
    NetworkExecutor(Session& session, NetworkPlan plan, NetworkExecutor* shared = nullptr);

    /// The blocks, zeroed. Errors: OutOfMemory with the block and its size.
    Status allocate();
    /// Zeros a block.
    Status clear(Block block);
    /// Binds every step. Error: the first operation that the implementation refuses, with its layer.
    Status prepare();

    /// Submits every step of a phase. Session::synchronize() waits for them.
    Status run(Phase phase, OpObserver* observer);

    /// Whole tensors, by their number in the plan. Sizes must agree.
    Status write(int tensor, std::span<const float> values);
    Result<std::vector<float>> read(int tensor);

    /// A tensor's memory.
    DeviceBuffer& buffer(int number) { return tensor(number); }

    const NetworkPlan& plan() const { return m_plan; }
    /// Names of what runs, each once, joined by ", ".
    std::string implementation() const;

  private:
    DeviceBuffer& block(Block block);
    bool borrows(Block block) const;
    Status zero(DeviceBuffer& buffer, std::int64_t elements);
    BufferView& tensor(int number) { return *m_tensors[static_cast<std::size_t>(number)]; }

    Session& m_session;
    NetworkPlan m_plan;
    NetworkExecutor* m_shared;
    std::vector<std::unique_ptr<DeviceBuffer>> m_blocks; ///< nullptr where another one's is used
    std::vector<std::unique_ptr<BufferView>> m_tensors;
    std::vector<std::unique_ptr<PreparedOp>> m_prepared; ///< of each step
    std::vector<std::string> m_places;                   ///< of each step, for the last words of a crash
    std::vector<DeviceBuffer*> m_src, m_dst;             ///< of the step that is submitted
};

/// What the session computes as one, for PlanOptions::fuses; the session outlives it.
FusesChain fusionOf(const Session& session);

/// The operations of all steps, also those that are computed as one.
std::vector<Op> operationsOf(const NetworkPlan& plan);

/// Why the session cannot run the network: the first operation that it refuses; empty when it can.
std::string networkRefusal(const Session& session, const NetworkPlan& plan);

} // namespace heteroscope::compute
