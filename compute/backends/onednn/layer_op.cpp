// SPDX-License-Identifier: Apache-2.0
// Running a layer's primitive on operands that lie as it wants them.
#include "compute/backends/onednn/layer_ops.h"

#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;

/// A folded convolution is given three operands, whatever the whole chain is.
OpFacts factsOf(const LayerPlan& plan, const Facts& facts) {
    OpFacts made = facts();
    if (plan.folding && made.sizes) {
        const auto weights = static_cast<std::int64_t>(plan.folding->wanted.get_size() / sizeof(float));
        made.sizes->src = {made.sizes->src.front(), weights, plan.folding->filters};
    }
    return made;
}

class LayerOp final : public HostOp {
  public:
    LayerOp(Context& context, const OpFacts& facts, const LayerPlan& plan)
        : HostOp(facts, plan.implementation),
          m_context(context),
          m_name(facts.name),
          m_primitive(plan.primitive) {
        for (const Argument& argument : plan.arguments) {
            m_bound.push_back(
                {argument.output, argument.operand, memory(argument.wanted, context.engine, nullptr)});
            m_call.emplace(argument.id, m_bound.back().memory);
        }
        m_call.emplace(DNNL_ARG_SCRATCHPAD, memory(plan.scratch, context.engine));
    }

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        try {
            const ThreadScope threads(m_context.threads);
            for (Bound& bound : m_bound)
                bound.memory.set_data_handle(bound.output ? operands.dst[bound.operand]
                                                          : writable(operands.src[bound.operand]));
            m_primitive.execute(m_context.stream, m_call);
            m_context.stream.wait();
        } catch (const dnnl::error& error) {
            return failure(m_name, error);
        }
        return {};
    }

  private:
    struct Bound {
        bool output;
        std::size_t operand;
        dnnl::memory memory;
    };

    Context& m_context;
    std::string m_name;
    dnnl::primitive m_primitive;
    std::vector<Bound> m_bound;
    std::unordered_map<int, memory> m_call;
};

} // namespace

void visitLayer(Context& context, const LayoutPolicy& policy, const Op& op, const PostOps& postOps,
                const Facts& facts, const RecordVisitor& visit) {
    const auto make = [&context, &op, facts](const LayerPlan& plan) {
        return prepared(context, opName(op),
                        [&] { return std::make_unique<LayerOp>(context, factsOf(plan, facts), plan); });
    };
    try {
        visitPlans(context, policy, op, postOps, [&](LayerPlan plan, std::string refusal) {
            Record record{
                {plan.name, plan.implementation, std::move(refusal), {}, {}}, plan.layouts(), plan.folding};
            if (record.candidate.refusal.empty()) {
                record.candidate.workspaceBytes = [bytes = plan.scratch.get_size()] { return bytes; };
                record.candidate.prepare = [make, plan = std::move(plan)] { return make(plan); };
            }
            return visit(std::move(record));
        });
    } catch (const dnnl::error& error) {
        visit(refused("oneDNN refuses this " + opName(op) + " (" + error.what() + ")"));
    }
}

} // namespace heteroscope::compute::onednn
