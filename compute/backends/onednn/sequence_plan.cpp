// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/sequence_plan.h"

#include "compute/backends/onednn/folded_norm.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

/// What oneDNN itself takes, and what it keeps of each different primitive beside scratch memory, generated
/// code among it: fitted to 19 inferences and trainings of 6 to 159 primitives (oneDNN 2.6, AVX-512), which
/// took 9 to 33 MiB more than their tensors. Products and convolutions, forward and their gradients, and all
/// others.
constexpr std::size_t kLibraryBytes = std::size_t{12} << 20;
constexpr std::size_t kForwardBytes = std::size_t{50} << 10, kGradientBytes = std::size_t{300} << 10,
                      kOtherBytes = std::size_t{60} << 10;

std::size_t primitiveBytes(const Op& op) {
    if (hasOwnLoop(op))
        return 0;
    const std::string name = opName(op);
    if (!name.starts_with("conv2d.") && !name.starts_with("dense."))
        return kOtherBytes;
    return name.ends_with(".forward") ? kForwardBytes : kGradientBytes;
}

using dnnl::memory;
using Kind = OperandLayout::Kind;

bool contains(const std::vector<int>& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

OperandLayout operandAt(const std::vector<OperandLayout>& side, std::size_t i) {
    return i < side.size() ? side[i] : OperandLayout();
}

Layout targetOf(const OperandLayout& operand, const Layout& common) {
    return operand.kind == Kind::Any ? common : layoutOf(operand);
}

/// As documented.
memory::desc plainOf(const OperandLayout& operand, const Layout& layout) {
    return operand.kind == Kind::Given ? operand.plain : plainDesc(layout->dims());
}

} // namespace

LayoutSequence::LayoutSequence(Context& context, OpSequence given, const LayoutPolicy& policy,
                               std::vector<std::string> asked)
    : SequencePlan(std::move(given)), m_context(context), m_policy(policy), m_asked(std::move(asked)) {
    m_records.resize(sequence().steps.size());
    m_states.resize(sequence().memory.size());
    for (std::size_t i = 0; i < m_states.size(); ++i)
        m_states[i].isAssigned = sequence().memory[i].use != MemoryUse::Inner;
    pairPools();
    std::set<std::string> kinds;
    for (std::size_t i = 0; i < m_records.size(); ++i) {
        addStep(i);
        const Op& first = sequence().steps[i].chain.front().op;
        const bool isNew = kinds.insert(opName(first) + " " + opDetail(first)).second;
        m_primitiveBytes.push_back(isNew ? primitiveBytes(first) : 0);
    }
}

const SequenceMemory& LayoutSequence::about(int number) const {
    return sequence().memory[static_cast<std::size_t>(number)];
}

const std::string& LayoutSequence::nameOf(int number) const {
    const int own = static_cast<int>(m_states.size());
    return about(number < own ? number : m_addedFor[static_cast<std::size_t>(number - own)]).name;
}

Problem LayoutSequence::problemOf(std::size_t step) const {
    return {sequence().steps[step], m_policy, m_indices.contains(step)};
}

void LayoutSequence::choose(std::size_t step) {
    m_records[step] = chooseRecord(m_context, problemOf(step), m_asked);
}

bool LayoutSequence::isWrittenBetween(int number, std::size_t first, std::size_t last) const {
    for (std::size_t i = first + 1; i < last; ++i)
        if (contains(sequence().steps[i].dst, number))
            return true;
    return false;
}

