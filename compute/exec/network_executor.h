// SPDX-License-Identifier: Apache-2.0
// Runs a network's plan on a session: one block of memory for each kind of tensor, and the prepared
// operations that the session computes it with: those of its steps, and reorders between layouts. One thread;
// the session outlives it.
#pragma once

#include "compute/core/backend.h"
#include "compute/core/buffer_view.h"
#include "compute/model/network_plan.h"

#include <array>
#include <cstdint>
#include <map>
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
    /// After allocate(): binds every step. Error: the first operation that the implementation refuses, with
    /// its layer.
    Status prepare();

    /// Submits every step of a phase. Session::synchronize() waits for them.
    Status run(Phase phase, OpObserver* observer);

    /// Whole tensors, by their number in the plan, as documented. Sizes must agree; what lies in a layout of
    /// the session's own can be read only.
    Status write(int tensor, std::span<const float> values);
    Result<std::vector<float>> read(int tensor);

    /// A tensor's memory.
    DeviceBuffer& buffer(int number) { return tensor(number); }

    const NetworkPlan& plan() const { return m_plan; }
    /// Names of what runs, each once, joined by ", ".
    std::string implementation() const;

  private:
    /// Memory that lies in another layout, as the host reads it.
    struct Reader {
        std::unique_ptr<PreparedOp> reorder; ///< nullptr: the memory itself
        std::unique_ptr<DeviceBuffer> plain;
    };

    DeviceBuffer& block(Block block);
    bool borrows(Block block) const;
    Status allocateBlock(std::int64_t elements, const char* name, std::unique_ptr<DeviceBuffer>& into);
    Status allocateAdded();
    Status zero(DeviceBuffer& buffer, std::int64_t elements);
    BufferView& tensor(int number) { return *m_tensors[static_cast<std::size_t>(number)]; }
    DeviceBuffer* memory(int number);
    const PlanStep& stepOf(const PlannedOp& op) const { return m_plan.steps[op.step]; }
    Status runOp(std::size_t number, OpObserver* observer);
    bool isDue(std::size_t number);
    /// Of an operation that runs after writes only: those of its operands, all of them the plan's tensors.
    std::uint64_t writesOfOperands(std::size_t number);
    /// Grows whenever the tensor is written by the host, or its block by an executor that shares it.
    std::uint64_t writesOf(int tensor);
    std::uint64_t& writesOfBlock(Block block);
    Result<Reader*> readerOf(int tensor);

    Session& m_session;
    NetworkPlan m_plan;
    NetworkExecutor* m_shared;
    std::vector<std::unique_ptr<DeviceBuffer>> m_blocks; ///< nullptr where another one's is used
    std::vector<std::unique_ptr<BufferView>> m_tensors;
    std::unique_ptr<SequencePlan> m_sequence;
    std::unique_ptr<DeviceBuffer> m_addedBlock;
    std::vector<std::unique_ptr<BufferView>> m_added;    ///< what the session's plan adds
    std::vector<std::unique_ptr<PreparedOp>> m_prepared; ///< of each of the session's operations
    std::vector<std::string> m_places;                   ///< of each, for the last words of a crash
    std::vector<std::uint64_t> m_ranAfter; ///< of each that runs after writes alone: how many there had been
    std::vector<std::uint64_t> m_tensorWrites;          ///< of each tensor by the host
    std::array<std::uint64_t, kBlocks> m_blockWrites{}; ///< of what executors share: by host and operations
    std::map<int, Reader> m_readers;                    ///< by memory, once it was read
    std::vector<DeviceBuffer*> m_src, m_dst;            ///< of the operation that is submitted
};

/// What the session computes as one, for PlanOptions::fuses; the session outlives it.
FusesChain fusionOf(const Session& session);

/// Why the session cannot run the network: the first operation that it refuses; empty when it can.
std::string networkRefusal(const Session& session, const NetworkPlan& plan);

} // namespace heteroscope::compute
