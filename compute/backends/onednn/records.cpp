// SPDX-License-Identifier: Apache-2.0
// Who computes a step: the records of its kind of operation, and which of them is taken.
#include "compute/backends/onednn/onednn_ops.h"
#include "compute/base/activity.h"

#include <map>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

/// Gives every record a name of its own: the library lists some twice ("jit:avx512_core").
RecordVisitor numbered(const RecordVisitor& visit) {
    return [&visit, counts = std::map<std::string, int>()](Record record) mutable {
        if (const int count = ++counts[record.candidate.name]; count > 1)
            record.candidate.name += "." + std::to_string(count);
        return visit(std::move(record));
    };
}

void visitOp(Context& context, const Problem& problem, const RecordVisitor& visit) {
    const Op& op = problem.step.chain.front().op;
    const Facts facts = [&op] { return opFacts(op); };
    if (std::holds_alternative<PoolForward>(op) || std::holds_alternative<PoolBackward>(op))
        visitPool(context, problem, facts, nullptr, visit);
    else if (const auto* gemm = std::get_if<Gemm>(&op))
        visitGemm(context, *gemm, visit);
    else if (isTrainingBatchNorm(op))
        visitBatchNorm(context, problem.policy, op, visit);
    else if (isLayerNorm(op))
        visitLayerNorm(context, problem.policy, op, visit);
    else if (hasOwnLoop(op))
        visit({{kOwnLoop, ownLoopName(), {}, {}, [&context, &op]() -> Result<std::unique_ptr<PreparedOp>> {
                    return makeOwnLoop(context, op);
                }}});
    else
        visitLayer(context, problem.policy, op, {}, facts, visit);
}

} // namespace

void visitRecords(Context& context, const Problem& problem, const RecordVisitor& visit) {
    if (problem.step.chain.size() > 1)
        visitChain(context, problem, numbered(visit));
    else if (operandElements(problem.step.chain.front().op))
        visitOp(context, problem, numbered(visit));
}

Record chooseRecord(Context& context, const Problem& problem, std::span<const std::string> asked) {
    setActivityStep(opName(problem.step.chain.front().op));
    std::map<std::string, Record> records;
    const Candidates candidates = [&](const CandidateVisitor& visit) {
        visitRecords(context, problem, [&](Record record) {
            const Candidate candidate = record.candidate;
            records.insert_or_assign(candidate.name, std::move(record));
            return visit(candidate);
        });
    };
    Candidate taken = chooseCandidate(candidates, asked);
    if (taken.prepare)
        return std::move(records.at(taken.name));
    return {std::move(taken)};
}

std::vector<ImplementationRow> recordRows(Context& context, const Problem& problem,
                                          std::span<const std::string> asked) {
    const Candidates candidates = [&](const CandidateVisitor& visit) {
        visitRecords(context, problem, [&](Record record) { return visit(std::move(record.candidate)); });
    };
    return implementationRows(candidates, asked);
}

} // namespace heteroscope::compute::onednn
