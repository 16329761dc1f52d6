// SPDX-License-Identifier: Apache-2.0
// Pooling by oneDNN on images as the session keeps them. Its max-pooling backward needs the places that the
// forward pass recorded: in a network that trains they are kept. Elsewhere our op is given only input and
// gradient, so the backward op runs oneDNN's forward first, inside the timed run, and says so in its name.
// In networks of blocked images the most usual windows have loops of their own (halving.h).
#include "compute/backends/onednn/eltwise.h"
#include "compute/backends/onednn/halving.h"
#include "compute/core/team.h"

#include <optional>
#include <unordered_map>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;
using Forward = dnnl::pooling_forward;
using Backward = dnnl::pooling_backward;

struct Geometry {
    memory::desc src, dst;
    memory::dims stride, kernel, before, after;
    dnnl::algorithm algorithm;
};

dnnl::algorithm algorithmOf(const PoolParams& params) {
    if (params.mode == PoolMode::Max)
        return dnnl::algorithm::pooling_max;
    return params.countIncludePad ? dnnl::algorithm::pooling_avg_include_padding
                                  : dnnl::algorithm::pooling_avg_exclude_padding;
}

Geometry geometryOf(const PoolParams& p, const Shape4& src, Order order) {
    return {imageDesc(src, order),
            imageDesc(*poolOutputShape(p, src), order),
            {p.stride.h, p.stride.w},
            {p.kernel.h, p.kernel.w},
            {p.padding.top, p.padding.left},
            {p.padding.bottom, p.padding.right},
            algorithmOf(p)};
}

/// The primitives of an op; empty ones when oneDNN has no implementation. May throw dnnl::error.
struct Primitives {
    PrimitiveList<Forward> forward;
    PrimitiveList<Backward> backward; ///< only when asked for
};

Primitives describe(Context& context, const PoolParams& params, const Shape4& src, bool backward) {
    const ThreadScope threads(context.threads);
    const Geometry g = geometryOf(params, src, context.layouts.orderOf(src));
    const auto kind = backward || context.layouts.trains() ? dnnl::prop_kind::forward_training
                                                           : dnnl::prop_kind::forward_inference;
    Primitives result;
    result.forward = {{kind, g.algorithm, g.src, g.dst, g.stride, g.kernel, g.before, g.after},
                      userScratchpad(),
                      context.engine,
                      true};
    if (backward && result.forward)
        result.backward = {{g.algorithm, g.src, g.dst, g.stride, g.kernel, g.before, g.after},
                           userScratchpad(),
                           context.engine,
                           result.forward,
                           true};
    return result;
}

bool needsForward(const PoolParams& params) {
    return params.mode == PoolMode::Max;
}

/// Why our own loops do not pool it.
std::string refusalOfOwnLoop(const Context& context, const PoolParams& params, const Shape4& src) {
    if (!needsForward(params) || params.kernel != Extent2d{2, 2} || params.stride != Extent2d{2, 2} ||
        params.padding != Padding2d{})
        return "it computes maxima of windows 2x2 with stride 2 and without padding alone";
    if (!context.layouts.trains() || context.layouts.orderOf(src) != Order::Blocked)
        return "it computes images in blocks of 16 channels alone, which trainings keep where all "
               "convolutions fill them";
    return {};
}

std::string implementationName(const Context& context, const Primitives& primitives, const PoolParams& params,
                               const Shape4& src, bool backward, bool ownLoop) {
    const char* const kept = orderName(context.layouts.orderOf(src));
    if (ownLoop)
        return std::string(ownLoopName()) + kept;
    if (!backward)
        return std::string("onednn:") + primitives.forward->impl_info_str() + kept;
    const std::string name = std::string("onednn:") + primitives.backward->impl_info_str() + kept;
    return needsForward(params) && !context.layouts.trains() ? name + "+forward" : name;
}

std::int64_t elementsOf(const Shape4& s) {
    return s.n * s.c * s.h * s.w;
}