/// A max pooling keeps its indices where its gradient is given its very input and output, and both are
/// computed in one form.
void LayoutSequence::pairPools() {
    const auto& steps = sequence().steps;
    for (std::size_t j = 0; j < steps.size(); ++j) {
        const auto* gradient = std::get_if<PoolBackward>(&steps[j].chain.front().op);
        if (gradient == nullptr || gradient->params.mode != PoolMode::Max || steps[j].src.size() < 3)
            continue;
        for (std::size_t i = j; i-- > 0;) {
            const auto* forward = std::get_if<PoolForward>(&steps[i].chain.front().op);
            if (forward == nullptr || steps[i].src[0] != steps[j].src[0] ||
                steps[i].dst[0] != steps[j].src[2] || m_indices.contains(i) ||
                isWrittenBetween(steps[j].src[0], i, j) || isWrittenBetween(steps[j].src[2], i, j))
                continue;
            m_indices[i] = m_indices[j] = -1; // what both are asked about
            choose(i);
            choose(j);
            const auto &kept = m_records[i].indices, &read = m_records[j].indices;
            if (kept && read && *kept == *read) {
                m_indices[i] = m_indices[j] = addMemory(kept->bytes);
                m_addedFor.back() = steps[j].src[2];
                m_pooled[j] = i;
            } else {
                m_indices.erase(i);
                m_indices.erase(j);
            }
            break;
        }
    }
}

int LayoutSequence::addMemory(std::size_t bytes) {
    m_addedBytes.push_back(bytes);
    m_addedFor.push_back(0);
    return static_cast<int>(m_states.size() + m_addedBytes.size()) - 1;
}

bool LayoutSequence::fits(int number, const Layout& layout) const {
    return !layout || layout->get_size() == static_cast<std::size_t>(about(number).elements) * sizeof(float);
}

/// What operands in any layout get: that of a result that was written before, else the first that is not
/// plain.
Layout LayoutSequence::commonLayout(const Record& record, const SequenceStep& step) const {
    for (std::size_t i = 0; i < step.dst.size(); ++i)
        if (operandAt(record.layouts.dst, i).kind == Kind::Any && stateOf(step.dst[i]).isAssigned &&
            about(step.dst[i]).use == MemoryUse::Inner)
            return stateOf(step.dst[i]).layout;
    for (std::size_t i = 0; i < step.src.size(); ++i)
        if (const Layout& layout = stateOf(step.src[i]).layout;
            operandAt(record.layouts.src, i).kind == Kind::Any && layout &&
            about(step.src[i]).elements == about(step.dst.front()).elements)
            return layout;
    return {};
}

void LayoutSequence::addStep(std::size_t number) {
    const SequenceStep& step = sequence().steps[number];
    if (!m_indices.contains(number))
        choose(number);
    const Record& record = m_records[number];
    const Layout common = commonLayout(record, step);
    std::vector<int> src = record.folding ? folded(*record.folding, number) : step.src;
    for (std::size_t i = 0; i < (record.folding ? 1 : src.size()); ++i)
        src[i] = laidOut(src[i], operandAt(record.layouts.src, i), common, number);
    std::vector<int> dst;
    std::vector<Late> late;
    for (std::size_t i = 0; i < step.dst.size(); ++i)
        dst.push_back(written(step.dst[i], operandAt(record.layouts.dst, i), common, late));
    if (const auto indices = m_indices.find(number); indices != m_indices.end())
        (m_pooled.contains(number) ? src : dst).push_back(indices->second);
    m_ops.push_back({number, {}, std::move(src), std::move(dst)});
    m_others.emplace_back();
    for (const int result : step.dst)
        noteWritten(result);
    for (const Late& one : late)
        reorderLate(one, number);
}

void LayoutSequence::noteWritten(int number) {
    stateOf(number).copies.clear();
}

/// The convolution's operands: images, and weights and bias that a step before it makes.
std::vector<int> LayoutSequence::folded(const Folding& folding, std::size_t number) {
    const std::vector<int>& src = sequence().steps[number].src;
    const int weights = addMemory(folding.wanted.get_size());
    const int bias = addMemory(static_cast<std::size_t>(folding.filters) * sizeof(float));
    m_addedFor[m_addedFor.size() - 2] = m_addedFor.back() = src[folding.weights];
    std::vector<int> operands = foldedOperands(folding, src);
    const bool constant = std::all_of(operands.begin(), operands.end(),
                                      [&](int operand) { return about(operand).use == MemoryUse::Constant; });
    m_ops.push_back({number,
                     nameOf(weights) + " with batchnorm " + reorderingOf(folding).layouts(),
                     std::move(operands),
                     {weights, bias},
                     constant});
    m_others.emplace_back(folding);
    return {src[0], weights, bias};
}

