// SPDX-License-Identifier: Apache-2.0
// Running a layer's primitive: reorders of inputs, the primitive, reorders of outputs.
#include "compute/backends/onednn/folded_norm.h"
#include "compute/backends/onednn/layer_ops.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;

class LayerOp final : public HostOp {
  public:
    LayerOp(Context& context, const OpFacts& facts, LayerPlan plan)
        : HostOp(facts, plan.implementation),
          m_context(context),
          m_name(facts.name),
          m_primitive(std::move(plan.primitive)) {
        for (const Argument& argument : plan.arguments) {
            Bound bound{argument, memory(argument.plain, context.engine, nullptr), {}, {}, 0};
            if (argument.reordered()) {
                bound.other = memory(argument.wanted, context.engine);
                bound.reorder = argument.output ? dnnl::reorder(bound.other, bound.given)
                                                : dnnl::reorder(bound.given, bound.other);
            }
            m_call.emplace(argument.id, argument.reordered() ? bound.other : bound.given);
            m_bound.push_back(std::move(bound));
        }
        m_call.emplace(DNNL_ARG_SCRATCHPAD, memory(plan.scratch, context.engine));
        if (plan.folding) {
            m_folded.emplace(context, *plan.folding);
            m_call.emplace(DNNL_ARG_WEIGHTS, m_folded->weights());
            m_call.emplace(DNNL_ARG_BIAS, m_folded->bias());
        }
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
            if (m_context.layouts.keeps())
                layInputs();
            reorderInputs();
            if (m_folded)
                m_folded->refresh(operands.src);
            m_primitive.execute(m_context.stream, m_call);
            reorderOutputs();
            m_context.stream.wait();
            if (m_context.layouts.keeps())
                noteOutputs();
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
        std::uint64_t stamp; ///< of ours when it was reordered
        const float* at() const { return static_cast<const float*>(given.get_data_handle()); }
    };

    void layInputs() {
        m_common = commonImages();
        for (const Bound& bound : m_bound) {
            if (bound.argument.output || (bound.argument.lies == Lies::AsOthers && m_common))
                continue;
            if (bound.argument.lies == Lies::AsImages)
                m_context.layouts.make(bound.at(), bound.argument.images());
            else
                m_context.layouts.makePlain(bound.at(), bound.argument.elements());
        }
    }

    /// The images that all inputs in any order are, where not plain; nothing where one is plain.
    std::optional<Images> commonImages() const {
        std::optional<Images> common;
        for (const Bound& bound : m_bound) {
            if (bound.argument.output || bound.argument.lies != Lies::AsOthers)
                continue;
            const auto images = m_context.layouts.imagesAt(bound.at(), bound.argument.elements());
            if (!images || (common && *common != *images))
                return {};
            common = images;
        }
        return common;
    }

    void noteOutputs() {
        for (const Bound& bound : m_bound) {
            const Argument& argument = bound.argument;
            if (!argument.output)
                continue;
            std::optional<Images> images;
            if (argument.lies == Lies::AsImages)
                images = argument.images();
            else if (argument.lies == Lies::AsOthers)
                images = m_common;
            m_context.layouts.wrote(bound.at(), argument.elements(), images);
        }
    }

    /// Where layouts are kept, what has not been written since it was reordered stays as it is.
    void reorderInputs() {
        for (Bound& bound : m_bound) {
            if (!bound.argument.reordered() || bound.argument.output)
                continue;
            const std::uint64_t stamp = m_context.layouts.stamp(bound.at(), bound.argument.elements());
            if (stamp == 0 || stamp != bound.stamp)
                reorder(bound, bound.given, bound.other);
            bound.stamp = stamp;
        }
    }

    void reorderOutputs() {
        for (Bound& bound : m_bound)
            if (bound.argument.reordered() && bound.argument.output)
                reorder(bound, bound.other, bound.given);
    }

    /// A second thread would take longer to hear of a few elements than the first takes for all of them.
    void reorder(Bound& bound, memory& from, memory& to) {
        const ThreadScope threads(bound.argument.elements() < kTeamElements ? 1 : m_context.threads);
        bound.reorder.execute(m_context.stream, from, to);
    }

    Context& m_context;
    std::string m_name;
    dnnl::primitive m_primitive;
    std::vector<Bound> m_bound;
    std::unordered_map<int, memory> m_call;
    std::optional<FoldedNorm> m_folded;
    std::optional<Images> m_common; ///< of the run
};

} // namespace

bool trains(const std::vector<Op>& operations) {
    return std::any_of(operations.begin(), operations.end(), [](const Op& op) {
        return std::visit(
            []<class One>(const One&) {
                return std::is_same_v<One, PoolBackward> || std::is_same_v<One, ConvBackwardData> ||
                       std::is_same_v<One, ConvBackwardWeights> || std::is_same_v<One, DenseBackwardData> ||
                       std::is_same_v<One, DenseBackwardWeights> || std::is_same_v<One, BatchNormBackward> ||
                       std::is_same_v<One, LayerNormBackward> || std::is_same_v<One, MultiplyBackward>;
            },
            op);
    });
}

bool fillsBlocks(const std::vector<Op>& operations) {
    if (dnnl::get_effective_cpu_isa() < dnnl::cpu_isa::avx512_core)
        return false;
    return std::all_of(operations.begin(), operations.end(), [](const Op& op) {
        const auto* conv = std::get_if<ConvForward>(&op);
        return conv == nullptr || (conv->params.filters % kBlock == 0 &&
                                   (conv->src.c % kBlock == 0 || conv->src.c <= kFewChannels));
    });
}

bool minds(const Op& op) {
    if (hasOwnLoop(op))
        return false;
    return isTrainingBatchNorm(op) || isLayerNorm(op) ||
           std::visit(
               []<class One>(const One&) {
                   return std::is_same_v<One, PoolForward> || std::is_same_v<One, PoolBackward> ||
                          std::is_same_v<One, ConvForward> || std::is_same_v<One, ConvBackwardData> ||
                          std::is_same_v<One, ConvBackwardWeights> || std::is_same_v<One, DenseForward> ||
                          std::is_same_v<One, DenseBackwardData> ||
                          std::is_same_v<One, DenseBackwardWeights> ||
                          std::is_same_v<One, ActivationForward> || std::is_same_v<One, ActivationBackward> ||
                          std::is_same_v<One, SoftmaxForward> || std::is_same_v<One, SoftmaxBackward> ||
                          std::is_same_v<One, Add> || std::is_same_v<One, BatchNormInfer> ||
                          std::is_same_v<One, Multiply> || std::is_same_v<One, MultiplyBackward>;
               },
               op);
}

void visitLayer(Context& context, const Op& op, const Behind& behind, const Facts& facts,
                const CandidateVisitor& visit) {
    const auto make = [&context, &op, facts](const LayerPlan& plan) {
        return prepared(context, opName(op),
                        [&] { return std::make_unique<LayerOp>(context, facts(), plan); });
    };
    try {
        visitPlans(context, op, behind, [&](LayerPlan plan, std::string refusal) {
            Candidate candidate{plan.name, plan.implementation, std::move(refusal), {}, {}};
            if (candidate.refusal.empty()) {
                candidate.workspaceBytes = [bytes = plan.workspaceBytes()] { return bytes; };
                candidate.prepare = [make, plan = std::move(plan)] { return make(plan); };
            }
            return visit(std::move(candidate));
        });
    } catch (const dnnl::error& error) {
        visit(refused("oneDNN refuses this " + opName(op) + " (" + error.what() + ")"));
    }
}

} // namespace heteroscope::compute::onednn
