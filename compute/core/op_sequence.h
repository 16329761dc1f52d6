// SPDX-License-Identifier: Apache-2.0
// Operations that run one after the other on numbered memory, as a session is given them before any is
// prepared, and how it computes them: which layout each memory has, and the reorders between layouts as steps
// of their own. One thread, as backend.h says.
#pragma once

#include "compute/base/result.h"
#include "compute/core/linked_op.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heteroscope::compute {

class PreparedOp;
class Session;
struct ImplementationRow;

/// Who reads and writes memory.
enum class MemoryUse {
    Inner,   ///< operations of the sequence alone: it may lie in any layout, the same one at all times
    Shared,  ///< others too: it lies as documented
    Constant ///< no operation writes it: what was made of it is good until it is written from outside
};

struct SequenceMemory {
    std::string name;          ///< "conv1.output"
    std::int64_t elements = 0; ///< floats
    MemoryUse use = MemoryUse::Shared;
};

/// An operation, or several that are computed as one.
struct SequenceStep {
    OpChain chain;
    std::vector<int> src, dst; ///< numbers of memory, as PreparedOp::run takes them
};

struct OpSequence {
    std::vector<SequenceMemory> memory;
    std::vector<SequenceStep> steps;
};

/// What runs: a step, or a reorder of one of its operands.
struct PlannedOp {
    std::size_t step = 0;
    std::string reorder{};       ///< "conv1.output nhwc->nchw"; empty: the step itself
    std::vector<int> src, dst;   ///< numbers of memory; from sequence().memory.size() on of the added one
    bool onlyAfterWrite = false; ///< it reads constants alone: once, and again when one of them was written
};

/// Must not outlive its session.
class SequencePlan {
  public:
    explicit SequencePlan(OpSequence sequence) : m_sequence(std::move(sequence)) {}
    virtual ~SequencePlan() = default;
    SequencePlan(const SequencePlan&) = delete;
    SequencePlan& operator=(const SequencePlan&) = delete;

    const OpSequence& sequence() const { return m_sequence; }
    /// In the order in which they run.
    const std::vector<PlannedOp>& ops() const { return m_ops; }
    /// Bytes of each memory that is added to the sequence's: operands in other layouts, and what an operation
    /// records for a later one. It holds what was written until the last operation that reads it; what an
    /// `onlyAfterWrite` wrote, always.
    const std::vector<std::size_t>& addedBytes() const { return m_addedBytes; }

    /// Of ops()[op]: what computes it and what else could, the preferred one first.
    virtual std::vector<ImplementationRow> implementations(std::size_t op) const = 0;
    /// Why nothing of that computes it, a clause; empty: something does.
    virtual std::string refusal(std::size_t op) const = 0;
    /// Bytes beside its operands; an upper bound.
    virtual std::size_t workspaceBytes(std::size_t op) const = 0;
    virtual Result<std::unique_ptr<PreparedOp>> prepare(std::size_t op) = 0;
    /// Whether memory of the sequence can be read as it lies, once all has run.
    virtual bool liesAsDocumented(int memory) const = 0;
    /// Copies memory of the sequence to where it shall lie as documented; nullptr where it does already.
    virtual Result<std::unique_ptr<PreparedOp>> prepareRead(int memory) = 0;

  protected:
    std::vector<PlannedOp> m_ops;
    std::vector<std::size_t> m_addedBytes;

  private:
    OpSequence m_sequence;
};

/// Every step by itself on memory as documented: of sessions that know no other layouts.
std::unique_ptr<SequencePlan> planEachByItself(Session& session, OpSequence sequence);

} // namespace heteroscope::compute
