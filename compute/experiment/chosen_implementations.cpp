// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/chosen_implementations.h"

#include "compute/exec/network_executor.h"
#include "compute/exec/network_sequence.h"
#include "compute/exec/work.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute {
namespace {

std::vector<OperationImplementations> ofNetwork(const NetworkExperiment& experiment, Session& session) {
    PlanOptions options = planOptions(experiment);
    options.fuses = fusionOf(session);
    const auto plan = planNetwork(experiment.network, networkRequest(experiment), options);
    std::vector<OperationImplementations> all;
    if (!plan)
        return all;
    const auto sequence = session.planSequence(sequenceOf(*plan));
    for (std::size_t i = 0; i < sequence->ops().size(); ++i) {
        const PlannedOp& op = sequence->ops()[i];
        const PlanStep& step = plan->steps[op.step];
        OperationImplementations one;
        if (step.layer >= 0)
            one.layer = plan->network.layers[static_cast<std::size_t>(step.layer)].spec.name;
        one.phase = phaseName(step.phase);
        one.candidates = sequence->implementations(i);
        if (!op.reorder.empty()) {
            one.operation = kReorderOperation;
            one.detail = op.reorder;
            all.push_back(std::move(one));
            continue;
        }
        one.operation = opName(step.op);
        one.detail = opDetail(step.op);
        for (std::size_t k = 1; k < step.chain.size(); ++k)
            one.operation += " + " + opName(step.chain[k].op);
        if (one.taken() == nullptr)
            one.refusal = sequence->refusal(i);
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace

std::string firstRefusal(const std::vector<OperationImplementations>& operations, const std::string& target) {
    for (const OperationImplementations& one : operations)
        if (one.taken() == nullptr)
            return target + " cannot do " + one.operation + " " + one.detail + ": " + one.refusal;
    return {};
}

const ImplementationRow* OperationImplementations::taken() const {
    const auto found = std::find_if(candidates.begin(), candidates.end(),
                                    [](const ImplementationRow& row) { return row.taken; });
    return found == candidates.end() ? nullptr : &*found;
}

std::vector<OperationImplementations> chosenImplementations(const ExperimentSpec& pointSpec,
                                                            const Shape4& srcShape, Session& session) {
    if (pointSpec.kind == ExperimentKind::Network)
        return ofNetwork(pointSpec.network, session);
    std::vector<OperationImplementations> all;
    for (const Op& op : workOps(pointSpec, srcShape)) {
        all.push_back({{}, {}, opName(op), opDetail(op), session.implementations(op), {}});
        if (all.back().taken() == nullptr)
            all.back().refusal = session.supports(op).reason;
    }
    return all;
}

} // namespace heteroscope::compute