/// The memory itself, or its copy in the layout that is wanted.
int LayoutSequence::laidOut(int number, const OperandLayout& wanted, const Layout& common, std::size_t step) {
    if (wanted.kind == Kind::Unread)
        return number;
    const Layout target = targetOf(wanted, common);
    const State& state = stateOf(number);
    if (state.layout == target)
        return number;
    for (const Copy& copy : state.copies)
        if (copy.layout == target)
            return copy.memory;
    return copied(number, target, wanted, step);
}

int LayoutSequence::copied(int number, const Layout& target, const OperandLayout& wanted, std::size_t step) {
    const Layout layout = stateOf(number).layout;
    int from = number;
    memory::desc before = layout ? *layout : plainOf(wanted, target);
    if (layout && target && layout->dims() != target->dims()) { // of images that are seen in another shape
        from = laidOut(number, {}, {}, step);
        before = plainOf(wanted, target);
    }
    const memory::desc after = target ? *target : plainDesc(layout->dims());
    const int copy = addMemory(target ? target->get_size()
                                      : static_cast<std::size_t>(about(number).elements) * sizeof(float));
    m_addedFor.back() = number;
    reorder(from, before, copy, after, wanted.letters, step);
    stateOf(number).copies.push_back({target, copy});
    return copy;
}

/// Inner memory that was not written yet gets the layout of its first writer, or where that is padded the one
/// that the policy keeps such images in.
void LayoutSequence::assign(int number, const OperandLayout& operand, const Layout& layout) {
    State& state = stateOf(number);
    state.isAssigned = true;
    if (fits(number, layout)) {
        state.layout = layout;
        return;
    }
    const auto dims = layout->dims();
    if (operand.letters != "nchw" || dims.size() != 4)
        return;
    const Shape4 shape{dims[0], dims[1], dims[2], dims[3]};
    state.layout = layoutOf(imagesIn(shape, m_policy.orderOf(shape)));
    if (!fits(number, state.layout))
        state.layout.reset();
}

/// The memory itself, or room for a result that does not lie as the memory does.
int LayoutSequence::written(int number, const OperandLayout& operand, const Layout& common,
                            std::vector<Late>& late) {
    const Layout layout = targetOf(operand, common);
    if (!stateOf(number).isAssigned)
        assign(number, operand, layout);
    if (stateOf(number).layout == layout)
        return number;
    const int room = addMemory(layout ? layout->get_size()
                                      : static_cast<std::size_t>(about(number).elements) * sizeof(float));
    m_addedFor.back() = number;
    OperandLayout lies = operand;
    if (operand.kind == Kind::Any && layout)
        lies = {Kind::Given, plainDesc(layout->dims()), *layout};
    late.push_back({room, number, lies});
    return room;
}

void LayoutSequence::reorderLate(const Late& late, std::size_t step) {
    const Layout written = layoutOf(late.written), kept = stateOf(late.to).layout;
    if (written && kept && written->dims() != kept->dims()) { // of images that are seen in another shape
        const int plain = addMemory(static_cast<std::size_t>(about(late.to).elements) * sizeof(float));
        m_addedFor.back() = late.to;
        reorder(late.from, *written, plain, plainOf(late.written, written), late.written.letters, step);
        reorder(plain, plainDesc(kept->dims()), late.to, *kept, "nchw", step);
        return;
    }
    const memory::desc before = written ? *written : plainDesc(kept->dims());
    const memory::desc after = kept ? *kept : plainOf(late.written, written);
    reorder(late.from, before, late.to, after, late.written.letters, step);
    stateOf(late.to).copies.push_back({written, late.from});
}

