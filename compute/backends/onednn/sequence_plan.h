// SPDX-License-Identifier: Apache-2.0
// A sequence of operations as oneDNN computes it: the implementation of each step, the layout of each memory,
// and reorders where an operand lies otherwise than the implementation wants it.
#pragma once

#include "compute/backends/onednn/reorder_op.h"

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heteroscope::compute::onednn {

/// Memory of the sequence's inner kind takes the layout that it is first written in, where that is no larger.
/// The context outlives it.
class LayoutSequence final : public SequencePlan {
  public:
    /// `asked`: what the target's option "impl" names.
    LayoutSequence(Context& context, OpSequence sequence, const LayoutPolicy& policy,
                   std::vector<std::string> asked);

    std::vector<ImplementationRow> implementations(std::size_t op) const override;
    std::string refusal(std::size_t op) const override;
    std::size_t workspaceBytes(std::size_t op) const override;
    Result<std::unique_ptr<PreparedOp>> prepare(std::size_t op) override;
    bool liesAsDocumented(int memory) const override { return !stateOf(memory).layout.has_value(); }
    Result<std::unique_ptr<PreparedOp>> prepareRead(int memory) override;

  private:
    struct Copy {
        Layout layout;
        int memory;
    };
    struct State {
        Layout layout;
        bool isAssigned = false;
        std::vector<Copy> copies; ///< good until the memory is written
    };
    /// A result that is laid out as its memory wants it behind the operation.
    struct Late {
        int from, to;
        OperandLayout written;
    };
    /// What one of ops() is, but for a step itself.
    using Other = std::variant<std::monostate, Reordering, Folding>;

    void pairPools();
    void choose(std::size_t step);
    void addStep(std::size_t step);
    Problem problemOf(std::size_t step) const;
    bool isWrittenBetween(int memory, std::size_t first, std::size_t last) const;
    std::size_t scratchBytes(std::size_t op) const;
    Layout commonLayout(const Record& record, const SequenceStep& step) const;
    std::vector<int> folded(const Folding& folding, std::size_t step);
    int laidOut(int memory, const OperandLayout& wanted, const Layout& common, std::size_t step);
    int copied(int memory, const Layout& layout, const OperandLayout& wanted, std::size_t step);
    int written(int memory, const OperandLayout& layout, const Layout& common, std::vector<Late>& late);
    void assign(int memory, const OperandLayout& operand, const Layout& layout);
    void reorder(int from, const dnnl::memory::desc& before, int to, const dnnl::memory::desc& after,
                 const std::string& letters, std::size_t step);
    void reorderLate(const Late& late, std::size_t step);
    void noteWritten(int memory);
    int addMemory(std::size_t bytes);
    bool fits(int memory, const Layout& layout) const;
    const SequenceMemory& about(int memory) const;
    State& stateOf(int memory) { return m_states[static_cast<std::size_t>(memory)]; }
    const State& stateOf(int memory) const { return m_states[static_cast<std::size_t>(memory)]; }
    const std::string& nameOf(int memory) const;

    Context& m_context;
    LayoutPolicy m_policy;
    std::vector<std::string> m_asked;
    std::vector<Record> m_records;               ///< of each step
    std::vector<std::size_t> m_primitiveBytes;   ///< of each step, at the first that computes the same
    std::vector<State> m_states;                 ///< of each memory of the sequence
    std::vector<Other> m_others;                 ///< of each of ops()
    std::vector<int> m_addedFor;                 ///< of each added memory: whose values it holds
    std::map<std::size_t, std::size_t> m_pooled; ///< by gradient: the max pooling that keeps indices for it
    std::map<std::size_t, int> m_indices;        ///< of these steps, both directions: where they lie
};

} // namespace heteroscope::compute::onednn