/// An operation's images and primitives.
class PoolOp : public HostOp {
  public:
    PoolOp(Context& context, const OpFacts& facts, const PoolParams& params, const Shape4& src,
           const Primitives& primitives, std::string implementation, bool ownLoop)
        : HostOp(facts, std::move(implementation)),
          m_context(context),
          m_input{src, context.layouts.orderOf(src)},
          m_output{*poolOutputShape(params, src), m_input.order},
          m_records(needsForward(params) && context.layouts.trains()),
          m_halved(ownLoop),
          m_name(facts.name),
          m_forward(*primitives.forward),
          m_src(primitives.forward->src_desc(), context.engine, nullptr),
          m_dst(primitives.forward->dst_desc(), context.engine, nullptr),
          m_forwardScratch(primitives.forward->scratchpad_desc(), context.engine) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        try {
            const ThreadScope threads(m_context.threads);
            m_observer = observer;
            compute(operands);
            m_context.stream.wait();
        } catch (const dnnl::error& error) {
            return failure(m_name, error);
        }
        return {};
    }
    virtual void compute(const HostOperands& operands) = 0;

    /// Records the places as it pools.
    void pool(const float* src, float* dst, memory& places) {
        if (m_halved) {
            auto* const recorded = static_cast<std::uint8_t*>(places.get_data_handle());
            forPlanes([&](const HalvedPlanes& planes, Share share) {
                poolHalves(planes, share.begin, share.end, src, dst, recorded);
            });
            return;
        }
        m_src.set_data_handle(writable(src));
        m_dst.set_data_handle(dst);
        std::unordered_map<int, memory> arguments{
            {DNNL_ARG_SRC, m_src}, {DNNL_ARG_DST, m_dst}, {DNNL_ARG_SCRATCHPAD, m_forwardScratch}};
        if (places)
            arguments.emplace(DNNL_ARG_WORKSPACE, places);
        m_forward.execute(m_context.stream, arguments);
    }

    /// Calls compute(planes, share) on each thread.
    template <class Compute>
    void forPlanes(const Compute& compute) const {
        const Shape4& s = m_input.shape;
        const HalvedPlanes planes{s.h, s.w};
        runTeam(m_context.threads, m_observer,
                [&](Member member) { compute(planes, shareOf(s.n * s.c / kBlock, member)); });
    }

    std::uint64_t stamp(const float* at, const Images& images) const {
        return m_context.layouts.stamp(at, elementsOf(images.shape));
    }

    Context& m_context;
    Images m_input, m_output;
    bool m_records;                   ///< places of maxima, from forward to backward
    bool m_halved;                    ///< by our own loops
    OpObserver* m_observer = nullptr; ///< of the run
    std::string m_name;
    Forward m_forward;
    memory m_src, m_dst, m_forwardScratch;
};

class ForwardOp final : public PoolOp {
  public:
    ForwardOp(Context& context, const OpFacts& facts, const PoolParams& params, const Shape4& src,
              const Primitives& primitives, std::string implementation, bool ownLoop)
        : PoolOp(context, facts, params, src, primitives, std::move(implementation), ownLoop) {
        if (m_records)
            m_places = memory(primitives.forward->workspace_desc(), context.engine);
    }
    ~ForwardOp() override {
        std::erase_if(m_context.pools,
                      [this](const auto& one) { return one.second.places.get(true) == m_places.get(true); });
    }
    ForwardOp(const ForwardOp&) = delete;
    ForwardOp& operator=(const ForwardOp&) = delete;

  protected:
    void compute(const HostOperands& operands) override {
        m_context.layouts.make(operands.src[0], m_input);
        pool(operands.src[0], operands.dst[0], m_places);
        m_context.layouts.wrote(operands.dst[0], elementsOf(m_output.shape), m_output);
        if (m_records)
            m_context.pools[operands.dst[0]] = {operands.src[0], stamp(operands.src[0], m_input),
                                                stamp(operands.dst[0], m_output), m_places};
    }

  private:
    memory m_places;
};