void LayoutSequence::reorder(int from, const memory::desc& before, int to, const memory::desc& after,
                             const std::string& letters, std::size_t step) {
    const int own = static_cast<int>(m_states.size());
    const Reordering reordering{before, after, letters};
    m_ops.push_back({step,
                     nameOf(to) + " " + reordering.layouts(),
                     {from},
                     {to},
                     from < own && about(from).use == MemoryUse::Constant});
    m_others.emplace_back(reordering);
}

std::vector<ImplementationRow> LayoutSequence::implementations(std::size_t op) const {
    const auto one = [](std::string implementation) {
        return std::vector<ImplementationRow>{{"reorder", std::move(implementation), {}, true, true}};
    };
    if (const auto* reordering = std::get_if<Reordering>(&m_others[op]))
        return one(reorderImplementation(*reordering));
    if (const auto* folding = std::get_if<Folding>(&m_others[op]))
        return one(foldedImplementation(*folding));
    return recordRows(m_context, problemOf(m_ops[op].step), m_asked);
}

std::string LayoutSequence::refusal(std::size_t op) const {
    return m_ops[op].reorder.empty() ? m_records[m_ops[op].step].candidate.refusal : std::string();
}

std::size_t LayoutSequence::workspaceBytes(std::size_t op) const {
    const std::size_t kept = m_ops[op].reorder.empty() ? m_primitiveBytes[m_ops[op].step] : 0;
    return scratchBytes(op) + kept + (op == 0 ? kLibraryBytes : 0);
}

std::size_t LayoutSequence::scratchBytes(std::size_t op) const {
    try {
        if (const auto* reordering = std::get_if<Reordering>(&m_others[op]))
            return reorderWorkspaceBytes(m_context, *reordering);
    } catch (const dnnl::error&) {
        return 0; // prepare() says why
    }
    if (const auto* folding = std::get_if<Folding>(&m_others[op]))
        return foldedWorkspaceBytes(*folding);
    const Candidate& candidate = m_records[m_ops[op].step].candidate;
    return candidate.workspaceBytes ? candidate.workspaceBytes() : 0;
}

Result<std::unique_ptr<PreparedOp>> LayoutSequence::prepare(std::size_t op) {
    const PlannedOp& planned = m_ops[op];
    const std::string name = planned.reorder.empty() ? opName(sequence().steps[planned.step].chain.front().op)
                                                     : "reorder " + planned.reorder;
    if (const auto* reordering = std::get_if<Reordering>(&m_others[op]))
        return checkedOp(m_context.finite, name, nullptr, prepared(m_context, name, [&] {
                             return makeReorder(m_context, *reordering, planned.reorder);
                         }));
    if (const auto* folding = std::get_if<Folding>(&m_others[op]))
        return checkedOp(m_context.finite, name, nullptr, prepared(m_context, name, [&] {
                             return makeFoldedNorm(m_context, *folding, planned.reorder);
                         }));
    const Candidate& chosen = m_records[planned.step].candidate;
    if (!chosen.prepare)
        return Error{ErrorCode::TargetUnavailable, chosen.refusal, "onednn " + name, {}, {}};
    const OpChain& chain = sequence().steps[planned.step].chain;
    if (chain.size() == 1 &&
        hasOwnLoop(chain.front().op)) // what optimisers and dropout are given may be any bits
        return chosen.prepare();
    const char* loss = nullptr;
    for (const LinkedOp& one : chain)
        loss = loss != nullptr ? loss : lossOfNan(one.op, chosen.implementation);
    return checkedOp(m_context.finite, name, loss, chosen.prepare());
}

Result<std::unique_ptr<PreparedOp>> LayoutSequence::prepareRead(int number) {
    const Layout& layout = stateOf(number).layout;
    if (!layout)
        return std::unique_ptr<PreparedOp>();
    const Reordering reordering{*layout, plainDesc(layout->dims()), "nchw"};
    const std::string name = nameOf(number) + " " + reordering.layouts();
    return prepared(m_context, "reorder " + name, [&] { return makeReorder(m_context, reordering, name); });
}

} // namespace heteroscope::compute::onednn
