// SPDX-License-Identifier: Apache-2.0
// Running a layer's primitive: reorders of inputs, the primitive, reorders of outputs.
#include "compute/backends/onednn/layer_ops.h"

#include <optional>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;

class LayerOp final : public HostOp {
  public:
    LayerOp(Context& context, const Op& op, LayerPlan plan)
        : HostOp(op, plan.implementation),
          m_context(context),
          m_name(opName(op)),
          m_primitive(std::move(plan.primitive)) {
        for (const Argument& argument : plan.arguments) {
            Bound bound{argument, memory(argument.plain, context.engine, nullptr), {}, {}};
            if (argument.reordered()) {
                bound.other = memory(argument.wanted, context.engine);
                bound.reorder = argument.output ? dnnl::reorder(bound.other, bound.given)
                                                : dnnl::reorder(bound.given, bound.other);
            }
            m_call.emplace(argument.id, argument.reordered() ? bound.other : bound.given);
            m_bound.push_back(std::move(bound));
        }
        m_call.emplace(DNNL_ARG_SCRATCHPAD, memory(plan.scratch, context.engine));
    }

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        try {
            const ThreadScope threads(m_context.threads);
            for (Bound& bound : m_bound) {
                const std::size_t i = bound.argument.operand;
                bound.given.set_data_handle(bound.argument.output ? operands.dst[i]
                                                                  : writable(operands.src[i]));
            }
            reorder(false);
            m_primitive.execute(m_context.stream, m_call);
            reorder(true);
            m_context.stream.wait();
        } catch (const dnnl::error& error) {
            return failure(m_name, error);
        }
        return {};
    }

  private:
    struct Bound {
        Argument argument;
        memory given, other; ///< ours; in the primitive's layout where that differs
        dnnl::reorder reorder;
    };

    void reorder(bool outputs) {
        for (Bound& bound : m_bound) {
            if (!bound.argument.reordered() || bound.argument.output != outputs)
                continue;
            if (outputs)
                bound.reorder.execute(m_context.stream, bound.other, bound.given);
            else
                bound.reorder.execute(m_context.stream, bound.given, bound.other);
        }
    }

    Context& m_context;
    std::string m_name;
    dnnl::primitive m_primitive;
    std::vector<Bound> m_bound;
    std::unordered_map<int, memory> m_call;
};

} // namespace

Support supportsLayer(Context& context, const Op& op) {
    try {
        const auto plan = planLayer(context, op);
        return plan ? Support::yes(plan->implementation) : Support::no(plan.error().message);
    } catch (const dnnl::error& error) {
        return Support::no("oneDNN refuses this " + opName(op) + " (" + error.what() + ")");
    }
}

std::size_t layerWorkspaceBytes(Context& context, const Op& op) {
    const auto plan = planLayer(context, op);
    return plan ? plan->workspaceBytes() : 0;
}

Result<std::unique_ptr<PreparedOp>> prepareLayer(Context& context, const Op& op) {
    try {
        auto plan = planLayer(context, op);
        if (!plan)
            return plan.error();
        const ThreadScope threads(context.threads);
        return std::unique_ptr<PreparedOp>(std::make_unique<LayerOp>(context, op, std::move(*plan)));
    } catch (const dnnl::error& error) {
        return failure(opName(op), error);
    }
}

} // namespace heteroscope::compute::onednn