class BackwardOp final : public PoolOp {
  public:
    BackwardOp(Context& context, const OpFacts& facts, const PoolParams& params, const Shape4& src,
               const Primitives& primitives, std::string implementation, bool ownLoop,
               const ActivationBackward* behind)
        : PoolOp(context, facts, params, src, primitives, std::move(implementation), ownLoop),
          m_backward(*primitives.backward),
          m_srcGrad(primitives.forward->src_desc(), context.engine, nullptr),
          m_dstGrad(primitives.forward->dst_desc(), context.engine, nullptr),
          m_backwardScratch(primitives.backward->scratchpad_desc(), context.engine) {
        if (needsForward(params)) {
            m_places = memory(primitives.forward->workspace_desc(), context.engine);
            m_scratch = memory(primitives.forward->dst_desc(), context.engine);
        }
        m_relu = m_halved && behind != nullptr && behind->kind == ActivationKind::Relu;
        if (behind != nullptr && !m_relu)
            describeSlope(*behind);
    }

  protected:
    void compute(const HostOperands& operands) override {
        m_context.layouts.make(operands.src[1], m_output);
        if (m_halved)
            halve(operands);
        else
            runPrimitives(operands);
        m_context.layouts.wrote(operands.dst[0], elementsOf(m_input.shape), m_input);
    }

  private:
    void runPrimitives(const HostOperands& operands) {
        m_srcGrad.set_data_handle(operands.dst[0]);
        std::unordered_map<int, memory> arguments{{DNNL_ARG_DIFF_SRC, m_srcGrad},
                                                  {DNNL_ARG_SCRATCHPAD, m_backwardScratch}};
        if (m_places)
            arguments.emplace(DNNL_ARG_WORKSPACE, places(operands));
        m_dstGrad.set_data_handle(m_slope ? throughActivation(operands) : writable(operands.src[1]));
        arguments.emplace(DNNL_ARG_DIFF_DST, m_dstGrad);
        m_backward.execute(m_context.stream, arguments);
    }

    void halve(const HostOperands& operands) {
        const auto* recorded = static_cast<const std::uint8_t*>(places(operands).get_data_handle());
        const float *pooled = nullptr, *gradient = operands.src[1];
        if (m_relu) {
            m_context.layouts.make(operands.src[2], m_output);
            pooled = operands.src[2];
        } else if (m_slope) {
            gradient = static_cast<const float*>(throughActivation(operands));
        }
        forPlanes([&](const HalvedPlanes& planes, Share share) {
            unpoolHalves(planes, share.begin, share.end, pooled, gradient, recorded, operands.dst[0]);
        });
    }

    /// What the forward pass recorded, or is recorded now.
    memory& places(const HostOperands& operands) {
        if (memory* recorded = m_records && operands.src.size() > 2 ? find(operands) : nullptr)
            return *recorded;
        m_context.layouts.make(operands.src[0], m_input);
        pool(operands.src[0], static_cast<float*>(m_scratch.get_data_handle()), m_places);
        return m_places;
    }

    memory* find(const HostOperands& operands) {
        const auto at = m_context.pools.find(operands.src[2]);
        if (at == m_context.pools.end())
            return nullptr;
        PoolRecord& record = at->second;
        const bool same = record.src == operands.src[0] &&
                          record.srcStamp == stamp(operands.src[0], m_input) &&
                          record.dstStamp == stamp(operands.src[2], m_output) &&
                          record.places.get_desc() == m_places.get_desc();
        return same ? &record.places : nullptr;
    }

    void describeSlope(const ActivationBackward& op) {
        const memory::desc values({elementsOf(m_output.shape)}, memory::data_type::f32,
                                  memory::format_tag::a);
        m_slope.emplace(*eltwiseBackward(m_context, op, values));
        m_values = memory(values, m_context.engine, nullptr);
        m_given = memory(values, m_context.engine, nullptr);
        m_passed = memory(values, m_context.engine, m_scratch.get_data_handle());
    }

    /// The activation's derivative follows from its value, and the maximum is its value: it is taken where
    /// the values are fewer.
    void* throughActivation(const HostOperands& operands) {
        m_context.layouts.make(operands.src[2], m_output);
        m_values.set_data_handle(writable(operands.src[2]));
        m_given.set_data_handle(writable(operands.src[1]));
        m_slope->execute(
            m_context.stream,
            {{DNNL_ARG_DST, m_values}, {DNNL_ARG_DIFF_DST, m_given}, {DNNL_ARG_DIFF_SRC, m_passed}});
        return m_scratch.get_data_handle();
    }

    Backward m_backward;
    memory m_srcGrad, m_dstGrad, m_backwardScratch;
    memory m_places, m_scratch; ///< of max pooling
    bool m_relu = false;        ///< its derivative is taken by our own loop
    std::optional<dnnl::eltwise_backward> m_slope;
    memory m_values, m_given, m_passed; ///< of the output, in any order
};

struct Problem {
    const PoolParams& params;
    const Shape4& src;
    bool backward;
};

Problem problemOf(const Op& op) {
    if (const auto* forward = std::get_if<PoolForward>(&op))
        return {forward->params, forward->src, false};
    const auto& backward = std::get<PoolBackward>(op);
    return {backward.params, backward.src, true};
}

/// What a max pooling that trains records, and where its backward pass pools again.
std::size_t recordBytes(const Context& context, const PoolParams& params, const Primitives& primitives,
                        bool backward) {
    if (!needsForward(params) || (!backward && !context.layouts.trains()))
        return 0;
    const std::size_t places = primitives.forward->workspace_desc().get_size();
    return backward ? places + primitives.forward->dst_desc().get_size() : places;
}

struct PoolVisit {
    Context& context;
    const Op& op;
    const Facts& facts;
    const ActivationBackward* behind;
    const CandidateVisitor& visit;

    bool offer(const Primitives& primitives, bool ownLoop) const {
        const auto& [params, src, backward] = problemOf(op);
        std::string implementation = implementationName(context, primitives, params, src, backward, ownLoop);
        const char* const primitive =
            backward ? primitives.backward->impl_info_str() : primitives.forward->impl_info_str();
        const std::string order = orderName(context.layouts.orderOf(src));
        Candidate candidate{ownLoop ? kOwnLoop : primitive + order, {}, {}, {}, {}};
        if (behind != nullptr)
            implementation += std::string("+") + activationName(behind->kind);
        candidate.implementation = implementation;
        std::size_t bytes = primitives.forward->scratchpad_desc().get_size();
        if (backward)
            bytes += primitives.backward->scratchpad_desc().get_size();
        bytes += recordBytes(context, params, primitives, backward);
        candidate.workspaceBytes = [bytes] { return bytes; };
        candidate.prepare = [self = *this, made = facts, primitives, implementation, ownLoop] {
            return self.make(made(), primitives, implementation, ownLoop);
        };
        return visit(std::move(candidate));
    }

    Result<std::unique_ptr<PreparedOp>> make(const OpFacts& made, const Primitives& primitives,
                                             const std::string& name, bool ownLoop) const {
        return prepared(context, opName(op), [&]() -> std::unique_ptr<PreparedOp> {
            const Problem problem = problemOf(op);
            if (!problem.backward)
                return std::make_unique<ForwardOp>(context, made, problem.params, problem.src, primitives,
                                                   name, ownLoop);
            return std::make_unique<BackwardOp>(context, made, problem.params, problem.src, primitives, name,
                                                ownLoop, behind);
        });
    }
};

} // namespace

void visitPool(Context& context, const Op& op, const Facts& facts, const ActivationBackward* behind,
               const CandidateVisitor& visit) {
    const auto& [params, src, backward] = problemOf(op);
    if (params.mode == PoolMode::Max && params.padValue == PadValue::Zero && params.padding != Padding2d{}) {
        visit(refused("oneDNN pads max pooling with minus infinity only, not with zero"));
        return;
    }
    try {
        const ThreadScope threads(context.threads);
        Primitives primitives = describe(context, params, src, backward);
        if (backward ? !primitives.backward : !primitives.forward) {
            visit(refused("oneDNN has no pooling for this window, stride and padding"));
            return;
        }
        const PoolVisit offers{context, op, facts, behind, visit};
        const std::string refusal = refusalOfOwnLoop(context, params, src);
        if (!(refusal.empty() ? offers.offer(primitives, true) : visit({kOwnLoop, {}, refusal, {}, {}})))
            return;
        while (offers.offer(primitives, false) &&
               (backward ? primitives.backward.next() : primitives.forward.next())) {
        }
    } catch (const dnnl::error& error) {
        visit(refused("oneDNN refuses this window, stride and padding (" + std::string(error.what()) + ")"));
    }
}

} // namespace heteroscope::compute::onednn
